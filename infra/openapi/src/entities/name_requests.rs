//! Describes the operations of `/entities/name-request`.

use ::entities::name_request::view::{CreateNameRequestResponse, NameRequestResponse};
use api::Method::{Get, Post};
use serde_json::{Value, json};

use crate::examples::{ENTITY, NOW};
use crate::operation::Operation;

pub(super) fn operations() -> [Operation; 2] {
    [get(), create()]
}

fn example() -> Value {
    json!({
        "id": "5tGv8JkLw2ZnXq1C", "currentName": "Velumora", "suggestedName": "Velumora Sports",
        "aliases": null, "reason": "We are called so now.", "status": "pending", "createdAt": NOW, "reviewedAt": null,
        "reviewNote": null,
    })
}

fn get() -> Operation {
    Operation::new(
        Get,
        "/entities/name-request",
        "getNameRequest",
        "The most recent request for another name",
    )
    .response::<NameRequestResponse<'_>>(json!({
        "data": example(), "message": "The name change request waits for its review",
        "suggestedAliases": [],
    }))
    .error(400, "entityId is required")
    .error(404, "Entity not found")
}

fn create() -> Operation {
    Operation::new(
        Post,
        "/entities/name-request",
        "requestName",
        "Requests another name",
    )
    .extension()
    .description(
        "The operator reviews the request. For an approved name, recorded answers are read again as far back as their \
         texts are kept. An entity can have one pending request. A name or an alias that another tracked brand has is refused.",
    )
    .request_body(json!({"entityId": ENTITY, "suggestedName": "Velumora Sports", "reason": "We are called so now."}))
    .response::<CreateNameRequestResponse<'_>>(
        json!({"data": example(), "message": "The name change request was filed and waits for its review"}),
    )
    .error(400, "suggestedName must differ from the current name")
    .error(404, "Entity not found")
    .error(
        409,
        "A name change request of this entity waits for its review already",
    )
    .error(409, "suggestedName must not have “Velumora”: another tracked brand has it as name, alias or domain")
    .link("getNameRequest", json!({"entityId": "$request.body#/entityId"}))
}
