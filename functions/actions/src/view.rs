//! The actionables and tasks in responses.

use domain::board::{
    Actionable, ActionableStatus, Category, Evidence, Outcome, Priority, Retirement, SourceType, Task,
    TaskStatus, TaskType,
};
use domain::id::{ActionableId, EntityId, TaskId};
use domain::time::Timestamp;
use serde::Serialize;
use uuid::Uuid;

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Actionable")]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActionableView<'a> {
    /// The actionable's id.
    id: ActionableId,
    /// What to do, in one line.
    title: &'a str,
    /// What to do, where and why, with the numbers.
    description: &'a str,
    /// What the actionable is about.
    category: Category,
    /// The priority, by the number of answers that the actionable affects.
    priority: Priority,
    /// The rule that the actionable comes from.
    source_type: SourceType,
    /// The state. `in_task` means that the actionable is on the board.
    status: ActionableStatus,
    /// The numbers behind the recommendation.
    metadata: MetadataView<'a>,
    /// When the recommendation was made, in Unix milliseconds.
    created_at: Timestamp,
    /// When it last changed, in Unix milliseconds.
    updated_at: Timestamp,
}

/// The numbers behind a recommendation, and the requests that give them again.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Evidence")]
struct MetadataView<'a> {
    #[serde(flatten)]
    evidence: &'a Evidence,
    /// Present if the service dismissed the recommendation itself, because its cause is gone.
    #[schemars(with = "Retirement")]
    #[serde(skip_serializing_if = "Option::is_none")]
    retired: Option<&'a Retirement>,
    /// Whether the task that is done helped.
    #[schemars(with = "Outcome")]
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'a Outcome>,
}

impl<'a> ActionableView<'a> {
    pub(crate) fn new(entity: &EntityId, actionable: &'a Actionable) -> Self {
        let recommendation = &actionable.recommendation;
        Self {
            id: ActionableId {
                entity: *entity,
                ordinal: actionable.ordinal,
            },
            title: &recommendation.title,
            description: &recommendation.description,
            category: recommendation.rule().category(),
            priority: recommendation.priority,
            source_type: recommendation.rule(),
            status: actionable.status,
            metadata: MetadataView {
                evidence: &recommendation.evidence,
                retired: actionable.retired.as_ref(),
                outcome: actionable.outcome.as_ref(),
            },
            created_at: actionable.created_at,
            updated_at: actionable.updated_at,
        }
    }
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Task")]
#[serde(rename_all = "camelCase")]
pub(crate) struct TaskView<'a> {
    /// The task's id.
    id: TaskId,
    /// What to do, in one line.
    title: &'a str,
    /// What to do, where and why.
    description: &'a str,
    /// Where the work is: on other sites (`off-page`), in the brand's own content (`on-page`), or in its
    /// site's technology (`technical`).
    #[serde(rename = "type")]
    task_type: TaskType,
    /// The actionable's priority.
    priority: Priority,
    /// The column of the board.
    status: TaskStatus,
    /// The `userId` of each member who works on the task.
    assignees: &'a [Uuid],
    /// The place on the board. A task that enters a column goes to its end.
    sort_order: u32,
    /// The actionable that the task was made of.
    actionable_id: ActionableId,
    /// When the task was created, in Unix milliseconds.
    created_at: Timestamp,
    /// When it last changed, in Unix milliseconds.
    updated_at: Timestamp,
}

impl<'a> TaskView<'a> {
    pub(crate) fn new(entity: &EntityId, task: &'a Task) -> Self {
        Self {
            id: TaskId {
                entity: *entity,
                ordinal: task.ordinal,
            },
            title: &task.title,
            description: &task.description,
            task_type: task.task_type,
            priority: task.priority,
            status: task.status,
            assignees: &task.assignees,
            sort_order: task.sort_order,
            actionable_id: ActionableId {
                entity: *entity,
                ordinal: task.actionable,
            },
            created_at: task.created_at,
            updated_at: task.updated_at,
        }
    }
}
