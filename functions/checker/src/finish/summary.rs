//! Summarizes a check's responses: credits and problems.

use std::collections::BTreeMap;

use domain::answer::ResponseState;
use domain::catalogue::Catalogue;
use domain::check::{Check, Plan, Response};
use domain::entity::Problem;
use domain::ordinal::ModelOrdinal;

/// Returns the cost of the answers in credits, at the plan's prices. Refused and failed questions are free.
pub(crate) fn credits_used(plan: &Plan, responses: &[Response]) -> i64 {
    let price: BTreeMap<ModelOrdinal, u32> = plan.models.iter().map(|m| (m.ordinal, m.credits)).collect();
    let answered = responses.iter().filter(|r| r.state == ResponseState::Answered);
    answered
        .map(|r| i64::from(price.get(&r.model).copied().unwrap_or_default()))
        .sum()
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
