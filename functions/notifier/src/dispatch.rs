//! Takes messages from the queue.

use events::{NotificationsDue, Unreadable, run_batch};
use lambda_runtime::LambdaEvent;
use runtime::metrics::FAILED_STEPS;
use serde_json::Value;
use store::Tenant;
use tracing::Instrument;

use crate::Notifier;

/// The function's folder name, which is the metrics' dimension.
const FUNCTION: &str = "notifier";

impl Notifier {
    /// Handles an invocation by Lambda: a batch of queue messages. The response names the messages that the
    /// queue has to deliver again.
    pub async fn invoke(&self, event: LambdaEvent<Value>) -> Result<Value, Unreadable> {
        let LambdaEvent { payload, context } = event;
        let span = tracing::error_span!(
            "invocation",
            request.id = context.request_id,
            function.name = FUNCTION
        );
        let handled = async {
            let handle = |id, due| self.handle_due(id, due);
            let handled = run_batch(payload, NotificationsDue::from_envelope, handle).await;
            handled.inspect_err(|error| tracing::error!(%error, "an invocation failed"))
        };
        handled.instrument(span).await
    }

    /// Sends what is due. What fails stays due, so that the queue never has to deliver the message, which has
    /// the id `message`, again.
    async fn handle_due(&self, message: String, due: NotificationsDue) -> bool {
        let span = tracing::error_span!("step", workspace.id = %due.workspace_id);
        let step = async {
            if let Err(error) = Box::pin(self.notify(&tenant_of(&due))).await {
                // The next tick publishes what is left to do.
                tracing::error!(message.id = message, %error, { FAILED_STEPS } = 1, "notifications wait for the next tick");
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
    Tenant::from_event(due.workspace_id)
}
