//! Describes the operations of `/entities` and the paths of an entity's checks and names.

mod checks;
mod create;
mod name_requests;

use ::entities::delete::DeleteEntityResponse;
use ::entities::list::ListEntitiesResponse;
use ::entities::update::UpdateEntityResponse;
use api::Method::{Delete, Get, Patch};
use serde_json::json;

use crate::examples::{ENTITY, entity};
use crate::operation::{Operation, Tag};

pub(crate) fn tag() -> Tag {
    let mut operations = vec![list(), create::create(), update(), delete()];
    operations.extend(checks::operations());
    operations.extend(name_requests::operations());
    Tag {
        name: "Entities",
        description: "The brands and web presences that the workspace tracks, with their checks and names",
        operations,
    }
}

fn list() -> Operation {
    Operation::new(
        Get,
        "/entities",
        "listEntities",
        "The workspace's entities, oldest first",
    )
    .response::<ListEntitiesResponse<'_>>(json!({"data": [entity()], "count": 1}))
    .link("listPrompts", json!({"entityId": "$response.body#/data/0/id"}))
    .link(
        "getVisibilityTrend",
        json!({"entityId": "$response.body#/data/0/id"}),
    )
}

fn update() -> Operation {
    Operation::new(Patch, "/entities", "updateEntity", "Changes an entity")
        .extension()
        .description(
            "Only the given fields change. The name changes by POST /entities/name-request, and so do the aliases with a key that is \
             bound to entities. If the aliases change, recorded answers are read again: `rereading` of GET \
             /entities/tracking-status shows how far.",
        )
        .request_body(json!({"entityId": ENTITY, "aliases": ["Velumora Sports"], "frequencyHours": 12}))
        .response::<UpdateEntityResponse<'_>>(json!({"data": entity(), "suggestedAliases": []}))
        .error(400, "frequencyHours must be a whole number from 1 to 720")
        .error(
            403,
            "aliases cannot be changed with a key that is bound to entities, because an alias counts in all answers of the \
             workspace: POST /entities/name-request asks for other names and aliases",
        )
        .error(404, "Entity not found")
        .error(409, "This target is tracked in the workspace already")
        .error(409, "aliases must not have “Velumora”: another tracked brand has it as name, alias or domain")
}

fn delete() -> Operation {
    Operation::new(Delete, "/entities", "deleteEntity", "Deletes an entity")
        .extension()
        .description("It stops counting towards the workspace's limits at once. Its data expires.")
        .response::<DeleteEntityResponse>(json!({"data": {"entityId": ENTITY}}))
        .error(400, "entityId is required")
        .error(404, "Entity not found")
}
