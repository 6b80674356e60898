//! The API function of `/entities`: what a workspace tracks, its checks and its name requests.
#![forbid(unsafe_code)]

pub mod check_domain;
pub mod create;
pub mod delete;
mod generate_prompts;
pub mod list;
mod models;
pub mod name_request;
mod parse_new_entity;
mod publish;
pub mod run_check;
mod state;
pub mod tracking_status;
pub mod update;
mod view;

use api::{Route, route};

pub use state::EntitiesState;

/// The endpoints of this function.
pub static ROUTES: &[Route<EntitiesState>] = &[
    route!(Get "/entities" => list::list, csv list::COLUMNS),
    route!(workspace Post "/entities" => create::create),
    route!(Patch "/entities" => update::update),
    route!(workspace Get "/entities/check-domain" => check_domain::get),
    route!(Get "/entities/name-request" => name_request::get::get),
    route!(Post "/entities/name-request" => name_request::create::create),
    route!(Delete "/entities" => delete::delete),
    route!(Get "/entities/tracking-status" => tracking_status::get),
    route!(Post "/entities/run-check" => run_check::create),
];
