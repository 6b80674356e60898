//! The tick: claims due checks and reconciles running ones.
//!
//! A tick queries the table for the entities that are due, and passes each one to the step that its item requires. A
//! failure is logged, and the entity stays due, so that the next tick retries it.

use domain::limits::OVERDUE_AFTER;
use domain::time::Timestamp;
use events::CheckRef;
use futures::StreamExt;
use runtime::metrics::OVERDUE_CHECKS;
use store::{DueEntity, Trigger};
use tracing::Instrument;

use crate::{Checker, CheckerError, spans};

/// The number of due entities that are processed concurrently.
const CONCURRENT_ENTITIES: usize = 8;

impl Checker {
    /// Processes every due entity once. With `reconcile_all`, all running checks count as due.
    pub(crate) async fn tick(&self, reconcile_all: bool) -> Result<(), CheckerError> {
        let now = self.clock.now();
        let until = if reconcile_all {
            Timestamp::from_millis(i64::MAX / 1_000)
        } else {
            now
        };
        let due = self.store.due_entities(until).await?;
        let overdue_since = now - self.clock.to_service_time(OVERDUE_AFTER);
        let overdue = due.iter().filter(|due| due.since < overdue_since).count();
        tracing::info!(
            due.count = due.len(),
            { OVERDUE_CHECKS } = overdue,
            "found due checks"
        );
        futures::stream::iter(due)
            .for_each_concurrent(CONCURRENT_ENTITIES, |due| {
                let span = spans::due_entity(&due);
                let processed = async move {
                    if let Err(error) = self.process_due(&due).await {
                        tracing::error!(%error, "a due entity could not be processed");
                    }
                };
                processed.instrument(span)
            })
            .await;
        Ok(())
    }

    /// Claims an entity's check, reconciles its running one, or cleans up the entity if it is deleted.
    async fn process_due(&self, due: &DueEntity) -> Result<(), CheckerError> {
        let Some(entity) = self.store.entity_or_deleted(&due.tenant, &due.entity).await? else {
            return Ok(());
        };
        if entity.deleted_at.is_some() {
            return self.clean_up(&due.tenant, &due.entity).await;
        }
        if let Some(running) = &entity.running {
            spans::record_check_number(running.check);
            let check = CheckRef {
                workspace_id: due.tenant.workspace().clone(),
                entity_id: due.entity.clone(),
                check: running.check,
            };
            return self.reconcile(&due.tenant, &check, running).await;
        }
        self.claim(&due.tenant, &due.entity, Trigger::Schedule).await
    }
}
