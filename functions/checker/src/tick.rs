//! The tick: claims due checks, reconciles running ones, and starts and continues rereadings.
//!
//! A tick queries the table for what is due, and passes each item to the step that it requires. A failure is logged, and the
//! item stays due, so that the next tick retries it.

use domain::id::EntityId;
use domain::limits::OVERDUE_AFTER;
use domain::time::Timestamp;
use events::CheckRef;
use futures::StreamExt;
use runtime::metrics::OVERDUE_CHECKS;
use store::{DueItem, DueSubject, Tenant, Trigger};
use tracing::Instrument;

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
        let due = self.store.due_items(until).await?;
        let is_entity = |due: &DueItem| matches!(due.subject, DueSubject::Entity(_));
        let (entities, rereadings): (Vec<_>, Vec<_>) = due.into_iter().partition(is_entity);
        let overdue_since = now - self.clock.to_service_time(OVERDUE_AFTER);
        let overdue = entities.iter().filter(|due| due.since < overdue_since).count();
        tracing::info!(
            due.count = entities.len(),
            { OVERDUE_CHECKS } = overdue,
            "found due checks"
        );
        self.process_all(rereadings).await;
        self.process_all(entities).await;
        Ok(())
    }

    async fn process_all(&self, due: Vec<DueItem>) {
        futures::stream::iter(due)
            .for_each_concurrent(CONCURRENT_ITEMS, |due| {
                let span = spans::due(&due);
                let processed = async move {
                    if let Err(error) = self.process_due(&due).await {
                        tracing::error!(%error, "a due item could not be processed");
                    }
                };
                processed.instrument(span)
            })
            .await;
    }

    async fn process_due(&self, due: &DueItem) -> Result<(), CheckerError> {
        match &due.subject {
            DueSubject::Entity(entity) => self.process_entity(&due.tenant, entity).await,
            DueSubject::WorkspaceRereading => self.reread_workspace(&due.tenant).await,
            DueSubject::EntityRereading(entity) => self.publish_due_rereading(&due.tenant, entity).await,
        }
    }

    /// Claims an entity's check, reconciles its running one, or cleans up the entity if it is deleted.
    async fn process_entity(&self, tenant: &Tenant, id: &EntityId) -> Result<(), CheckerError> {
        let Some(entity) = self.store.entity_or_deleted(tenant, id).await? else {
            return Ok(());
        };
        if entity.deleted_at.is_some() {
            return self.clean_up(tenant, id).await;
        }
        if let Some(running) = &entity.running {
            spans::record_check_number(running.check);
            let check = CheckRef {
                workspace_id: tenant.workspace().clone(),
                entity_id: id.clone(),
                check: running.check,
            };
            return self.reconcile(tenant, &check, running).await;
        }
        self.claim(tenant, id, Trigger::Schedule).await
    }
}
