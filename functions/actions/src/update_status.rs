//! `POST /entities/actions/update-status`

use api::{ApiError, ApiRequest, ApiResponse, ApiState};
use domain::board::{Task, TaskStatus};
use domain::id::TaskId;

use crate::requests::TASK_STATUS;

/// Moves a task to the column `status`, or to the next column if `status` is absent.
///
/// Returns 404 if the task does not exist, and 409 if it is done and `status` is absent.
pub(crate) async fn update_status(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let task = body.required_text("taskId")?;
    let status: Option<TaskStatus> = TASK_STATUS.word(body.text("status")?)?;
    let task: TaskId = request.parse_id(task)?;
    let to_response = |_: &Task| Ok(ApiResponse::success());
    let (store, recorder) = (request.store(), request.reply_recorder(&to_response));
    let moved = store.move_task(&request.tenant, &task, status, &recorder).await?;
    to_response(&moved)
}
