//! The workspace: plan, usage, models.
#![forbid(unsafe_code)]

mod models;
mod show;

use api::{App, Route, route};

pub static ROUTES: &[Route<App>] = &[
    route!(Get "/workspace" => show::show),
    route!(Get "/models" => models::models),
];
