//! Takes messages from the queue.

use aws_lambda_events::sqs::{SqsEvent, SqsMessage};
use events::{NotificationsDue, Unreadable};
use lambda_runtime::LambdaEvent;
use runtime::metrics::FAILED_STEPS;
use serde_json::{Value, json};
use store::Tenant;
use tracing::Instrument;

use crate::{Notifier, NotifierError};

/// The function's folder name, which is the metrics' dimension.
const FUNCTION: &str = "notifier";

impl Notifier {
    /// Handles an invocation by Lambda: a batch of queue messages. The response names the messages that the queue has to deliver again.
    pub async fn invoke(&self, event: LambdaEvent<Value>) -> Result<Value, NotifierError> {
        let LambdaEvent { payload, context } = event;
        let span = tracing::error_span!(
            "invocation",
            request.id = context.request_id,
            function.name = FUNCTION
        );
        let handled = async {
            let handled = self.handle_batch(payload).await;
            if let Err(error) = &handled {
                tracing::error!(%error, "an invocation failed");
            }
            handled
        };
        handled.instrument(span).await
    }

    async fn handle_batch(&self, event: Value) -> Result<Value, NotifierError> {
        let batch: SqsEvent =
            serde_json::from_value(event).map_err(|_| Unreadable("it is no batch of messages"))?;
        let mut failures = Vec::new();
        for message in batch.records {
            if !self.handle_message(&message).await {
                failures.push(json!({ "itemIdentifier": message.message_id.unwrap_or_default() }));
            }
        }
        Ok(json!({ "batchItemFailures": failures }))
    }

    /// Handles a queue message. Returns `false` if the queue has to deliver it again, because it cannot be read.
    async fn handle_message(&self, message: &SqsMessage) -> bool {
        let id = message.message_id.as_deref().unwrap_or_default();
        let due = match NotificationsDue::from_envelope(message.body.as_deref().unwrap_or_default()) {
            Ok(due) => due,
            Err(error) => {
                tracing::error!(message.id = id, %error, { FAILED_STEPS } = 1, "a message returns to the queue");
                return false;
            }
        };
        let span = tracing::error_span!("step", workspace.id = %due.workspace_id);
        let step = async {
            if let Err(error) = Box::pin(self.notify(&tenant_of(&due))).await {
                // What is left to do stays due, so that the next tick publishes it.
                tracing::error!(message.id = id, %error, { FAILED_STEPS } = 1, "notifications wait for the next tick");
            }
        };
        step.instrument(span).await;
        true
    }
}

/// Returns the tenant of the workspace that one of the service's events names.
#[expect(
    clippy::disallowed_methods,
    reason = "the notifier works on what the service's own events name"
)]
fn tenant_of(due: &NotificationsDue) -> Tenant {
    Tenant::from_event(due.workspace_id.clone())
}
