//! `GET /entities/actions`

use api::{ApiError, ApiRequest, ApiResponse, ApiState, parse_id};
use domain::board::{Actionable, ActionableStatus};
use domain::error::InvalidField;
use domain::id::EntityId;
use serde::Serialize;

use crate::view::{ActionableView, TaskView};

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListActionsResponse<'a> {
    /// The recommendations and tasks.
    data: BoardView<'a>,
    /// How many there are.
    counts: BoardCountsView,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Board"))]
struct BoardView<'a> {
    /// The actionables, by priority, then newest first.
    actionables: Vec<ActionableView<'a>>,
    /// The tasks, by column, then by `sortOrder`.
    tasks: Vec<TaskView<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "BoardCounts")
)]
struct BoardCountsView {
    /// The number of actionables in `data.actionables`.
    actionables: usize,
    /// The number of tasks in `data.tasks`.
    tasks: usize,
}

/// Returns the entity's actionables and tasks. `status` selects actionables and does not apply to tasks.
///
/// Returns 404 if the entity does not exist.
pub(crate) async fn list(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let entity = request.query.required_text("entityId")?;
    let status = request.query.text("status")?.map(parse_status).transpose()?;
    let id: EntityId = parse_id(&request.key_scope, entity, "Entity")?;
    let store = &request.state.store;
    let (entity, board) = tokio::try_join!(
        store.entity(&request.tenant, &id),
        store.board(&request.tenant, &id)
    )?;
    entity.ok_or_else(|| ApiError::not_found("Entity"))?;
    let is_selected = |actionable: &&Actionable| status.is_none_or(|selected| actionable.status == selected);
    let actionables = board.actionables.iter().filter(is_selected);
    let data = BoardView {
        actionables: actionables.map(|a| ActionableView::new(&id, a)).collect(),
        tasks: board.tasks.iter().map(|t| TaskView::new(&id, t)).collect(),
    };
    let counts = BoardCountsView {
        actionables: data.actionables.len(),
        tasks: data.tasks.len(),
    };
    ApiResponse::from_fields(&ListActionsResponse { data, counts })
}

fn parse_status(text: &str) -> Result<ActionableStatus, InvalidField> {
    text.parse()
        .map_err(|_| InvalidField::new("status", "must be active, dismissed or in_task"))
}
