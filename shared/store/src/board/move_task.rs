//! Moves a task to another column.

use domain::board::{Task, TaskStatus};
use domain::id::{ActionableId, TaskId};
use thiserror::Error;

use super::BoardChange;
use crate::retry::Attempt;
use crate::transaction::Transaction;
use crate::{Refusal, ReplyRecorder, Resource, Store, Tenant, WriteError};

/// Why a task is not moved.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveTaskError {
    #[error(transparent)]
    Common(#[from] Refusal),
    /// No column follows `done`.
    #[error("the task is done")]
    Done,
}

impl Store {
    /// Moves a task to the end of the column `to`, or of the next column if `to` is `None`. A task that is in
    /// that column already does not move. A done task and its actionable expire in 90 days unless the task
    /// leaves `done`.
    pub async fn move_task(
        &self,
        tenant: &Tenant,
        id: &TaskId,
        to: Option<TaskStatus>,
        recorder: &ReplyRecorder<'_, Task>,
    ) -> Result<Task, WriteError<MoveTaskError>> {
        let attempt = || self.try_to_move(tenant, id, to, recorder);
        self.retry_on_conflict("the board", attempt).await
    }

    async fn try_to_move(
        &self,
        tenant: &Tenant,
        id: &TaskId,
        to: Option<TaskStatus>,
        recorder: &ReplyRecorder<'_, Task>,
    ) -> Result<Attempt<Task>, WriteError<MoveTaskError>> {
        let found = self.task(tenant, id);
        let (entity, mut state, mut task) = self
            .open_board::<_, MoveTaskError>(tenant, &id.entity, Resource::Task, found)
            .await?;
        let Some(column) = to.or(task.status.next()) else {
            return Err(WriteError::Refused(MoveTaskError::Done));
        };
        let transaction = if column == task.status {
            if !recorder.has_key() {
                return Ok(Attempt::Done(task));
            }
            Transaction::default()
        } else {
            let was_done = task.done_at;
            state.sort_seq += 1;
            task.move_to_column(column, state.sort_seq, self.clock.now());
            let mut change = BoardChange::by_client(tenant, entity, state, None)?;
            change.transaction.overwrite(change.task_item(&task)?);
            if task.done_at != was_done {
                let actionable = ActionableId {
                    entity: id.entity,
                    ordinal: task.actionable,
                };
                if let Some(mut actionable) = self.actionable(tenant, &actionable).await? {
                    actionable.closed_at = task.done_at;
                    change.transaction.overwrite(change.actionable_item(&actionable)?);
                }
            }
            change.transaction
        };
        self.commit(transaction, tenant, recorder, task).await
    }
}
