//! Describes the operations of `/entities/actions` and the paths below it.

use ::actions::create_task::CreateTaskResponse;
use ::actions::list::ListActionsResponse;
use domain::board::ActionableStatus;
use domain::limits::{MAX_ACTIVE_ACTIONABLES, MAX_TASKS};
use serde_json::{Value, json};
use store::{CreateTaskError, DismissError, MoveTaskError};

use crate::examples::{ACTIONABLE, ENTITY, MODEL, NOW, PROMPT_1, TASK, USER};
use crate::operation::{Operation, Tag};

pub(crate) fn tag() -> Tag {
    Tag {
        name: "Actions",
        description: "Recommendations, and the board of the tasks that are created from them",
        operations: vec![list(), create_task(), dismiss(), update_status()],
    }
}

fn example_actionable() -> Value {
    json!({
        "id": ACTIONABLE, "title": "Get named in answers to “What is the best trail running shoe?”",
        "description": "Velumora is named in 1 of 7 answers to this prompt.",
        "category": "visibility", "priority": "high", "sourceType": "low_visibility", "status": "active",
        "metadata": example_evidence(), "createdAt": NOW, "updatedAt": NOW,
    })
}

fn example_evidence() -> Value {
    json!({
        "rule": "low_visibility", "counts": {"mentions": 1, "responses": 7}, "score": 14.29,
        "interval": [2.57, 51.31],
        "window": {"startDate": "2026-10-23", "endDate": "2026-11-21", "days": 30},
        "promptIds": [PROMPT_1], "modelIds": [MODEL],
        "query": {"path": "/trends/visibility", "parameters": {
            "endDate": "2026-11-21", "entityId": ENTITY, "promptIds": PROMPT_1, "startDate": "2026-10-23",
            "union": "false",
        }},
    })
}

fn example_task() -> Value {
    json!({
        "id": TASK, "title": "Get named in answers to “What is the best trail running shoe?”",
        "description": "Velumora is named in 1 of 7 answers to this prompt.",
        "type": "off-page", "priority": "high", "status": "not_started", "assignees": [USER], "sortOrder": 1,
        "actionableId": ACTIONABLE, "createdAt": NOW, "updatedAt": NOW,
    })
}

fn list() -> Operation {
    Operation::new("listActions", "Recommendations and tasks of an entity")
    .description(format!(
        "After each check the service recommends what to do next. At most {MAX_ACTIVE_ACTIONABLES} recommendations are \
         active. Dismissed recommendations and tasks that are done are deleted after 90 days. `limit` and `offset` apply to \
         each of the two lists."
    ))
    .response::<ListActionsResponse<'_>>(json!({
        "data": {"actionables": [example_actionable()], "tasks": [example_task()]},
        "counts": {"actionables": 1, "tasks": 1},
    }))
    .error(400, "status must be active, dismissed or in_task")
    .link("createTask", "actionableId", "$response.body#/data/actionables/0/id")
    .link("dismissActionable", "actionableId", "$response.body#/data/actionables/0/id")
    .link("updateTaskStatus", "taskId", "$response.body#/data/tasks/0/id")
    .with("status", "in_review")
}

fn create_task() -> Operation {
    Operation::new("createTask", "Puts an active actionable on the board")
        .extension()
        .description(format!("An entity can have at most {MAX_TASKS} tasks."))
        .request_body(json!({"actionableId": ACTIONABLE, "assignees": [USER]}))
        .response::<CreateTaskResponse<'_>>(json!({"data": example_task()}))
        .error(400, "actionableId is required")
        .error(
            400,
            "assignees[0] must be the userId of an active member of the workspace",
        )
        .refusal(CreateTaskError::TaskLimit)
        .refusal(CreateTaskError::NotActive(ActionableStatus::Dismissed))
        .refusal(CreateTaskError::NotActive(ActionableStatus::InTask))
        .link("updateTaskStatus", "taskId", "$response.body#/data/id")
        .with("status", "in_progress")
}

fn dismiss() -> Operation {
    Operation::new("dismissActionable", "Dismisses an actionable")
    .description(
        "The next check can recommend something else instead. The same cause is not recommended for 90 days. Dismissing an \
         actionable twice is not an error.",
    )
    .request_body(json!({"actionableId": ACTIONABLE}))
    .empty_response()
    .refusal(DismissError::InTask)
}

fn update_status() -> Operation {
    Operation::new("updateTaskStatus", "Moves a task on the board")
    .description(
        "The task moves to any column. Without `status` it moves one step along not_started, in_progress, in_review, \
         done.",
    )
    .request_body(json!({"taskId": TASK, "status": "in_progress"}))
    .empty_response()
    .error(400, "status must be not_started, in_progress, in_review or done")
    .refusal(MoveTaskError::Done)
}
