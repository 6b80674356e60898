//! `CheckClaimed`: publishes the check's shards.

use domain::check::CheckState;
use events::{CheckEvent, CheckRef};
use store::Tenant;

use crate::{Checker, CheckerError};

impl Checker {
    pub(crate) async fn plan(&self, at: &CheckRef) -> Result<(), CheckerError> {
        let tenant = Tenant::from_event(at.workspace_id.clone());
        let check = self.store.check(&tenant, &at.entity_id, at.check).await?;
        let Some(check) = check.filter(|c| c.state == CheckState::Running) else {
            return Ok(());
        };
        let shards: Vec<_> = (0..check.shards)
            .map(|n| CheckEvent::ShardReady(at.clone(), n))
            .collect();
        self.bus.publish(&shards).await?;
        Ok(())
    }
}
