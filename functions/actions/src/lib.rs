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

use api::parameters::{ENTITY_ID, LIMIT_OF_ALL, OFFSET_IN_ALL};
use api::{ApiState, Body, Input, Resource, Route, route};

/// The endpoints of this function.
pub static ROUTES: &[Route<ApiState>] = &[
    route!(Get "/entities/actions" => list::list, csv list::COLUMNS,
        query [ENTITY_ID, requests::ACTIONABLE_STATUS, LIMIT_OF_ALL, OFFSET_IN_ALL]),
    route!(Post "/entities/actions/create-task" => create_task::create_task, body requests::CREATE_TASK),
    route!(Post "/entities/actions/dismiss" => dismiss::dismiss,
        body Body::Fields(&[Input::id("actionableId", Resource::Actionable, "The actionable")])),
    route!(Post "/entities/actions/update-status" => update_status::update_status, body requests::UPDATE_STATUS),
];
