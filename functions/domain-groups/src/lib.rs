//! The API function of `/domain-groups`: entities that the workspace counts as one.
#![forbid(unsafe_code)]

mod create;
pub mod delete;
mod fields;
pub mod list;
#[rustfmt::skip] // A line per field.
mod requests;
mod update;
pub mod view;

use api::{ApiState, Input, Resource, Route, route};

/// The endpoints of this function.
pub static ROUTES: &[Route<ApiState>] = &[
    route!("listDomainGroups" Get "/domain-groups" => list::list, csv list::COLUMNS, query [requests::GROUP_ID, requests::ENTITY_ID]),
    route!(workspace "createDomainGroup" Post "/domain-groups" => create::create, body requests::CREATE),
    route!(workspace "updateDomainGroup" Patch "/domain-groups" => update::update, body requests::UPDATE),
    route!(workspace "deleteDomainGroup" Delete "/domain-groups" => delete::delete, query [Input::id("groupId", Resource::Group, "The group's id")]),
];
