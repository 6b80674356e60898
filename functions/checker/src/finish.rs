//! `CheckAnswered`: folds a check's responses into facts and finishes the check.
//!
//! The step expects a running check whose shards are all done, or, at the deadline, one whose open shards it
//! closes first. It leaves the check's segments in the index, the cited domains, an updated board, and a
//! finished check that has charged its credits and recorded its events for the webhooks that want them. It
//! can run twice, even concurrently: a repeated write changes nothing, and only one run finishes the check.

mod end_events;
mod finish_and_log;
pub(crate) mod summary;

use domain::check::{Check, CheckState, EndState};
use domain::id::EntityId;
use domain::webhook::Webhook;
use events::CheckRef;
use store::{CheckOutcome, FactsKind, Tenant};

use crate::finish::end_events::{EndEvents, EndedCheck};
use crate::fold::{FoldedCheck, has_answers};
use crate::recommend::WorkspaceNames;
use crate::{Checker, CheckerError, tenant};

impl Checker {
    /// Handles `CheckAnswered`.
    pub(crate) async fn finish(&self, check_ref: &CheckRef) -> Result<(), CheckerError> {
        let tenant = tenant::of_event(&check_ref.workspace_id);
        let check = self
            .store
            .check(&tenant, &check_ref.entity_id, check_ref.check)
            .await?;
        match check.filter(|c| c.state == CheckState::Running && c.shards_left == 0) {
            Some(check) => {
                self.fold_and_finish(&tenant, &check_ref.entity_id, &check, EndState::Complete)
                    .await
            }
            None => Ok(()),
        }
    }

    /// Finishes a check whose deadline has passed. Open questions are recorded as failed.
    pub(crate) async fn finish_at_deadline(
        &self,
        tenant: &Tenant,
        check_ref: &CheckRef,
        check: &Check,
    ) -> Result<(), CheckerError> {
        let Some(plan) = self
            .store
            .plan(tenant, &check_ref.entity_id, check_ref.check)
            .await?
        else {
            return Ok(());
        };
        self.store
            .close_shards(tenant, &check_ref.entity_id, check.key(), &plan, self.clock.now())
            .await?;
        // Without open shards, every question was answered in time and only `CheckAnswered` was lost.
        let end = if check.shards_left == 0 {
            EndState::Complete
        } else {
            EndState::Partial
        };
        self.fold_and_finish(tenant, &check_ref.entity_id, check, end)
            .await
    }

    /// Folds the check's responses into facts, updates the board and finishes the check.
    async fn fold_and_finish(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: &Check,
        end: EndState,
    ) -> Result<(), CheckerError> {
        let Some(plan) = self.store.plan(tenant, entity, check.check).await? else {
            return Ok(());
        };
        let folded = self.fold(tenant, entity, check, &plan, FactsKind::Final).await?;
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
        self.finish_and_log(tenant, entity, check, &outcome, &responses)
            .await?;
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
