//! The tick: reconciles running checks, erases deleted entities and workspaces, starts and continues
//! rereadings, has notifications sent, and admits work.
//!
//! A tick queries the table for what is due, and passes each item to the step that it requires. A failure is
//! logged, and the item stays due, so that the next tick retries it. Due checks are claimed by the admission
//! at the end of the tick, if they can be worked on soon.

use domain::id::EntityId;
use domain::limits::OVERDUE_AFTER;
use domain::time::Timestamp;
use futures::StreamExt;
use runtime::metrics::{FAILED_STEPS, OVERDUE_CHECKS};
use store::{AdmissionRequest, DueItem, DueSubject, Tenant};
use tracing::Instrument;

use crate::reconcile::ShardMessages;
use crate::{Checker, CheckerError, spans};

/// The number of due items that are processed concurrently.
const CONCURRENT_ITEMS: usize = 8;

impl Checker {
    /// Processes every due entity once. With `reconcile_all`, all running checks count as due.
    pub(crate) async fn tick(&self, reconcile_all: bool) -> Result<(), CheckerError> {
        let now = self.clock.now();
        let until = if reconcile_all {
            Timestamp::from_millis(i64::MAX / 1_000)
        } else {
            now
        };
        // One after the other: each opens a connection per partition of the index, which the next one uses
        // again.
        let work = self.store.due_work(until).await?;
        let slots = self.store.due_slots(now).await?;
        let notifications = self.store.due_notifications(now).await?;
        let is_entity = |due: &&DueItem| matches!(due.subject, DueSubject::Entity(_));
        let entities = || work.iter().filter(is_entity).chain(&slots);
        let overdue_since = now - OVERDUE_AFTER;
        let overdue = entities().filter(|due| due.since < overdue_since).count();
        tracing::info!(
            due.count = entities().count(),
            { OVERDUE_CHECKS } = overdue,
            "found due checks"
        );
        let (entities, rereadings): (Vec<_>, Vec<_>) = work.into_iter().partition(|due| is_entity(&due));
        let queue = if reconcile_all {
            ShardMessages::Lost
        } else {
            ShardMessages::Kept
        };
        self.publish_notifications(&notifications).await;
        self.process_all(rereadings, queue).await;
        self.process_all(entities, queue).await;
        if let Err(error) = self.admit(None, AdmissionRequest::Tick).await {
            tracing::error!(%error, { FAILED_STEPS } = 1, "no work could be admitted at a tick");
        }
        Ok(())
    }

    async fn process_all(&self, due: Vec<DueItem>, queue: ShardMessages) {
        futures::stream::iter(due)
            .for_each_concurrent(CONCURRENT_ITEMS, async |due| {
                self.process_due_work(&due, queue).await;
            })
            .await;
    }

    /// Processes something that is due, unless it is a check to claim. A failure is logged.
    async fn process_due_work(&self, due: &DueItem, queue: ShardMessages) {
        let processed = async {
            if let Err(error) = self.try_process_due_work(due, queue).await {
                tracing::error!(%error, { FAILED_STEPS } = 1, "a due item could not be processed");
            }
        };
        processed.instrument(spans::due(due)).await;
    }

    async fn try_process_due_work(&self, due: &DueItem, queue: ShardMessages) -> Result<(), CheckerError> {
        match &due.subject {
            DueSubject::Entity(entity) => self.process_entity(&due.tenant, entity, queue).await,
            DueSubject::WorkspaceRereading => self.reread_workspace(&due.tenant).await,
            DueSubject::DeletedWorkspace => self.erase_workspace(&due.tenant).await,
            DueSubject::EntityRereading(entity) => self.publish_due_rereading(&due.tenant, entity).await,
        }
    }

    /// Reconciles an entity's running check, or has the entity cleaned up if it is deleted.
    async fn process_entity(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        queue: ShardMessages,
    ) -> Result<(), CheckerError> {
        let Some(entity) = self.store.entity_or_deleted(tenant, id).await? else {
            return Ok(());
        };
        if entity.deleted_at.is_some() {
            return match entity.erase_again_at {
                // The last pass finds little.
                Some(_) => self.clean_up(tenant, id).await,
                None => self.publish_clean_up(tenant, id).await,
            };
        }
        let Some(running) = &entity.running else {
            return Ok(());
        };
        spans::record_check_number(running.check);
        self.reconcile(tenant, id, running, queue).await
    }
}
