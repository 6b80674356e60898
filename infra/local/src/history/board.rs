//! The demo's members and their boards: some of the recommendations are in progress or done.

use domain::board::{Actionable, TaskStatus};
use domain::clock::Clock;
use domain::id::{ActionableId, EntityId, TaskId};
use domain::member::{Member, Role};
use store::{MemberError, ReplyRecorder, Store, Tenant, WriteError};
use uuid::Uuid;

use crate::error::HostError;

const MEMBERS: [(&str, &str, Role); 2] = [
    ("Ada Marlow", "ada@demo.example", Role::Owner),
    ("Ben Okafor", "ben@demo.example", Role::Member),
];

/// The statuses of the first tasks of a board, each with the indexes of the members who work on it.
const FIRST_TASKS: [(TaskStatus, &[usize]); 4] = [
    (TaskStatus::InProgress, &[1]),
    (TaskStatus::Done, &[0]),
    (TaskStatus::NotStarted, &[]),
    (TaskStatus::InReview, &[0, 1]),
];

/// Adds the members that do not exist yet.
pub(super) async fn add_members(store: &Store, tenant: &Tenant, clock: &dyn Clock) -> Result<(), HostError> {
    for (name, email, role) in MEMBERS {
        let member = Member::new(tenant.workspace(), email, name, role, clock.now())
            .map_err(|e| HostError::Demo(e.to_string()))?;
        match store.add_member(tenant, &member).await {
            Ok(()) | Err(WriteError::Refused(MemberError::AlreadyMember)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Turns about half of the active recommendations of each board into tasks, the most urgent first, and leaves
/// at least one active. Skips boards that have tasks.
pub(super) async fn start_tasks(store: &Store, tenant: &Tenant) -> Result<(), HostError> {
    let members = store.members(tenant).await?;
    let people: Vec<Uuid> = members.iter().map(|m| m.user_id).collect();
    for entity in store.entities(tenant).await? {
        let board = store.board(tenant, &entity.id).await?;
        if !board.tasks.is_empty() {
            continue;
        }
        let active: Vec<&Actionable> = board.actionables.iter().filter(|a| a.is_active()).collect();
        let count = active.len();
        let max = count.div_ceil(2).min(count.saturating_sub(1));
        for (actionable, (status, workers)) in active.into_iter().zip(FIRST_TASKS).take(max) {
            let assignees: Vec<Uuid> = workers.iter().filter_map(|n| people.get(*n)).copied().collect();
            create_task(store, tenant, &entity.id, actionable, status, &assignees).await?;
        }
    }
    Ok(())
}

async fn create_task(
    store: &Store,
    tenant: &Tenant,
    entity: &EntityId,
    actionable: &Actionable,
    status: TaskStatus,
    assignees: &[Uuid],
) -> Result<(), HostError> {
    let actionable = ActionableId {
        entity: *entity,
        ordinal: actionable.ordinal,
    };
    let task = store
        .create_task(tenant, &actionable, assignees, &ReplyRecorder::disabled())
        .await?;
    let task = TaskId {
        entity: *entity,
        ordinal: task.ordinal,
    };
    store
        .move_task(tenant, &task, Some(status), &ReplyRecorder::disabled())
        .await?;
    Ok(())
}
