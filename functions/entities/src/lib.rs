//! The API function of `/entities`: what a workspace tracks, its checks and its name requests.
#![forbid(unsafe_code)]

pub mod check_domain;
pub mod create;
pub mod delete;
pub mod generate_prompts;
pub mod list;
mod models;
pub mod name_request;
mod parse_new_entity;
mod publish;
#[rustfmt::skip] // A line per field.
mod requests;
pub mod run_check;
mod state;
pub mod tracking_status;
pub mod update;
mod view;

use api::parameters::ENTITY_ID;
use api::{Body, Input, Kind, Resource, Route, route};

pub use state::EntitiesState;

/// The endpoints of this function.
pub static ROUTES: &[Route<EntitiesState>] = &[
    route!("listEntities" Get "/entities" => list::list, csv list::COLUMNS),
    route!(workspace "createEntity" Post "/entities" => create::create, body requests::CREATE),
    route!("updateEntity" Patch "/entities" => update::update, body requests::UPDATE),
    route!(workspace "checkDomain" Get "/entities/check-domain" => check_domain::get,
        query [Input::required("domain", Kind::Domain, "A domain such as example.com, or an http(s) URL")]),
    route!("getNameRequest" Get "/entities/name-request" => name_request::get::get, query [ENTITY_ID]),
    route!("requestName" Post "/entities/name-request" => name_request::create::create, body requests::NAME_REQUEST),
    route!("deleteEntity" Delete "/entities" => delete::delete, query [ENTITY_ID]),
    route!("getTrackingStatus" Get "/entities/tracking-status" => tracking_status::get, query [ENTITY_ID]),
    route!("runCheck" Post "/entities/run-check" => run_check::create,
        body Body::Fields(&[Input::id("entityId", Resource::Entity, "The entity")])),
];
