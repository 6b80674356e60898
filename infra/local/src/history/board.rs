//! The demo's people and their boards: some of what the checks recommend is at work or done.

use domain::board::{Actionable, TaskStatus};
use domain::clock::Clock;
use domain::id::{ActionableId, EntityId, TaskId};
use domain::member::{Member, Role};
use store::{Idempotent, MemberError, Store, Tenant, WriteError};
use uuid::Uuid;

use crate::HostError;

const PEOPLE: [(&str, &str, Role); 2] = [
    ("Ada Marlow", "ada@demo.example", Role::Owner),
    ("Ben Okafor", "ben@demo.example", Role::Member),
];

/// The columns of the first tasks of a board, each with those of the people who work on it.
const MAX_TASKS: [(TaskStatus, &[usize]); 4] = [
    (TaskStatus::InProgress, &[1]),
    (TaskStatus::Done, &[0]),
    (TaskStatus::NotStarted, &[]),
    (TaskStatus::InReview, &[0, 1]),
];

/// Adds the people, unless they are there.
pub(crate) async fn add_people(store: &Store, tenant: &Tenant, clock: &dyn Clock) -> Result<(), HostError> {
    for (name, email, role) in PEOPLE {
        let member = Member::new(tenant.workspace(), email, name, role, clock.now())
            .map_err(|e| HostError::Demo(e.to_string()))?;
        match store.add_member(tenant, &member).await {
            Ok(()) | Err(WriteError::Refused(MemberError::AlreadyMember)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Makes about half of each board's active recommendations tasks, the most urgent first, and leaves at least one active. A
/// board with tasks was worked on before.
pub(crate) async fn work(store: &Store, tenant: &Tenant) -> Result<(), HostError> {
    let members = store.members(tenant).await?;
    let people: Vec<Uuid> = members.iter().map(|m| m.user_id).collect();
    for entity in store.entities(tenant).await? {
        let board = store.board(tenant, &entity.id).await?;
        if !board.tasks.is_empty() {
            continue;
        }
        let active: Vec<&Actionable> = board.actionables.iter().filter(|a| a.is_active()).collect();
        let count = active.len();
        let most = count.div_ceil(2).min(count.saturating_sub(1));
        for (actionable, (column, by)) in active.into_iter().zip(MAX_TASKS).take(most) {
            let assignees: Vec<Uuid> = by.iter().filter_map(|n| people.get(*n)).copied().collect();
            take_up(store, tenant, &entity.id, actionable, column, &assignees).await?;
        }
    }
    Ok(())
}

async fn take_up(
    store: &Store,
    tenant: &Tenant,
    entity: &EntityId,
    actionable: &Actionable,
    column: TaskStatus,
    assignees: &[Uuid],
) -> Result<(), HostError> {
    let actionable = ActionableId {
        entity: entity.clone(),
        ordinal: actionable.ordinal,
    };
    let task = store
        .create_task(tenant, &actionable, assignees, &Idempotent::none())
        .await?;
    let task = TaskId {
        entity: entity.clone(),
        ordinal: task.ordinal,
    };
    store
        .move_task(tenant, &task, Some(column), &Idempotent::none())
        .await?;
    Ok(())
}
