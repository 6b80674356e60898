//! Passes each invocation to the step that handles it.

use domain::check::Transition;
use domain::time::Timestamp;
use events::{CheckEvent, CheckRef, Unreadable, run_batch};
use lambda_runtime::LambdaEvent;
use runtime::metrics::FAILED_STEPS;
use serde_json::Value;
use tracing::Instrument;

use crate::checker::tenant_of;
use crate::{Checker, CheckerError, spans};

/// The field of a tick's detail that requests the reconciliation of all running checks, even if they are not
/// due, with a queue that has lost its messages.
pub const RECONCILE_ALL: &str = "lookAtAll";

impl Checker {
    /// Handles an invocation by Lambda and logs its failure.
    pub async fn invoke(&self, event: LambdaEvent<Value>) -> Result<Value, CheckerError> {
        let LambdaEvent { payload, context } = event;
        let deadline = i64::try_from(context.deadline).unwrap_or(i64::MAX); // It is never reached.
        let killed_at = Timestamp::from_millis(deadline);
        let handled = async {
            let handled = self.handle(payload, killed_at).await;
            if let Err(error) = &handled {
                tracing::error!(%error, "an invocation failed");
            }
            handled
        };
        handled.instrument(spans::invocation(&context.request_id)).await
    }

    /// Handles a scheduled event or a batch of queue messages. The response to a batch names the messages
    /// that the queue has to deliver again. `killed_at` is the real time at which Lambda ends the invocation.
    /// No question is started that could not be answered by then.
    pub async fn handle(&self, event: Value, killed_at: Timestamp) -> Result<Value, CheckerError> {
        if event.get("Records").is_some() {
            let handle = |id, event| self.handle_step(id, event, killed_at);
            return Ok(run_batch(event, CheckEvent::from_envelope, handle).await?);
        }
        if event.get("source").and_then(Value::as_str) == Some("aws.events") {
            let all = event.pointer(&format!("/detail/{RECONCILE_ALL}"));
            let reconcile_all = all.and_then(Value::as_bool).unwrap_or(false);
            Box::pin(self.tick(reconcile_all)).await?;
            return Ok(Value::Null);
        }
        Err(Unreadable("it is neither a tick nor a batch of messages").into())
    }

    /// Handles a step of a check. Returns `false` if the queue has to deliver its message, which has the id
    /// `message`, again.
    async fn handle_step(&self, message: String, event: CheckEvent, killed_at: Timestamp) -> bool {
        let step = async {
            let Err(error) = Box::pin(self.run_step(&event, killed_at)).await else {
                return true;
            };
            let is_left_to_tick = Box::pin(self.leave_to_next_tick(&event)).await;
            tracing::error!(
                message.id = message,
                %error,
                { FAILED_STEPS } = 1,
                retried.by = if is_left_to_tick { "the next tick" } else { "the queue" },
                "a step failed"
            );
            is_left_to_tick
        };
        step.instrument(spans::step(&event)).await
    }

    /// Schedules another attempt at a failed step for the next tick, because the queue delivers the message
    /// again only after an hour and a half. Returns `false` if that is not possible, so that the queue has to
    /// deliver the message again.
    async fn leave_to_next_tick(&self, event: &CheckEvent) -> bool {
        match event {
            CheckEvent::CheckClaimed(check)
            | CheckEvent::FoldDue(check)
            | CheckEvent::CheckAnswered(check) => self.reconcile_at_next_tick(check).await.is_ok(),
            CheckEvent::ShardReady(check, shard) => {
                let (tenant, again) = (
                    tenant_of(&check.workspace_id),
                    Transition::return_to_ready([*shard]),
                );
                let returned = self
                    .store
                    .move_shards(&tenant, &check.entity_id, check.check, &again);
                returned.await.is_ok() && self.reconcile_at_next_tick(check).await.is_ok()
            }
            // A deleted entity and a rereading stay due until they are processed.
            CheckEvent::EntityDeleted(_) | CheckEvent::RereadingDue(_) => true,
            CheckEvent::CheckWanted(_) => false,
        }
    }

    async fn reconcile_at_next_tick(&self, check: &CheckRef) -> Result<(), CheckerError> {
        let tenant = tenant_of(&check.workspace_id);
        let now = self.clock.now();
        self.store
            .reconcile_no_later_than(&tenant, &check.entity_id, check.check, now)
            .await?;
        Ok(())
    }

    async fn run_step(&self, event: &CheckEvent, killed_at: Timestamp) -> Result<(), CheckerError> {
        // The futures are boxed because they are large and deeply nested.
        match event {
            CheckEvent::CheckClaimed(check) => Box::pin(self.admit_claimed(check)).await,
            CheckEvent::ShardReady(check, shard) => {
                Box::pin(self.work_on_shard(check, *shard, killed_at)).await
            }
            CheckEvent::CheckAnswered(check) => Box::pin(self.finish(check)).await,
            CheckEvent::FoldDue(check) => Box::pin(self.fold_interim(check)).await,
            CheckEvent::CheckWanted(check) => Box::pin(self.claim_requested(check)).await,
            CheckEvent::RereadingDue(entity) => Box::pin(self.reread(entity)).await,
            CheckEvent::EntityDeleted(deleted) => {
                let tenant = tenant_of(&deleted.workspace_id);
                Box::pin(self.clean_up(&tenant, &deleted.entity_id)).await
            }
        }
    }
}
