//! Moving a task to another column.

use domain::board::{Task, TaskStatus};
use domain::id::{ActionableId, TaskId};
use domain::workspace::Status;

use super::BoardChange;
use crate::transaction::{Outcome, Transaction};
use crate::{Once, Store, StoreError, Tenant};

/// The rule that moving a task breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveTaskError {
    UnknownTask,
    Canceled,
    /// There is no step after `done`.
    Done,
}

impl Store {
    /// Moves a task to the end of column `to`, or one step forward without one. In the column that it is in
    /// already it stays where it is. A done task and its actionable expire in 90 days, unless it leaves `done`.
    pub async fn move_task(
        &self,
        tenant: &Tenant,
        id: &TaskId,
        to: Option<TaskStatus>,
        once: &Once<'_, Task>,
    ) -> Result<Result<Task, MoveTaskError>, StoreError> {
        let attempt = || self.try_to_move(tenant, id, to, once);
        self.retry_on_conflict("the board", attempt).await
    }

    async fn try_to_move(
        &self,
        tenant: &Tenant,
        id: &TaskId,
        to: Option<TaskStatus>,
        once: &Once<'_, Task>,
    ) -> Result<Option<Result<Task, MoveTaskError>>, StoreError> {
        let Some((workspace, mut state)) = self.open_board(tenant, &id.entity).await? else {
            return Ok(Some(Err(MoveTaskError::UnknownTask)));
        };
        let Some(mut task) = self.task(tenant, id).await? else {
            return Ok(Some(Err(MoveTaskError::UnknownTask)));
        };
        if workspace.status == Status::Canceled {
            return Ok(Some(Err(MoveTaskError::Canceled)));
        }
        let Some(column) = to.or(task.status.next()) else {
            return Ok(Some(Err(MoveTaskError::Done)));
        };
        let mut transaction = if column == task.status {
            if !once.is_wanted() {
                return Ok(Some(Ok(task)));
            }
            Transaction::default()
        } else {
            let was_done = task.done_at;
            state.sort_seq += 1;
            task.enter(column, state.sort_seq, self.clock.now());
            let mut change = BoardChange::by_client(tenant, &id.entity, state)?;
            change.replace_task(&task)?;
            if task.done_at != was_done {
                let actionable = ActionableId {
                    entity: id.entity.clone(),
                    ordinal: task.actionable,
                };
                if let Some(mut actionable) = self.actionable(tenant, &actionable).await? {
                    actionable.closed_at = task.done_at;
                    change.replace_actionable(&actionable)?;
                }
            }
            change.transaction
        };
        once.record(self, &mut transaction, tenant, &task)?;
        Ok(match self.transact(transaction).await? {
            Outcome::Done => Some(Ok(task)),
            // The board moved: look again.
            Outcome::Refused(_) => None,
        })
    }
}
