//! Creates a task from an actionable.

use domain::board::{ActionableStatus, Task};
use domain::id::{ActionableId, EntityId};
use domain::limits::MAX_TASKS;
use thiserror::Error;
use uuid::Uuid;

use super::{BoardChange, BoardState};
use crate::items::{Consistency, ReadOptions, SortKeys};
use crate::retry::Attempt;
use crate::{Refusal, ReplyRecorder, Resource, Store, StoreError, Tenant, WriteError, keys};

/// Why no task is created from an actionable.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CreateTaskError {
    #[error(transparent)]
    Common(#[from] Refusal),
    /// The actionable is dismissed or already a task.
    #[error("the actionable is not active")]
    NotActive(ActionableStatus),
    /// The entity's board has as many tasks as it can hold.
    #[error("the limit of tasks is reached")]
    TaskLimit,
}

impl Store {
    /// Creates a task from an active actionable, at the end of the first column. `assignees` are distinct
    /// user ids.
    pub async fn create_task(
        &self,
        tenant: &Tenant,
        id: &ActionableId,
        assignees: &[Uuid],
        recorder: &ReplyRecorder<'_, Task>,
    ) -> Result<Task, WriteError<CreateTaskError>> {
        let attempt = || self.try_to_create_task(tenant, id, assignees, recorder);
        self.retry_on_conflict("the board", attempt).await
    }

    async fn try_to_create_task(
        &self,
        tenant: &Tenant,
        id: &ActionableId,
        assignees: &[Uuid],
        recorder: &ReplyRecorder<'_, Task>,
    ) -> Result<Attempt<Task>, WriteError<CreateTaskError>> {
        let found = self.actionable_and_active_others(tenant, id);
        let (entity, mut state, (mut actionable, others)) = self
            .open_board::<_, CreateTaskError>(tenant, &id.entity, Resource::Actionable, found)
            .await?;
        if !actionable.is_active() {
            return Err(WriteError::Refused(CreateTaskError::NotActive(actionable.status)));
        }
        if !self.has_room_for_task(tenant, &id.entity, &state).await? {
            return Err(WriteError::Refused(CreateTaskError::TaskLimit));
        }
        let now = self.clock.now();
        state.task_seq = state.task_seq.next();
        state.sort_seq += 1;
        let task = Task::new(&actionable, state.task_seq, state.sort_seq, assignees, now);
        actionable.mark_as_task(now);

        let mut change = BoardChange::by_client(tenant, entity, state, Some(others))?;
        change.transaction.overwrite(change.actionable_item(&actionable)?);
        change.transaction.create(change.task_item(&task)?);
        self.commit(change.transaction, tenant, recorder, task).await
    }

    /// Returns whether the board has fewer than 500 tasks. They are counted only if at least as many were
    /// ever created.
    async fn has_room_for_task(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        state: &BoardState,
    ) -> Result<bool, StoreError> {
        if state.task_seq.index() < MAX_TASKS {
            return Ok(true);
        }
        let partition = keys::entity_partition(tenant, entity);
        let ordinals = ReadOptions {
            projection: Some("#ordinal"),
            consistency: Consistency::Strong,
        };
        let tasks = self
            .query(&partition, SortKeys::Prefix(keys::TASK.to_owned()), ordinals)
            .await?;
        Ok(tasks.len() < MAX_TASKS)
    }
}
