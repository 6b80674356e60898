//! `POST /entities/actions/create-task`

use api::{ApiError, ApiRequest, ApiResponse, ApiState, JsonBody};
use domain::board::Task;
use domain::error::InvalidField;
use domain::id::ActionableId;
use domain::member::MemberStatus;
use serde::Serialize;
use uuid::Uuid;

use crate::hidden_names::HiddenNames;
use crate::view::TaskView;

#[derive(Serialize, schemars::JsonSchema)]
pub struct CreateTaskResponse<'a> {
    /// The new task.
    data: TaskView<'a>,
}

/// Creates a task on the board from an active actionable, and returns the task.
///
/// Returns 400 if an assignee is not an active member, 403 if the entity's limit of tasks is reached, 404 if
/// the actionable does not exist, and 409 if it is dismissed or already a task.
pub(crate) async fn create_task(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let actionable = body.required_text("actionableId")?;
    let assignees = parse_assignees(&request, &body).await?;
    let actionable: ActionableId = request.parse_id(actionable)?;
    let hidden = HiddenNames::load(&request).await?;
    let to_response = |task: &Task| {
        let mut task = task.clone();
        hidden.hide_in_task(&mut task);
        let data = TaskView::new(&actionable.entity, &task);
        ApiResponse::from_fields(&CreateTaskResponse { data })
    };
    let (store, recorder) = (request.store(), request.reply_recorder(&to_response));
    let created = store
        .create_task(&request.tenant, &actionable, &assignees, &recorder)
        .await?;
    to_response(&created)
}

/// Parses the field `assignees`, the `userId`s of active members. Repeated ids count once. The members are
/// read only if the field names any.
async fn parse_assignees(request: &ApiRequest<ApiState>, body: &JsonBody) -> Result<Vec<Uuid>, ApiError> {
    let Some(ids) = body.text_list("assignees")?.filter(|ids| !ids.is_empty()) else {
        return Ok(Vec::new());
    };
    let members = request.store().members(&request.tenant).await?;
    let mut assignees = Vec::new();
    for (index, id) in ids.into_iter().enumerate() {
        let id = Uuid::try_parse(id.trim()).ok();
        let mut active = members.iter().filter(|m| m.status == MemberStatus::Active);
        let member = active.find(|m| Some(m.user_id) == id).ok_or_else(|| {
            let rule = "must be the userId of an active member of the workspace";
            InvalidField::new(format!("assignees[{index}]"), rule)
        })?;
        if !assignees.contains(&member.user_id) {
            assignees.push(member.user_id);
        }
    }
    Ok(assignees)
}
