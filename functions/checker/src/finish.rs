//! `CheckAnswered`: folds a check's responses into facts and finishes the check.
//!
//! The step expects a running check whose shards are all done, or, at the deadline, one whose open shards it
//! closes first. It leaves the check's segments in the index, the cited domains, an updated board, and a
//! finished check that has charged its credits and recorded its events for the webhooks that want them. It
//! can run twice, even concurrently: a repeated write changes nothing, and only one run finishes the check.

mod end_events;
pub(crate) mod summary;

use domain::check::EndState;
use domain::webhook::Webhook;
use events::CheckRef;
use store::{CheckOutcome, FactsKind, RunningCheckItem};

use crate::finish::end_events::{EndEvents, EndedCheck};
use crate::fold::{FoldedCheck, has_answers};
use crate::recommend::WorkspaceNames;
use crate::{Checker, CheckerError};

impl Checker {
    /// Handles `CheckAnswered`.
    pub(crate) async fn finish(&self, check_ref: &CheckRef) -> Result<(), CheckerError> {
        match self.running_check(check_ref).await? {
            Some(item) if item.check.shards.left() == 0 => {
                self.fold_and_finish(&item, EndState::Complete).await
            }
            _ => Ok(()),
        }
    }

    /// Finishes a check whose deadline has passed. Open questions are recorded as failed.
    pub(crate) async fn finish_at_deadline(&self, item: &RunningCheckItem) -> Result<(), CheckerError> {
        let (tenant, entity, check) = (&item.tenant, &item.entity, &item.check);
        let Some(plan) = self.store.plan(tenant, entity, check.check).await? else {
            return Ok(());
        };
        let has_closed = self
            .store
            .close_shards(tenant, entity, check.key(), &plan, self.clock.now())
            .await?;
        // If all shards are done, every question was answered in time. The last one can have ended since the
        // check was read.
        let end = if has_closed {
            EndState::Partial
        } else {
            EndState::Complete
        };
        self.fold_and_finish(item, end).await
    }

    /// Folds the check's responses into facts, updates the board and finishes the check.
    async fn fold_and_finish(&self, item: &RunningCheckItem, end: EndState) -> Result<(), CheckerError> {
        let (tenant, entity, check) = (&item.tenant, &item.entity, &item.check);
        let Some(plan) = self.store.plan(tenant, entity, check.check).await? else {
            return Ok(());
        };
        let folded = self.fold(item, &plan, FactsKind::Final).await?;
        let FoldedCheck { responses, names } = folded.ok_or(CheckerError::Busy)?;
        let webhooks = self.store.webhooks(tenant).await?;
        let problems = summary::problems(&plan, check, &responses, &self.catalogue);
        let credits_per_day = self.credits_per_day(&names, &webhooks);
        let EndEvents { events, alerted_on } = match names.entities.iter().find(|known| known.id == *entity) {
            Some(entity) => {
                let ended = EndedCheck {
                    tenant,
                    entity,
                    check,
                    end,
                    problems: &problems,
                    now: self.clock.now(),
                };
                self.events_or_none(&ended, &names, &webhooks).await?
            }
            // Nobody is told about a deleted entity.
            None => EndEvents::default(),
        };
        let can_retire_recommendations = end == EndState::Complete && has_answers(&responses);
        match self
            .recommend(
                tenant,
                entity,
                check.key(),
                names,
                can_retire_recommendations,
                &webhooks,
            )
            .await
        {
            Err(error) if error.is_transient() => return Err(error),
            // Facts that can never be decoded must not keep the check from finishing.
            Err(error) => tracing::error!(%error, "recommendations could not be computed"),
            Ok(()) => {}
        }
        let outcome = CheckOutcome {
            end,
            used: summary::credits_used(&plan, &responses),
            problems,
            events,
            credits_per_day,
            alerted_on,
        };
        self.finish_and_log(item, &outcome, &responses).await?;
        if !webhooks.is_empty() {
            self.publish_notifications(std::slice::from_ref(tenant)).await;
        }
        Ok(())
    }

    /// Returns the events of a check, or none if its facts can never be decoded, which must not keep it from
    /// finishing.
    async fn events_or_none(
        &self,
        ended: &EndedCheck<'_>,
        names: &WorkspaceNames,
        webhooks: &[Webhook],
    ) -> Result<EndEvents, CheckerError> {
        match self.end_events(ended, names, webhooks).await {
            Err(error) if !error.is_transient() => {
                tracing::error!(%error, "the events of a check could not be computed");
                Ok(EndEvents::default())
            }
            result => result,
        }
    }
}
