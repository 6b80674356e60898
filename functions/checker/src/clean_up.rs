//! `EntityDeleted`: ends the running check of a deleted entity and removes the entity.
//!
//! The step expects an entity that is marked as deleted. It closes the check's shards, charges the answers, gives the
//! entity's items an expiry and removes the entity itself. It can run twice, even concurrently.

use domain::check::CheckState;
use domain::check_key::ShardKey;
use domain::entity::{Entity, RunningCheck};
use domain::id::EntityId;
use store::{CheckOutcome, Tenant};

use crate::finish::summary::credits_used;
use crate::{Checker, CheckerError};

impl Checker {
    /// Handles `EntityDeleted`.
    pub(crate) async fn clean_up(&self, tenant: &Tenant, id: &EntityId) -> Result<(), CheckerError> {
        let Some(entity) = self.deleted_entity(tenant, id).await? else {
            return Ok(());
        };
        if let Some(running) = &entity.running {
            self.end_running_check(tenant, id, running).await?;
        }
        self.store.expire_children(tenant, id).await?;
        // Read the entity again, because ending its check changed it.
        if let Some(entity) = self.deleted_entity(tenant, id).await?
            && self.store.expire_entity(tenant, entity).await?
        {
            tracing::info!("a deleted entity is cleaned up");
        }
        Ok(())
    }

    async fn deleted_entity(&self, tenant: &Tenant, id: &EntityId) -> Result<Option<Entity>, CheckerError> {
        let entity = self.store.entity_or_deleted(tenant, id).await?;
        Ok(entity.filter(|entity| entity.deleted_at.is_some()))
    }

    /// Ends the check of a deleted entity. Nothing more is asked, and the recorded answers are charged.
    async fn end_running_check(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        running: &RunningCheck,
    ) -> Result<(), CheckerError> {
        let check = self.store.check(tenant, id, running.check).await?;
        let plan = self.store.plan(tenant, id, running.check).await?;
        let (Some(check), Some(plan)) = (check, plan) else {
            return Ok(self.store.abandon_check(tenant, id, running.check).await?);
        };
        let now = self.clock.now();
        for shard in plan.shard_numbers() {
            let key = ShardKey {
                check: check.check,
                shard,
            };
            self.store.close_shard(tenant, id, key, now).await?;
        }
        let responses = self.store.responses_of(tenant, id, check.key()).await?;
        let outcome = CheckOutcome {
            state: CheckState::Partial,
            used: credits_used(&plan, &responses),
            problems: Vec::new(),
        };
        self.finish_and_log(tenant, id, &check, &outcome, &responses)
            .await
    }
}
