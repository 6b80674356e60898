//! The workspace: plan, usage, members, models.
#![forbid(unsafe_code)]

mod members;
mod models;
mod show;

use api::{ApiState, Route, route};

pub static ROUTES: &[Route<ApiState>] = &[
    route!(Get "/workspace" => show::show),
    route!(Get "/workspace/members" => members::members),
    route!(Get "/models" => models::models),
];
