//! From an invocation to a step.

use aws_lambda_events::sqs::SqsEvent;
use domain::time::Timestamp;
use events::{CheckEvent, Unreadable};
use lambda_runtime::LambdaEvent;
use serde_json::{Value, json};
use store::Tenant;
use tracing::Instrument;

use crate::{Checker, CheckerError, log};

/// In the detail of a tick: look at every running check, whenever its next look is.
pub const RECONCILE_ALL: &str = "lookAtAll";

impl Checker {
    /// Handles an invocation, and logs its failure.
    pub async fn invoke(&self, event: LambdaEvent<Value>) -> Result<Value, CheckerError> {
        let LambdaEvent { payload, context } = event;
        let ends = Timestamp::from_millis(i64::try_from(context.deadline).unwrap_or(i64::MAX));
        let handled = async {
            let handled = self.handle(payload, ends).await;
            if let Err(error) = &handled {
                tracing::error!(%error, "an invocation failed");
            }
            handled
        };
        handled.instrument(log::invocation(&context.request_id)).await
    }

    /// Handles what Lambda delivers: a scheduled event, or a batch of messages from the queue.
    /// The answer to a batch names the messages that are to be delivered again. `ends`: when, in real time,
    /// the invocation is killed; what could not be answered by then is not asked.
    pub async fn handle(&self, event: Value, ends: Timestamp) -> Result<Value, CheckerError> {
        if event.get("Records").is_some() {
            return self.handle_batch(event, ends).await;
        }
        if event.get("source").and_then(Value::as_str) == Some("aws.events") {
            let everything = event
                .pointer(&format!("/detail/{RECONCILE_ALL}"))
                .and_then(Value::as_bool);
            Box::pin(self.tick(everything.unwrap_or(false))).await?;
            return Ok(Value::Null);
        }
        Err(Unreadable("it is neither a tick nor a batch of messages").into())
    }

    async fn handle_batch(&self, event: Value, ends: Timestamp) -> Result<Value, CheckerError> {
        let batch: SqsEvent =
            serde_json::from_value(event).map_err(|_| Unreadable("it is no batch of messages"))?;
        let mut failures = Vec::new();
        for message in batch.records {
            let id = message.message_id.unwrap_or_default();
            let given_back = |error: &CheckerError| {
                tracing::error!(message.id = id, %error, "a message is given back to the queue");
            };
            let is_done = match CheckEvent::from_envelope(message.body.as_deref().unwrap_or_default()) {
                Ok(event) => {
                    let step = async { self.step(&event, ends).await.inspect_err(given_back).is_ok() };
                    step.instrument(log::step(&event)).await
                }
                Err(unreadable) => {
                    given_back(&unreadable.into());
                    false
                }
            };
            if !is_done {
                failures.push(json!({ "itemIdentifier": id }));
            }
        }
        Ok(json!({ "batchItemFailures": failures }))
    }

    async fn step(&self, event: &CheckEvent, ends: Timestamp) -> Result<(), CheckerError> {
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
