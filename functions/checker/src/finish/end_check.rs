//! Completes a check in the table and logs its metrics.

use domain::answer::ResponseState;
use domain::check::{Check, CheckState, Response};
use domain::id::EntityId;
use runtime::metrics::{
    ANSWERS, ANSWERS_FAILED, ANSWERS_REFUSED, CHECKS_FINISHED, CHECKS_PARTIAL, CREDITS_CHARGED, count,
};
use store::{CheckOutcome, Tenant};

use crate::{Checker, CheckerError};

impl Checker {
    /// Completes the check. Of several concurrent runs, only the one that completes it logs the metrics.
    pub(crate) async fn end_check(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: &Check,
        finish: &CheckOutcome,
        responses: &[Response],
    ) -> Result<(), CheckerError> {
        let ended = self
            .store
            .complete_check(tenant, entity, check, finish, self.clock.now())
            .await?;
        if ended {
            let of = |state| count(responses.iter().filter(|r| r.state == state).count());
            // The check of a deleted entity has no problems and does not count as partial.
            let is_partial = finish.state == CheckState::Partial && !finish.problems.is_empty();
            tracing::info!(
                check.number = check.check.get(),
                { CHECKS_FINISHED } = 1,
                { CHECKS_PARTIAL } = count(is_partial.into()),
                { ANSWERS } = of(ResponseState::Answered),
                { ANSWERS_REFUSED } = of(ResponseState::Refused),
                { ANSWERS_FAILED } = of(ResponseState::Failed),
                { CREDITS_CHARGED } = (finish.used > 0).then_some(finish.used),
                "a check is complete"
            );
        }
        Ok(())
    }
}
