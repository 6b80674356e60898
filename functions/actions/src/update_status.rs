//! `POST /entities/actions/update-status`: moves a task to another column, or one step forward.

use api::{ApiError, ApiRequest, ApiResponse, ApiState, parse_id};
use domain::board::{Task, TaskStatus};
use domain::error::InvalidField;
use domain::id::TaskId;

pub(crate) async fn update_status(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let task = body.required_text("taskId")?;
    let column = body.text("status")?.map(column).transpose()?;
    let task: TaskId = parse_id(task, "Task")?;
    let answer = |_: &Task| Ok(ApiResponse::success());
    let moved = request
        .state
        .store
        .move_task(&request.tenant, &task, column, &request.idempotent(&answer))
        .await?;
    answer(&moved)
}

fn column(text: &str) -> Result<TaskStatus, InvalidField> {
    TaskStatus::parse(text)
        .ok_or_else(|| InvalidField::new("status", "must be not_started, in_progress, in_review or done"))
}
