//! Finishes a check in the table and logs its metrics.

use domain::answer::ResponseState;
use domain::check::{Check, EndState, Response};
use domain::id::EntityId;
use runtime::metrics::{
    ANSWERS, ANSWERS_FAILED, ANSWERS_REFUSED, CHECKS_FINISHED, CHECKS_PARTIAL, CREDITS_CHARGED, count,
};
use store::{CheckOutcome, Tenant};

use crate::{Checker, CheckerError};

impl Checker {
    /// Finishes the check. Of several concurrent runs, only the one that finishes it logs the metrics.
    pub(crate) async fn finish_and_log(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: &Check,
        outcome: &CheckOutcome,
        responses: &[Response],
    ) -> Result<(), CheckerError> {
        let is_first = self
            .store
            .finish_check(tenant, entity, check, outcome, self.clock.now())
            .await?;
        if is_first {
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
        }
        Ok(())
    }
}
