//! The API function of `/entities/actions`: the recommendations and tasks of an entity's board.
#![forbid(unsafe_code)]

pub mod create_task;
mod dismiss;
mod hidden_names;
pub mod list;
#[rustfmt::skip] // A line per field.
mod requests;
mod update_status;
mod view;

use api::parameters::{ENTITY_ID, OPTIONAL_LIMIT, OPTIONAL_OFFSET};
use api::{ApiState, Body, Input, Resource, Route, route};

/// The endpoints of this function.
pub static ROUTES: &[Route<ApiState>] = &[
    route!("listActions" Get "/entities/actions" => list::list, csv list::COLUMNS,
        query [ENTITY_ID, requests::ACTIONABLE_STATUS, OPTIONAL_LIMIT, OPTIONAL_OFFSET]),
    route!("createTask" Post "/entities/actions/create-task" => create_task::create_task, body requests::CREATE_TASK),
    route!("dismissActionable" Post "/entities/actions/dismiss" => dismiss::dismiss,
        body Body::Fields(&[Input::id("actionableId", Resource::Actionable, "The actionable")])),
    route!("updateTaskStatus" Post "/entities/actions/update-status" => update_status::update_status, body requests::UPDATE_STATUS),
];
