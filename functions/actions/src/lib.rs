//! The API function of `/entities/actions`: the recommendations and tasks of an entity's board.
#![forbid(unsafe_code)]

pub mod create_task;
mod dismiss;
mod hidden_names;
pub mod list;
mod update_status;
mod view;

use api::{ApiState, Route, route};

/// The endpoints of this function.
pub static ROUTES: &[Route<ApiState>] = &[
    route!(Get "/entities/actions" => list::list, csv list::COLUMNS),
    route!(Post "/entities/actions/create-task" => create_task::create_task),
    route!(Post "/entities/actions/dismiss" => dismiss::dismiss),
    route!(Post "/entities/actions/update-status" => update_status::update_status),
];
