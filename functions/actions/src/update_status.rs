//! `POST /entities/actions/update-status`: moves a task to another column, or one step forward.

use api::{ApiError, App, Call, Reply, subject};
use domain::board::{Task, TaskStatus};
use domain::error::InvalidField;
use domain::id::TaskId;
use store::MoveTaskError;

pub(crate) async fn update_status(call: Call<App>) -> Result<Reply, ApiError> {
    let body = call.body()?;
    let task = body.required_text("taskId")?;
    let column = body.text("status")?.map(column).transpose()?;
    let task: TaskId = subject(task, "Task")?;
    let answer = |_: &Task| Ok(Reply::success());
    let moved = call
        .state
        .store
        .move_task(&call.tenant, &task, column, &call.once(&answer))
        .await?
        .map_err(refusal)?;
    answer(&moved)
}

fn column(text: &str) -> Result<TaskStatus, InvalidField> {
    TaskStatus::parse(text)
        .ok_or_else(|| InvalidField::new("status", "must be not_started, in_progress, in_review or done"))
}

fn refusal(refused: MoveTaskError) -> ApiError {
    match refused {
        MoveTaskError::UnknownTask => ApiError::not_found("Task"),
        MoveTaskError::Canceled => ApiError::canceled(),
        MoveTaskError::Done => ApiError::conflict("The task is done: without status it has no next step"),
    }
}
