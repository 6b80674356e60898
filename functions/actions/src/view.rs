//! Actionables and tasks as clients see them.

use domain::board::{
    Actionable, ActionableStatus, Category, Evidence, Outcome, Priority, Retirement, SourceType, Task,
    TaskStatus, TaskType,
};
use domain::id::{ActionableId, EntityId, TaskId};
use domain::time::Timestamp;
use serde::Serialize;
use uuid::Uuid;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActionableView<'a> {
    id: ActionableId,
    title: &'a str,
    description: &'a str,
    category: Category,
    priority: Priority,
    source_type: SourceType,
    status: ActionableStatus,
    metadata: MetadataView<'a>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// What it rests on, and what became of it.
#[derive(Serialize)]
struct MetadataView<'a> {
    #[serde(flatten)]
    evidence: &'a Evidence,
    #[serde(skip_serializing_if = "Option::is_none")]
    retired: Option<&'a Retirement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'a Outcome>,
}

impl<'a> ActionableView<'a> {
    pub(crate) fn new(entity: &EntityId, actionable: &'a Actionable) -> Self {
        let recommendation = &actionable.recommendation;
        Self {
            id: ActionableId {
                entity: entity.clone(),
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

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TaskView<'a> {
    id: TaskId,
    title: &'a str,
    description: &'a str,
    #[serde(rename = "type")]
    task_type: TaskType,
    priority: Priority,
    status: TaskStatus,
    assignees: &'a [Uuid],
    sort_order: u32,
    actionable_id: ActionableId,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl<'a> TaskView<'a> {
    pub(crate) fn new(entity: &EntityId, task: &'a Task) -> Self {
        Self {
            id: TaskId {
                entity: entity.clone(),
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
                entity: entity.clone(),
                ordinal: task.actionable,
            },
            created_at: task.created_at,
            updated_at: task.updated_at,
        }
    }
}
