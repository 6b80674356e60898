//! `EntityDeleted`: ends the running check of a deleted entity and erases what it has.
//!
//! The step expects an entity that is marked as deleted. It closes the check's shards, charges the answers,
//! and ends the entity's items: at most 5,000 in one step, which then publishes the next one. Once nothing is
//! left, the entity stays for 16 minutes, so that the last pass finds what a step has written that was under
//! way when the entity was deleted. The pass is repeated until it finds nothing. What is left to do follows
//! from the table, so a step can crash at any point and run twice, even concurrently.

use domain::check::EndState;
use domain::check_key::ShardKey;
use domain::entity::{Entity, RunningCheck};
use domain::id::EntityId;
use domain::limits::{ERASURE_REPETITION, MAX_ITEMS_PER_ERASURE_STEP};
use events::{CheckEvent, EntityRef};
use store::{CheckOutcome, RunningCheckItem, Tenant};

use crate::finish::summary::credits_used;
use crate::{Checker, CheckerError};

impl Checker {
    /// Handles `EntityDeleted`.
    pub(crate) async fn clean_up(&self, tenant: &Tenant, id: &EntityId) -> Result<(), CheckerError> {
        let Some(entity) = self.deleted_entity(tenant, id).await? else {
            return Ok(());
        };
        let now = self.clock.now();
        if entity.erase_again_at.is_some_and(|at| at > now) {
            return Ok(());
        }
        if let Some(running) = &entity.running {
            self.end_running_check(tenant, id, running).await?;
        }
        let erased = self
            .store
            .erase_entity_items(tenant, &entity, MAX_ITEMS_PER_ERASURE_STEP)
            .await?;
        tracing::info!(
            item.count = erased.count,
            is_complete = erased.is_complete,
            "items of a deleted entity are erased"
        );
        if !erased.is_complete {
            return self.publish_clean_up(tenant, id).await;
        }
        // Read the entity again, because ending its check changed it.
        let Some(entity) = self.deleted_entity(tenant, id).await? else {
            return Ok(());
        };
        if erased.count == 0 && entity.erase_again_at.is_some_and(|at| at <= now) {
            if self.store.expire_entity(tenant, entity).await? {
                tracing::info!("a deleted entity is cleaned up");
            }
            return Ok(());
        }
        let again = now + ERASURE_REPETITION;
        // If the entity has changed, it is still due.
        self.store.erase_again_at(tenant, entity, again).await?;
        Ok(())
    }

    /// Publishes `EntityDeleted` for a deleted entity. If that fails, the next tick publishes it.
    pub(crate) async fn publish_clean_up(&self, tenant: &Tenant, id: &EntityId) -> Result<(), CheckerError> {
        let deleted = CheckEvent::EntityDeleted(EntityRef {
            workspace_id: *tenant.workspace(),
            entity_id: *id,
        });
        Ok(self.bus.publish(&[deleted]).await?)
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
            end: EndState::Partial,
            used: credits_used(&plan, &responses),
            problems: Vec::new(),
            events: Vec::new(),
            credits_per_day: None,
            alerted_on: None,
        };
        let item = RunningCheckItem {
            tenant: tenant.clone(),
            entity: *id,
            check,
        };
        self.finish_and_log(&item, &outcome, &responses).await
    }
}
