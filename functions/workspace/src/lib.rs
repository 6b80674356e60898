//! The workspace: plan, usage, members, models.
#![forbid(unsafe_code)]

pub mod members;
pub mod models;
pub mod workspace;

use api::{ApiState, Route, route};

pub static ROUTES: &[Route<ApiState>] = &[
    route!(Get "/workspace" => workspace::get),
    route!(Get "/workspace/members" => members::list),
    route!(Get "/models" => models::list),
];
