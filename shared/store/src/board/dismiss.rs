//! Dismisses an actionable.

use domain::board::{Actionable, ActionableStatus};
use domain::id::ActionableId;
use thiserror::Error;

use super::{BoardChange, OpenBoard};
use crate::refusal::require_subscription;
use crate::retry::Attempt;
use crate::transaction::Transaction;
use crate::{Refusal, ReplyRecorder, Resource, Store, Tenant, WriteError};

/// Why an actionable is not dismissed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DismissError {
    #[error(transparent)]
    Common(#[from] Refusal),
    #[error("the actionable is a task")]
    InTask,
}

impl Store {
    /// Dismisses an active actionable, which then expires in 90 days. One that is dismissed already does not
    /// change.
    pub async fn dismiss_actionable(
        &self,
        tenant: &Tenant,
        id: &ActionableId,
        recorder: &ReplyRecorder<'_, Actionable>,
    ) -> Result<Actionable, WriteError<DismissError>> {
        let attempt = || self.try_to_dismiss(tenant, id, recorder);
        self.retry_on_conflict("the board", attempt).await
    }

    async fn try_to_dismiss(
        &self,
        tenant: &Tenant,
        id: &ActionableId,
        recorder: &ReplyRecorder<'_, Actionable>,
    ) -> Result<Attempt<Actionable>, WriteError<DismissError>> {
        let not_found = Refusal::NotFound(Resource::Actionable);
        let Some(OpenBoard {
            workspace,
            entity,
            state,
        }) = self.open_board(tenant, &id.entity).await?
        else {
            return Err(not_found.into());
        };
        let Some((mut actionable, others)) = self.actionable_and_active_others(tenant, id).await? else {
            return Err(not_found.into());
        };
        require_subscription(Some(workspace), self.clock.now())?;
        let mut transaction = match actionable.status {
            ActionableStatus::InTask => return Err(WriteError::Refused(DismissError::InTask)),
            ActionableStatus::Dismissed if recorder.has_key() => Transaction::default(),
            ActionableStatus::Dismissed => return Ok(Attempt::Done(actionable)),
            ActionableStatus::Active => {
                actionable.dismiss(self.clock.now());
                let mut change = BoardChange::by_client(tenant, entity, state, Some(others))?;
                change.replace_actionable(&actionable)?;
                change.transaction
            }
        };
        recorder.add_to(self, &mut transaction, tenant, &actionable)?;
        Ok(self
            .transact_with_reply(transaction)
            .await?
            .done_or_retry(actionable))
    }
}
