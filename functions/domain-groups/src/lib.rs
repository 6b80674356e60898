//! The API function of `/domain-groups`: entities that the workspace counts as one.
#![forbid(unsafe_code)]

mod create;
pub mod delete;
mod fields;
pub mod list;
mod update;
pub mod view;

use api::{ApiState, Route, route};

/// The endpoints of this function.
pub static ROUTES: &[Route<ApiState>] = &[
    route!(Get "/domain-groups" => list::list, csv list::COLUMNS),
    route!(workspace Post "/domain-groups" => create::create),
    route!(workspace Patch "/domain-groups" => update::update),
    route!(workspace Delete "/domain-groups" => delete::delete),
];
