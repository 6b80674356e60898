//! From an invocation to a step.

use aws_lambda_events::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent};
use domain::time::Millis;
use events::{CheckEvent, Unreadable};
use serde_json::Value;
use store::Tenant;

use crate::{Checker, CheckerError};

/// In the detail of a tick: look at every running check, whenever its next look is.
pub const LOOK_AT_ALL: &str = "lookAtAll";

impl Checker {
    /// Handles what Lambda delivers: a scheduled event, or a batch of messages from the queue.
    /// The answer to a batch names the messages that are to be delivered again. `ends`: when, in real time,
    /// the invocation is killed; what could not be answered by then is not asked.
    pub async fn handle(&self, event: Value, ends: Millis) -> Result<Value, CheckerError> {
        if event.get("Records").is_some() {
            return self.handle_batch(event, ends).await;
        }
        if event.get("source").and_then(Value::as_str) == Some("aws.events") {
            let everything = event
                .pointer(&format!("/detail/{LOOK_AT_ALL}"))
                .and_then(Value::as_bool);
            Box::pin(self.tick(everything.unwrap_or(false))).await?;
            return Ok(Value::Null);
        }
        tracing::error!("an invocation is neither a tick nor a batch of messages");
        Err(Unreadable("it is neither a tick nor a batch of messages").into())
    }

    async fn handle_batch(&self, event: Value, ends: Millis) -> Result<Value, CheckerError> {
        let batch: SqsEvent =
            serde_json::from_value(event).map_err(|_| Unreadable("it is no batch of messages"))?;
        let mut response = SqsBatchResponse::default();
        for message in batch.records {
            let step = match CheckEvent::from_envelope(message.body.as_deref().unwrap_or_default()) {
                Ok(event) => self.step(&event, ends).await,
                Err(unreadable) => Err(unreadable.into()),
            };
            if let Err(error) = step {
                let id = message.message_id.unwrap_or_default();
                tracing::error!(message.id = id, %error, "a message is given back to the queue");
                let mut failure = BatchItemFailure::default();
                failure.item_identifier = id;
                response.batch_item_failures.push(failure);
            }
        }
        serde_json::to_value(response).map_err(|e| CheckerError::Facts(e.to_string()))
    }

    async fn step(&self, event: &CheckEvent, ends: Millis) -> Result<(), CheckerError> {
        // Boxed: the steps' futures are large, and their types deep.
        match event {
            CheckEvent::CheckClaimed(check) => Box::pin(self.plan(check)).await,
            CheckEvent::ShardReady(check, shard) => Box::pin(self.shard(check, *shard, ends)).await,
            CheckEvent::CheckAnswered(check) => Box::pin(self.finish(check)).await,
            CheckEvent::CheckWanted(check) => Box::pin(self.request(check)).await,
            CheckEvent::EntityDeleted(at) => {
                let tenant = Tenant::from_event(at.workspace_id.clone());
                Box::pin(self.clean_up(&tenant, &at.entity_id)).await
            }
        }
    }
}
