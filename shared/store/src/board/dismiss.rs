//! Dismisses an actionable.

use domain::board::{Actionable, ActionableStatus};
use domain::id::ActionableId;
use thiserror::Error;

use super::BoardChange;
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
        let found = self.actionable_and_active_others(tenant, id);
        let (entity, state, (mut actionable, others)) = self
            .open_board::<_, DismissError>(tenant, &id.entity, Resource::Actionable, found)
            .await?;
        let transaction = match actionable.status {
            ActionableStatus::InTask => return Err(WriteError::Refused(DismissError::InTask)),
            ActionableStatus::Dismissed if recorder.has_key() => Transaction::default(),
            ActionableStatus::Dismissed => return Ok(Attempt::Done(actionable)),
            ActionableStatus::Active => {
                actionable.dismiss(self.clock.now());
                let mut change = BoardChange::by_client(tenant, entity, state, Some(others))?;
                change.transaction.overwrite(change.actionable_item(&actionable)?);
                change.transaction
            }
        };
        self.commit(transaction, tenant, recorder, actionable).await
    }
}
