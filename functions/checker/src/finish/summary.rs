//! Summarizes a check's responses: credits, problems and metrics.

use std::collections::BTreeMap;

use domain::answer::ResponseState;
use domain::catalogue::Catalogue;
use domain::check::{Check, EndState, Plan, Response};
use domain::entity::Problem;
use domain::ordinal::ModelOrdinal;
use runtime::metrics::{
    ANSWERS, ANSWERS_FAILED, ANSWERS_REFUSED, CHECKS_FINISHED, CHECKS_PARTIAL, CREDITS_CHARGED, count,
};
use store::{CheckOutcome, RunningCheckItem};

use crate::{Checker, CheckerError};

impl Checker {
    /// Finishes the check. Of several concurrent runs, only the one that finishes it logs the metrics.
    pub(crate) async fn finish_and_log(
        &self,
        item: &RunningCheckItem,
        outcome: &CheckOutcome,
        responses: &[Response],
    ) -> Result<(), CheckerError> {
        let (tenant, entity, check, now) = (&item.tenant, &item.entity, &item.check, self.clock.now());
        if !self
            .store
            .finish_check(tenant, entity, check, outcome, now)
            .await?
        {
            return Ok(());
        }
        let count_in = |state| count(responses.iter().filter(|r| r.state == state).count());
        // The check of a deleted entity has no problems and does not count as partial.
        let is_partial = outcome.end == EndState::Partial && !outcome.problems.is_empty();
        tracing::info!(
            check.number = check.check.get(),
            { CHECKS_FINISHED } = 1,
            { CHECKS_PARTIAL } = count(is_partial.into()),
            { ANSWERS } = count_in(ResponseState::Answered),
            { ANSWERS_REFUSED } = count_in(ResponseState::Refused),
            { ANSWERS_FAILED } = count_in(ResponseState::Failed),
            { CREDITS_CHARGED } = (outcome.used > 0).then_some(outcome.used),
            "a check is finished"
        );
        Ok(())
    }
}

/// Returns the cost of the answers in credits, at the plan's prices. Refused and failed questions are free.
pub(crate) fn credits_used(plan: &Plan, responses: &[Response]) -> i64 {
    let price: BTreeMap<ModelOrdinal, u32> = plan.models.iter().map(|m| (m.ordinal, m.credits)).collect();
    let answered = responses.iter().filter(|r| r.state == ResponseState::Answered);
    let charged = answered.filter_map(|response| price.get(&response.model));
    charged.map(|credits| i64::from(*credits)).sum()
}

/// Returns one problem for each model with failed questions.
pub(crate) fn problems(
    plan: &Plan,
    check: &Check,
    responses: &[Response],
    catalogue: &Catalogue,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    for model in &plan.models {
        let asked = responses.iter().filter(|r| r.model == model.ordinal);
        let mut failed = asked.clone().filter(|r| r.state == ResponseState::Failed);
        let Some(first) = failed.next() else { continue };
        let reason = first.reason.as_deref().unwrap_or("No answer");
        problems.push(Problem {
            provider: catalogue.get(model.uuid).map(|m| m.provider.clone()),
            model_id: Some(model.uuid),
            reason: format!(
                "{} of {} questions without an answer: {reason}",
                failed.count() + 1,
                asked.count()
            ),
            since: check.claimed_at,
        });
    }
    problems
}
