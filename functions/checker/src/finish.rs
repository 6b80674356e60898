//! `CheckAnswered`: folds a check's responses into facts and finishes the check.
//!
//! The step expects a running check whose shards are all done, or, at the deadline, one whose open shards it closes
//! first. It leaves the check's segments in the index, the cited domains, an updated board, and a finished check that
//! has charged its credits. It can run twice, even concurrently: a repeated write changes nothing, and only one run
//! finishes the check.

mod finish_and_log;
pub(crate) mod summary;

use domain::check::{Check, CheckState};
use domain::id::EntityId;
use events::CheckRef;
use store::{CheckOutcome, FactsKind, Tenant};

use crate::fold::{FoldedCheck, has_answers};
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
                self.fold_and_finish(&tenant, &check_ref.entity_id, &check, CheckState::Complete)
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
        let state = if check.shards_left == 0 {
            CheckState::Complete
        } else {
            CheckState::Partial
        };
        self.fold_and_finish(tenant, &check_ref.entity_id, check, state)
            .await
    }

    /// Folds the check's responses into facts, updates the board and finishes the check.
    async fn fold_and_finish(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: &Check,
        state: CheckState,
    ) -> Result<(), CheckerError> {
        let Some(plan) = self.store.plan(tenant, entity, check.check).await? else {
            return Ok(());
        };
        let folded = self.fold(tenant, entity, check, &plan, FactsKind::Final).await?;
        let FoldedCheck { responses, names } = folded.ok_or(CheckerError::Busy)?;
        let can_retire_recommendations = state == CheckState::Complete && has_answers(&responses);
        match self
            .recommend(tenant, entity, check.key(), names, can_retire_recommendations)
            .await
        {
            Err(error) if error.is_transient() => return Err(error),
            // Facts that can never be decoded must not keep the check from finishing.
            Err(error) => tracing::error!(%error, "recommendations could not be computed"),
            Ok(()) => {}
        }
        let outcome = CheckOutcome {
            state,
            used: summary::credits_used(&plan, &responses),
            problems: summary::problems(&plan, check, &responses, &self.catalogue),
        };
        self.finish_and_log(tenant, entity, check, &outcome, &responses)
            .await
    }
}
