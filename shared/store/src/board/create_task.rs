//! Making an actionable a task.

use domain::board::{ActionableStatus, Task};
use domain::id::{ActionableId, EntityId};
use domain::limits::MAX_TASKS;
use domain::workspace::Status;
use uuid::Uuid;

use super::{BoardChange, BoardState};
use crate::items::{Reading, STRONG, Sort};
use crate::transaction::Outcome;
use crate::{Once, Store, StoreError, Tenant, keys};

/// The rule that making a task breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CreateTaskError {
    UnknownActionable,
    Canceled,
    /// It is dismissed, or a task already.
    NotActive(ActionableStatus),
    TaskLimit,
}

impl Store {
    /// Makes an active actionable a task, not started, at the end of its column. `assignees`: user ids, each once.
    pub async fn create_task(
        &self,
        tenant: &Tenant,
        id: &ActionableId,
        assignees: &[Uuid],
        once: &Once<'_, Task>,
    ) -> Result<Result<Task, CreateTaskError>, StoreError> {
        let attempt = || self.try_to_create_task(tenant, id, assignees, once);
        self.retry_on_conflict("the board", attempt).await
    }

    async fn try_to_create_task(
        &self,
        tenant: &Tenant,
        id: &ActionableId,
        assignees: &[Uuid],
        once: &Once<'_, Task>,
    ) -> Result<Option<Result<Task, CreateTaskError>>, StoreError> {
        let Some((workspace, mut state)) = self.open_board(tenant, &id.entity).await? else {
            return Ok(Some(Err(CreateTaskError::UnknownActionable)));
        };
        let Some(mut actionable) = self.actionable(tenant, id).await? else {
            return Ok(Some(Err(CreateTaskError::UnknownActionable)));
        };
        if workspace.status == Status::Canceled {
            return Ok(Some(Err(CreateTaskError::Canceled)));
        }
        if !actionable.is_active() {
            return Ok(Some(Err(CreateTaskError::NotActive(actionable.status))));
        }
        if !self.has_room_for_task(tenant, &id.entity, &state).await? {
            return Ok(Some(Err(CreateTaskError::TaskLimit)));
        }
        let now = self.clock.now();
        state.task_seq += 1;
        state.sort_seq += 1;
        let task = Task::new(&actionable, state.task_seq, state.sort_seq, assignees, now);
        actionable.make_task(now);

        let mut change = BoardChange::by_client(tenant, &id.entity, state)?;
        change.replace_actionable(&actionable)?;
        change.create_task(&task)?;
        let mut transaction = change.transaction;
        once.record(self, &mut transaction, tenant, &task)?;
        Ok(match self.transact(transaction).await? {
            Outcome::Done => Some(Ok(task)),
            // The board moved: look again.
            Outcome::Refused(_) => None,
        })
    }

    /// Whether the board has less than 500 live tasks. They are counted only where that many were ever made.
    async fn has_room_for_task(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        state: &BoardState,
    ) -> Result<bool, StoreError> {
        if usize::try_from(state.task_seq).is_ok_and(|made| made < MAX_TASKS) {
            return Ok(true);
        }
        let partition = keys::entity_partition(tenant, entity);
        let ordinals = Reading {
            projection: Some("#ordinal"),
            ..STRONG
        };
        let tasks = self
            .query(&partition, Sort::Prefix(keys::TASK.to_owned()), ordinals)
            .await?;
        Ok(tasks.len() < MAX_TASKS)
    }
}
