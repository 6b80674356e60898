//! `GET /entities/actions`

use api::{ApiError, ApiRequest, ApiResponse, ApiState, Columns, Format, parse_id};
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

/// The columns of the table, which has the actionables and then the tasks.
pub(crate) const COLUMNS: Columns = &[
    "kind",
    "id",
    "title",
    "description",
    "category",
    "priority",
    "sourceType",
    "type",
    "status",
    "assignees",
    "sortOrder",
    "actionableId",
    "metadata",
    "createdAt",
    "updatedAt",
];

/// The actionables and the tasks in one list, as a table needs them.
#[derive(Serialize)]
struct BoardTable<'a> {
    data: Vec<BoardRow<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum BoardRow<'a> {
    Actionable(ActionableView<'a>),
    Task(TaskView<'a>),
}

impl<'a> From<BoardView<'a>> for BoardTable<'a> {
    fn from(board: BoardView<'a>) -> Self {
        let actionables = board.actionables.into_iter().map(BoardRow::Actionable);
        let tasks = board.tasks.into_iter().map(BoardRow::Task);
        Self {
            data: actionables.chain(tasks).collect(),
        }
    }
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
    if request.format == Format::Csv {
        return ApiResponse::from_fields(&BoardTable::from(data));
    }
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
