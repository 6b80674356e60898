//! `RereadingDue`: reads the recorded answers of an entity again, by the current names and rules. No provider
//! is asked.
//!
//! The step expects a request to do so and leases it, so that one worker at a time reads the answers of an
//! entity. It goes through the days from the latest to the earliest. A day whose checks were read otherwise
//! is read again as a whole: the step rewrites the responses whose mentions changed, writes new segments, and
//! switches all index entries of the day at once. A day whose texts are not all there is left as it is.
//!
//! After a minute or 5,000 answers the step saves its progress and publishes its continuation. After the last
//! day it computes the entity's recommendations again and ends the request, unless there is a newer one. What
//! is left to do follows from the readings in the index, so a step can crash at any point and run again.

pub(crate) mod check;
mod day;
mod pass;
mod workspace;

use domain::id::EntityId;
use domain::limits::{REREADING_LEASE, REREADING_REPUBLICATION, REREADING_RETRY};
use domain::time::Timestamp;
use events::{CheckEvent, EntityRef};
use store::{RereadingLease, RereadingPass, Tenant};
use uuid::Uuid;

use crate::checker::tenant_of;
use crate::{Checker, CheckerError};
use pass::PassEnd;

impl Checker {
    /// Handles `RereadingDue`.
    pub(crate) async fn reread(&self, at: &EntityRef) -> Result<(), CheckerError> {
        let tenant = tenant_of(&at.workspace_id);
        if self.store.entity(&tenant, &at.entity_id).await?.is_none() {
            return Ok(self.store.drop_rereading(&tenant, &at.entity_id).await?);
        }
        let until = self.clock.now() + REREADING_LEASE;
        let lease = self
            .store
            .lease_rereading(&tenant, &at.entity_id, Uuid::new_v4(), until)
            .await?;
        // Without a lease, this event is a duplicate.
        let Some(lease) = lease else { return Ok(()) };
        match self.continue_pass(&lease).await {
            Ok(PassEnd::Complete) => self.conclude(&lease).await,
            Ok(PassEnd::Unfinished(pass)) => self.continue_later(&lease, Some(&pass)).await,
            Ok(PassEnd::LeaseLost) => Ok(()),
            Ok(PassEnd::WaitsForCheck(pass)) => {
                let due = self.clock.now() + REREADING_RETRY;
                self.store.release_rereading(&lease, Some(&pass), due).await?;
                Ok(())
            }
            Err(error) => {
                // A tick tries again. If the lease cannot be released either, it tries when the lease has
                // ended.
                let due = self.clock.now() + REREADING_RETRY;
                if let Err(error) = self.store.release_rereading(&lease, None, due).await {
                    tracing::warn!(%error, "a lease on a rereading could not be released");
                }
                Err(error)
            }
        }
    }

    /// Ends a rereading whose days are all read, unless there is a newer request.
    async fn conclude(&self, lease: &RereadingLease) -> Result<(), CheckerError> {
        if self.store.end_rereading(lease).await? {
            tracing::info!("a rereading is complete");
            return Ok(());
        }
        self.continue_later(lease, None).await
    }

    /// Saves the progress and publishes the continuation.
    async fn continue_later(
        &self,
        lease: &RereadingLease,
        pass: Option<&RereadingPass>,
    ) -> Result<(), CheckerError> {
        let due = self.clock.now() + REREADING_REPUBLICATION;
        if self.store.release_rereading(lease, pass, due).await? {
            self.publish_rereadings(&lease.tenant, std::slice::from_ref(&lease.entity))
                .await;
        }
        Ok(())
    }

    /// Publishes the rereading of an entity that a tick has found.
    pub(crate) async fn publish_due_rereading(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
    ) -> Result<(), CheckerError> {
        self.publish_rereadings(tenant, std::slice::from_ref(entity))
            .await;
        let due = self.clock.now() + REREADING_REPUBLICATION;
        Ok(self.store.postpone_rereading(tenant, entity, due).await?)
    }

    /// Publishes `RereadingDue` for entities. If that fails, a later tick publishes it.
    async fn publish_rereadings(&self, tenant: &Tenant, entities: &[EntityId]) {
        let event = |entity: &EntityId| {
            CheckEvent::RereadingDue(EntityRef {
                workspace_id: *tenant.workspace(),
                entity_id: *entity,
            })
        };
        let events: Vec<CheckEvent> = entities.iter().map(event).collect();
        if let Err(error) = self.bus.publish(&events).await {
            tracing::warn!(%error, "rereadings could not be published and wait for a later tick");
        }
    }

    /// Returns whether a lease still excludes other workers.
    fn has_lease(&self, until: Timestamp) -> bool {
        self.clock.now() < until
    }
}
