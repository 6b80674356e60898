//! `CheckAnswered`: folds a check's responses into facts and finishes the check.
//!
//! The step expects a running check whose shards are all done, or, at the deadline, one whose open shards it closes
//! first. It leaves the check's segments in the index, the cited domains, an updated board, and a finished check that
//! has charged its credits. It can run twice, even concurrently: a repeated write changes nothing, and only one run
//! finishes the check.

mod finish_and_log;
mod index;
pub(crate) mod summary;

use domain::answer::ResponseState;
use domain::check::{Check, CheckState};
use domain::facts::families::encode_check;
use domain::id::EntityId;
use events::CheckRef;
use store::{CheckOutcome, Tenant};

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
        let key = check.key();
        let responses = self.store.responses_of(tenant, entity, key).await?;
        let facts = self
            .store
            .put_facts(tenant, entity, key, &encode_check(&responses))
            .await?;
        let reading = self
            .index_check(
                tenant,
                entity,
                key,
                facts,
                index::common_reading(&plan, &responses),
            )
            .await?;
        self.store
            .record_cited_domains(tenant, summary::cited_domains(&responses), check.day())
            .await?;
        let has_answers = responses.iter().any(|r| r.state == ResponseState::Answered);
        let can_retire_recommendations = state == CheckState::Complete && has_answers;
        // The names are read after the index is written. A change that comes later finds the check in the index.
        let names = self.workspace_names(tenant).await?;
        if reading != Some(names.reading()) {
            self.store
                .request_rereading(tenant, Some(entity), Some(key.day), self.clock.now())
                .await?;
        }
        match self
            .recommend(tenant, entity, key, names, can_retire_recommendations)
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
