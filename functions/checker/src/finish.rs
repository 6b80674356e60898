//! `CheckAnswered`: folds the responses into facts and completes the check. May run twice, even at once.

use std::collections::{BTreeMap, BTreeSet};

use domain::answer::State;
use domain::check::{Check, CheckState, Plan, Response};
use domain::citation::CanonicalUrl;
use domain::entity::Problem;
use domain::facts::fold::fold;
use domain::id::EntityId;
use events::CheckRef;
use runtime::metrics::{
    ANSWERS, ANSWERS_FAILED, ANSWERS_REFUSED, CHECKS_FINISHED, CHECKS_PARTIAL, CREDITS_CHARGED, count,
};
use store::{Finish, Tenant};

use crate::{Checker, CheckerError};

impl Checker {
    pub(crate) async fn finish(&self, at: &CheckRef) -> Result<(), CheckerError> {
        let tenant = Tenant::from_event(at.workspace_id.clone());
        let check = self.store.check(&tenant, &at.entity_id, at.check).await?;
        match check.filter(|c| c.state == CheckState::Running && c.shards_left == 0) {
            Some(check) => {
                self.complete(&tenant, &at.entity_id, &check, CheckState::Complete)
                    .await
            }
            None => Ok(()),
        }
    }

    /// Ends a check at its deadline: open questions are recorded as failed.
    pub(crate) async fn close(
        &self,
        tenant: &Tenant,
        at: &CheckRef,
        check: &Check,
    ) -> Result<(), CheckerError> {
        let Some(plan) = self.store.plan(tenant, &at.entity_id, at.check).await? else {
            return Ok(());
        };
        let slot = (check.day(), check.check);
        self.store
            .close_shards(tenant, &at.entity_id, slot, &plan, self.clock.now())
            .await?;
        // All answered in time, and only the end of it got lost.
        let state = if check.shards_left == 0 {
            CheckState::Complete
        } else {
            CheckState::Partial
        };
        self.complete(tenant, &at.entity_id, check, state).await
    }

    async fn complete(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: &Check,
        state: CheckState,
    ) -> Result<(), CheckerError> {
        let Some(plan) = self.store.plan(tenant, entity, check.check).await? else {
            return Ok(());
        };
        let slot = (check.day(), check.check);
        let responses = self.store.responses_of(tenant, entity, slot.0, slot.1).await?;
        let facts = self
            .store
            .put_facts(tenant, entity, slot, &fold(&responses))
            .await?;
        self.store.index_segments(tenant, entity, slot, &facts).await?;
        self.store
            .note_seen(tenant, cited_domains(&responses), slot.0)
            .await?;
        let answered = responses.iter().any(|r| r.state == State::Answered);
        let is_complete = state == CheckState::Complete && answered;
        match self.recommend(tenant, entity, check, is_complete).await {
            Err(error) if error.is_transient() => return Err(error),
            // What can never be read must not keep the check from its end.
            Err(error) => tracing::error!(%error, "nothing is recommended"),
            Ok(()) => {}
        }
        let finish = Finish {
            state,
            used: credits_used(&plan, &responses),
            problems: self.problems(&plan, check, &responses),
        };
        self.end_check(tenant, entity, check, &finish, &responses).await
    }

    /// Completes the check and tells what came of it, once.
    pub(crate) async fn end_check(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: &Check,
        finish: &Finish,
        responses: &[Response],
    ) -> Result<(), CheckerError> {
        let ended = self
            .store
            .complete_check(tenant, entity, check, finish, self.clock.now())
            .await?;
        if ended {
            let of = |state| count(responses.iter().filter(|r| r.state == state).count());
            // The check of a deleted entity leaves no question open that anybody waits for.
            let is_partial = finish.state == CheckState::Partial && !finish.problems.is_empty();
            tracing::info!(
                check.number = check.check,
                { CHECKS_FINISHED } = 1,
                { CHECKS_PARTIAL } = count(is_partial.into()),
                { ANSWERS } = of(State::Answered),
                { ANSWERS_REFUSED } = of(State::Refused),
                { ANSWERS_FAILED } = of(State::Failed),
                { CREDITS_CHARGED } = (finish.used > 0).then_some(finish.used),
                "a check is complete"
            );
        }
        Ok(())
    }

    /// One problem per model that left questions unanswered.
    fn problems(&self, plan: &Plan, check: &Check, responses: &[Response]) -> Vec<Problem> {
        let mut problems = Vec::new();
        for model in &plan.models {
            let mut failed = responses
                .iter()
                .filter(|r| r.model == model.ordinal && r.state == State::Failed);
            let Some(first) = failed.next() else { continue };
            let reason = first.reason.as_deref().unwrap_or("No answer");
            let of = responses.iter().filter(|r| r.model == model.ordinal).count();
            problems.push(Problem {
                provider: self.catalogue.get(model.uuid).map(|m| m.provider.clone()),
                model_id: Some(model.uuid),
                reason: format!(
                    "{} of {of} questions without an answer: {reason}",
                    failed.count() + 1
                ),
                since: check.claimed_at,
            });
        }
        problems
    }
}

/// The domains that the answers cite.
fn cited_domains(responses: &[Response]) -> BTreeSet<String> {
    let answered = responses.iter().filter(|r| r.state == State::Answered);
    answered
        .flat_map(|r| &r.citations)
        .filter_map(|cited| CanonicalUrl::parse(&cited.url))
        .map(|url| url.registrable().to_owned())
        .collect()
}

/// Answers cost what they did when the check was claimed; refused and failed ones are free.
pub(crate) fn credits_used(plan: &Plan, responses: &[Response]) -> i64 {
    let price: BTreeMap<u32, u32> = plan.models.iter().map(|m| (m.ordinal, m.credits)).collect();
    let answered = responses.iter().filter(|r| r.state == State::Answered);
    answered
        .map(|r| i64::from(price.get(&r.model).copied().unwrap_or_default()))
        .sum()
}
