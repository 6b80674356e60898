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

use api::{ApiState, Input, Kind, Resource, Route, route};

/// The endpoints of this function.
pub static ROUTES: &[Route<ApiState>] = &[
    route!(Get "/domain-groups" => list::list, csv list::COLUMNS,
    query [
        Input::optional("groupId", Kind::Subject(Resource::Group), "Only the group with this id"),
        Input::optional("entityId", Kind::Subject(Resource::Entity),
            "Only groups that are scoped to this entity, and groups without a scope"),
    ]),
    route!(workspace Post "/domain-groups" => create::create, body requests::CREATE),
    route!(workspace Patch "/domain-groups" => update::update, body requests::UPDATE),
    route!(workspace Delete "/domain-groups" => delete::delete, query [Input::id("groupId", Resource::Group, "The group's id")]),
];
