//! `CheckClaimed`: publishes a check's shards.
//!
//! The step expects a running check, publishes `ShardReady` for each of its shards and writes nothing. Events of shards
//! that have ended are ignored by their receivers.

use domain::check::CheckState;
use events::{CheckEvent, CheckRef};

use crate::{Checker, CheckerError, tenant};

impl Checker {
    /// Handles `CheckClaimed`.
    pub(crate) async fn publish_shards(&self, check_ref: &CheckRef) -> Result<(), CheckerError> {
        let tenant = tenant::of_event(&check_ref.workspace_id);
        let check = self
            .store
            .check(&tenant, &check_ref.entity_id, check_ref.check)
            .await?;
        let Some(check) = check.filter(|c| c.state == CheckState::Running) else {
            return Ok(());
        };
        let shards: Vec<_> = check
            .shard_numbers()
            .map(|shard| CheckEvent::ShardReady(check_ref.clone(), shard))
            .collect();
        self.bus.publish(&shards).await?;
        Ok(())
    }
}
