//! `GET /entities/actions`

use api::{ApiError, ApiRequest, ApiResponse, ApiState, Columns, Format};
use domain::board::{Actionable, ActionableStatus, Task};
use domain::id::EntityId;
use domain::page::{Page, Pagination};
use serde::Serialize;

use crate::hidden_names::HiddenNames;
use crate::requests::ACTIONABLE_STATUS;
use crate::view::{ActionableView, TaskView};

#[derive(Serialize, schemars::JsonSchema)]
pub struct ListActionsResponse<'a> {
    /// The recommendations and tasks.
    data: BoardView<'a>,
    /// How many there are in `data`.
    counts: BoardCountsView,
    /// The page of each of the two lists. Only present if the request has a `limit`.
    #[schemars(with = "BoardPaginationView", extend("x-extension" = true))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pagination: Option<BoardPaginationView>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "BoardPagination")]
struct BoardPaginationView {
    /// The page of the actionables.
    actionables: Pagination,
    /// The page of the tasks.
    tasks: Pagination,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Board")]
struct BoardView<'a> {
    /// The actionables, by priority, then newest first.
    actionables: Vec<ActionableView<'a>>,
    /// The tasks, by column, then by `sortOrder`.
    tasks: Vec<TaskView<'a>>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "BoardCounts")]
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pagination: Option<BoardTablePagination>,
}

/// The page of both lists.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BoardTablePagination {
    /// The number of rows of both lists.
    total: usize,
    /// Whether one of them has rows after this page.
    has_next_page: bool,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum BoardRow<'a> {
    Actionable(ActionableView<'a>),
    Task(TaskView<'a>),
}

impl<'a> BoardTable<'a> {
    fn new(board: BoardView<'a>, pagination: Option<&BoardPaginationView>) -> Self {
        let actionables = board.actionables.into_iter().map(BoardRow::Actionable);
        let tasks = board.tasks.into_iter().map(BoardRow::Task);
        Self {
            data: actionables.chain(tasks).collect(),
            pagination: pagination.map(|of| BoardTablePagination {
                total: of.actionables.total + of.tasks.total,
                has_next_page: of.actionables.has_next_page() || of.tasks.has_next_page(),
            }),
        }
    }
}

/// Returns the entity's actionables and tasks. `status` selects actionables and does not apply to tasks. With
/// `limit`, the response has one page of each.
///
/// Returns 404 if the entity does not exist.
pub(crate) async fn list(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let entity = request.query.required_text("entityId")?;
    let status: Option<ActionableStatus> = ACTIONABLE_STATUS.word(request.query.text("status")?)?;
    let page = request.page_if_limited()?;
    let id: EntityId = request.parse_id(entity)?;
    let store = request.store();
    let (entity, mut board, hidden) = tokio::try_join!(
        store.entity(&request.tenant, &id),
        store.board(&request.tenant, &id),
        HiddenNames::load(&request)
    )?;
    entity.ok_or_else(|| ApiError::not_found("Entity"))?;
    for actionable in &mut board.actionables {
        hidden.hide_in_recommendation(&mut actionable.recommendation);
    }
    for task in &mut board.tasks {
        hidden.hide_in_task(task);
    }
    let is_selected = |actionable: &&Actionable| status.is_none_or(|selected| actionable.status == selected);
    let actionables: Vec<&Actionable> = board.actionables.iter().filter(is_selected).collect();
    let tasks: Vec<&Task> = board.tasks.iter().collect();
    let of_list = |page: Page, total: usize| page.pagination(total);
    let pagination = page.map(|page| BoardPaginationView {
        actionables: of_list(page, actionables.len()),
        tasks: of_list(page, tasks.len()),
    });
    let page = page.unwrap_or(Page::ALL);
    let (actionables, tasks) = (page.select_rows(actionables), page.select_rows(tasks));
    let data = BoardView {
        actionables: actionables
            .into_iter()
            .map(|a| ActionableView::new(&id, a))
            .collect(),
        tasks: tasks.into_iter().map(|t| TaskView::new(&id, t)).collect(),
    };
    if request.format == Format::Table {
        return ApiResponse::from_fields(&BoardTable::new(data, pagination.as_ref()));
    }
    let counts = BoardCountsView {
        actionables: data.actionables.len(),
        tasks: data.tasks.len(),
    };
    ApiResponse::from_fields(&ListActionsResponse {
        data,
        counts,
        pagination,
    })
}
