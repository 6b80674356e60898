//! `POST /entities/actions/create-task`: puts an actionable on the board.

use api::{ApiError, ApiRequest, ApiResponse, ApiState, JsonBody, parse_id};
use domain::board::Task;
use domain::error::InvalidField;
use domain::id::ActionableId;
use domain::member::MemberStatus;
use serde::Serialize;
use uuid::Uuid;

use crate::view::TaskView;

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CreateTaskResponse<'a> {
    /// The new task.
    data: TaskView<'a>,
}

pub(crate) async fn create_task(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let actionable = body.required_text("actionableId")?;
    let assignees = assignees(&request, &body).await?;
    let actionable: ActionableId = parse_id(actionable, "Actionable")?;
    let answer = |task: &Task| {
        let data = TaskView::new(&actionable.entity, task);
        ApiResponse::of(&CreateTaskResponse { data })
    };
    let created = request
        .state
        .store
        .create_task(
            &request.tenant,
            &actionable,
            &assignees,
            &request.idempotent(&answer),
        )
        .await?;
    answer(&created)
}

/// The user ids of active members, each once. Members are read only where some are named.
async fn assignees(request: &ApiRequest<ApiState>, body: &JsonBody) -> Result<Vec<Uuid>, ApiError> {
    let named = body.text_list("assignees")?.unwrap_or_default();
    if named.is_empty() {
        return Ok(Vec::new());
    }
    let members = request.state.store.members(&request.tenant).await?;
    let mut assignees = Vec::new();
    for (place, id) in named.into_iter().enumerate() {
        let id = Uuid::try_parse(id.trim()).ok();
        let mut active = members.iter().filter(|m| m.status == MemberStatus::Active);
        let member = active.find(|m| Some(m.user_id) == id).ok_or_else(|| {
            let rule = "must be the userId of an active member of the workspace";
            InvalidField::new(format!("assignees[{place}]"), rule)
        })?;
        if !assignees.contains(&member.user_id) {
            assignees.push(member.user_id);
        }
    }
    Ok(assignees)
}
