//! The workspace: plan, usage, members, models.
#![forbid(unsafe_code)]

mod members;
mod models;
mod workspace;

use api::{ApiState, Route, route};

pub static ROUTES: &[Route<ApiState>] = &[
    route!(Get "/workspace" => workspace::get),
    route!(Get "/workspace/members" => members::list),
    route!(Get "/models" => models::list),
];
