//! Dismissing an actionable.

use domain::board::{Actionable, ActionableStatus};
use domain::id::ActionableId;
use domain::workspace::Status;

use super::BoardChange;
use crate::transaction::{Outcome, Transaction};
use crate::{Once, Store, StoreError, Tenant};

/// The rule that dismissing an actionable breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DismissError {
    UnknownActionable,
    Canceled,
    InTask,
}

impl Store {
    /// Dismisses an active actionable, which then expires in 90 days; one that is dismissed already stays so.
    pub async fn dismiss_actionable(
        &self,
        tenant: &Tenant,
        id: &ActionableId,
        once: &Once<'_, Actionable>,
    ) -> Result<Result<Actionable, DismissError>, StoreError> {
        let attempt = || self.try_to_dismiss(tenant, id, once);
        self.retry_on_conflict("the board", attempt).await
    }

    async fn try_to_dismiss(
        &self,
        tenant: &Tenant,
        id: &ActionableId,
        once: &Once<'_, Actionable>,
    ) -> Result<Option<Result<Actionable, DismissError>>, StoreError> {
        let Some((workspace, state)) = self.open_board(tenant, &id.entity).await? else {
            return Ok(Some(Err(DismissError::UnknownActionable)));
        };
        let Some(mut actionable) = self.actionable(tenant, id).await? else {
            return Ok(Some(Err(DismissError::UnknownActionable)));
        };
        if workspace.status == Status::Canceled {
            return Ok(Some(Err(DismissError::Canceled)));
        }
        let mut transaction = match actionable.status {
            ActionableStatus::InTask => return Ok(Some(Err(DismissError::InTask))),
            ActionableStatus::Dismissed if once.is_wanted() => Transaction::default(),
            ActionableStatus::Dismissed => return Ok(Some(Ok(actionable))),
            ActionableStatus::Active => {
                actionable.dismiss(self.clock.now());
                let mut change = BoardChange::by_client(tenant, &id.entity, state)?;
                change.replace_actionable(&actionable)?;
                change.transaction
            }
        };
        once.record(self, &mut transaction, tenant, &actionable)?;
        Ok(match self.transact(transaction).await? {
            Outcome::Done => Some(Ok(actionable)),
            // The board moved: look again.
            Outcome::Refused(_) => None,
        })
    }
}
