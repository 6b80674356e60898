//! Entities: what a workspace tracks.
#![forbid(unsafe_code)]

pub mod check_domain;
pub mod create;
pub mod delete;
mod generate;
pub mod list;
mod models;
pub mod name_request;
mod publish;
pub mod run_check;
mod state;
pub mod tracking_status;
pub mod update;
mod view;

use api::{Route, route};

pub use state::EntitiesState;

pub static ROUTES: &[Route<EntitiesState>] = &[
    route!(Get "/entities" => list::list),
    route!(Post "/entities" => create::create),
    route!(Patch "/entities" => update::update),
    route!(Get "/entities/check-domain" => check_domain::get),
    route!(Get "/entities/name-request" => name_request::get::get),
    route!(Post "/entities/name-request" => name_request::create::create),
    route!(Delete "/entities" => delete::delete),
    route!(Get "/entities/tracking-status" => tracking_status::get),
    route!(Post "/entities/run-check" => run_check::create),
];
