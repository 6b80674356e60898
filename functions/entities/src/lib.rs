//! Entities: what a workspace tracks.
#![forbid(unsafe_code)]

mod create;
mod delete;
mod generate;
mod list;
mod publish;
mod run_check;
mod state;
mod tracking_status;
mod view;

use api::{Route, route};

pub use state::State;

pub static ROUTES: &[Route<State>] = &[
    route!(Get "/entities" => list::list),
    route!(Post "/entities" => create::create),
    route!(Delete "/entities" => delete::delete),
    route!(Get "/entities/tracking-status" => tracking_status::tracking_status),
    route!(Post "/entities/run-check" => run_check::run_check),
];
