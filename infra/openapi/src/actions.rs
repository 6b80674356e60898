//! `/entities/actions` and below.

use api::Method::{Get, Post};
use domain::board::{ActionableStatus, Category, Priority, SourceType, TaskStatus, TaskType};
use domain::limits::{MAX_ACTIVE_ACTIONABLES, MAX_TASKS};
use serde_json::{Value, json};

use crate::evidence;
use crate::examples::{ACTIONABLE as EXAMPLE, NOW, TASK as EXAMPLE_TASK, USER};
use crate::operation::{Group, Operation};
use crate::parameters::{optional as parameter, shared};
use crate::schema::{
    ACTIONABLE, TASK, count, field, given_id, id, list, millis, object, optional, reference, text, uuid,
    variant,
};

pub(crate) fn group() -> Group {
    Group {
        tag: "Actions",
        description: "Recommendations, and the board of tasks that are made of them",
        operations: vec![all(), create_task(), dismiss(), update_status()],
    }
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    vec![("Actionable", actionable()), ("Task", task())]
}

fn actionable() -> Value {
    object([
        field("id", id(ACTIONABLE, "The actionable's id")),
        field("title", text("What to do, in a line")),
        field("description", text("What to do, where and why, with the numbers")),
        field("category", variant::<Category>("What it is about")),
        field(
            "priority",
            variant::<Priority>("By the number of answers that it affects"),
        ),
        field("sourceType", variant::<SourceType>("The rule that it comes from")),
        field(
            "status",
            variant::<ActionableStatus>("`in_task`: it is on the board"),
        ),
        field("metadata", reference("Evidence")),
        field("createdAt", millis("When it was recommended")),
        field("updatedAt", millis("When it last changed")),
    ])
}

fn task() -> Value {
    object([
        field("id", id(TASK, "The task's id")),
        field("title", text("What to do, in a line")),
        field("description", text("What to do, where and why")),
        field(
            "type",
            variant::<TaskType>(
                "Where the work is: on others' sites, in the brand's own content, in its site's machinery",
            ),
        ),
        field("priority", variant::<Priority>("The actionable's")),
        field("status", variant::<TaskStatus>("The column of the board")),
        field("assignees", list(uuid("A member's `userId`"), "Who works on it")),
        field(
            "sortOrder",
            count("Its place on the board: a task that enters a column goes to its end"),
        ),
        field("actionableId", id(ACTIONABLE, "The actionable that it came from")),
        field("createdAt", millis("When it was made")),
        field("updatedAt", millis("When it last changed")),
    ])
}

fn example() -> Value {
    json!({
        "id": EXAMPLE, "title": "Get named in answers to “What is the best trail running shoe?”",
        "description": "Velumora is named in 1 of 7 answers to this prompt.",
        "category": "visibility", "priority": "high", "sourceType": "low_visibility", "status": "active",
        "metadata": evidence::example(), "createdAt": NOW, "updatedAt": NOW,
    })
}

fn example_task() -> Value {
    json!({
        "id": EXAMPLE_TASK, "title": "Get named in answers to “What is the best trail running shoe?”",
        "description": "Velumora is named in 1 of 7 answers to this prompt.",
        "type": "off-page", "priority": "high", "status": "not_started", "assignees": [USER], "sortOrder": 1,
        "actionableId": EXAMPLE, "createdAt": NOW, "updatedAt": NOW,
    })
}

fn all() -> Operation {
    let status = variant::<ActionableStatus>("One status");
    let data = object([
        field(
            "actionables",
            list(reference("Actionable"), "By priority, then newest first"),
        ),
        field("tasks", list(reference("Task"), "By column, then `sortOrder`")),
    ]);
    let counts = object([
        field("actionables", count("How many are in `data.actionables`")),
        field("tasks", count("How many are in `data.tasks`")),
    ]);
    Operation::new(
        Get,
        "/entities/actions",
        "listActions",
        "Recommendations and tasks of an entity",
    )
    .description(format!(
        "After each check the service recommends what to do next: at most {MAX_ACTIVE_ACTIONABLES} are \
             active. What was \
             dismissed or done goes after 90 days."
    ))
    .parameters([
        shared("EntityId"),
        parameter(
            "status",
            status,
            "Only actionables of this status; all tasks are listed",
        ),
    ])
    .response_fields(
        [field("data", data), field("counts", counts)],
        json!({"data": {"actionables": [example()], "tasks": [example_task()]},
            "counts": {"actionables": 1, "tasks": 1}}),
    )
    .error(400, "status must be active, dismissed or in_task")
    .error(404, "Entity not found")
    .link(
        "createTask",
        json!({"actionableId": "$response.body#/data/actionables/0/id"}),
    )
    .link(
        "dismissActionable",
        json!({"actionableId": "$response.body#/data/actionables/0/id"}),
    )
    .link(
        "updateTaskStatus",
        json!({"taskId": "$response.body#/data/tasks/0/id",
        "status": "in_review"}),
    )
}

fn create_task() -> Operation {
    let assignees = list(uuid("The `userId` of an active member"), "Who works on it");
    let body = object([
        field("actionableId", given_id("An active actionable")),
        optional("assignees", assignees),
    ]);
    Operation::new(
        Post,
        "/entities/actions/create-task",
        "createTask",
        "Puts an active actionable on the board",
    )
    .extension()
    .description(format!("An entity has at most {MAX_TASKS} tasks."))
    .request_body(body, json!({"actionableId": EXAMPLE, "assignees": [USER]}))
    .response_fields(
        [field("data", reference("Task"))],
        json!({"data": example_task()}),
    )
    .error(400, "actionableId is required")
    .error(
        400,
        "assignees[0] must be the userId of an active member of the workspace",
    )
    .error(403, format!("The entity's limit of {MAX_TASKS} tasks is reached"))
    .error(404, "Actionable not found")
    .error(409, "The actionable is dismissed")
    .error(409, "The actionable is a task already")
    .link(
        "updateTaskStatus",
        json!({"taskId": "$response.body#/data/id", "status": "in_progress"}),
    )
}

fn dismiss() -> Operation {
    Operation::new(
        Post,
        "/entities/actions/dismiss",
        "dismissActionable",
        "Takes an actionable out of the active feed",
    )
    .description(
        "Its place is free at the next check, and its cause stays away for 90 days. Dismissing twice \
         is no error.",
    )
    .request_body(
        object([field("actionableId", given_id("The actionable"))]),
        json!({"actionableId": EXAMPLE}),
    )
    .response_fields([], json!({}))
    .error(400, "actionableId is required")
    .error(404, "Actionable not found")
    .error(
        409,
        "The actionable is a task on the board: it cannot be dismissed",
    )
}

fn update_status() -> Operation {
    let body = object([
        field("taskId", given_id("The task")),
        optional(
            "status",
            variant::<TaskStatus>("The column; without it the task goes one step forward"),
        )
        .extension(),
    ]);
    Operation::new(
        Post,
        "/entities/actions/update-status",
        "updateTaskStatus",
        "Moves a task on the board",
    )
    .description(
        "To any column, or without `status` one step along not_started, in_progress, in_review, done.",
    )
    .request_body(body, json!({"taskId": EXAMPLE_TASK, "status": "in_progress"}))
    .response_fields([], json!({}))
    .error(400, "status must be not_started, in_progress, in_review or done")
    .error(404, "Task not found")
    .error(409, "The task is done: without status it has no next step")
}
