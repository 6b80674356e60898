//! The tick: claims what is due and looks at running checks whose next look has come.

use domain::limits::OVERDUE_AFTER;
use domain::time::Timestamp;
use events::CheckRef;
use futures::StreamExt;
use runtime::metrics::OVERDUE_CHECKS;
use store::{Due, Trigger};
use tracing::Instrument;

use crate::{Checker, CheckerError, log};

/// Entities that are worked on at once.
const AT_ONCE: usize = 8;

impl Checker {
    /// One pass over what is due. What fails is logged and is due again at the next tick.
    /// `everything`: all running checks, whenever their next look is.
    pub(crate) async fn tick(&self, everything: bool) -> Result<(), CheckerError> {
        let now = self.clock.now();
        let until = if everything {
            Timestamp::from_millis(i64::MAX / 1_000)
        } else {
            now
        };
        let due = self.store.due(until).await?;
        // A running check is due at its deadline at the latest.
        let patience = now.plus(-self.clock.to_service_millis(OVERDUE_AFTER));
        let overdue = due.iter().filter(|due| due.since < patience).count();
        tracing::info!(
            due.count = due.len(),
            { OVERDUE_CHECKS } = overdue,
            "a tick sees what is due"
        );
        futures::stream::iter(due)
            .for_each_concurrent(AT_ONCE, |due| {
                let span = log::due(&due);
                let seen = async move {
                    if let Err(error) = self.see(&due).await {
                        tracing::error!(%error, "a due entity could not be worked on");
                    }
                };
                seen.instrument(span)
            })
            .await;
        Ok(())
    }

    async fn see(&self, due: &Due) -> Result<(), CheckerError> {
        let Some(entity) = self.store.entity_or_deleted(&due.tenant, &due.entity).await? else {
            return Ok(());
        };
        if entity.deleted_at.is_some() {
            return self.clean_up(&due.tenant, &due.entity).await;
        }
        if let Some(running) = &entity.running {
            log::know_check(running.check);
            let check = CheckRef {
                workspace_id: due.tenant.workspace().clone(),
                entity_id: due.entity.clone(),
                check: running.check,
            };
            return self.look(&due.tenant, &check, running).await;
        }
        self.claim(&due.tenant, &due.entity, Trigger::Schedule).await
    }
}
