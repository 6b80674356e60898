//! `/entities/name-request`.

use api::Method::{Get, Post};
use domain::limits::{MAX_NAME_CHARS, MAX_REASON_CHARS};
use domain::name_request::ReviewStatus;
use serde_json::{Value, json};

use crate::examples::{ENTITY, NOW};
use crate::operation::Operation;
use crate::parameters::shared;
use crate::schema::{
    any_text, field, given_id, id, line, lines_or_none, millis, nullable, object, optional, reference, text,
    variant,
};

pub(crate) fn operations() -> Vec<Operation> {
    vec![last(), file()]
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let request = object([
        field("id", id("", "The request's id")),
        field("currentName", text("The entity's name when the request was made")),
        field("suggestedName", text("The name that is wanted")),
        field("reason", any_text("Why; empty where none was given")),
        field(
            "status",
            variant::<ReviewStatus>("The operator approves or rejects"),
        ),
        field("createdAt", millis("When it was filed")),
        field(
            "reviewedAt",
            nullable(millis("When it was reviewed; null before")),
        ),
        field(
            "reviewNote",
            nullable(any_text("What the operator noted; null before the review")),
        ),
    ]);
    vec![("NameRequest", request)]
}

fn example() -> Value {
    json!({
        "id": "5tGv8JkLw2ZnXq1C", "currentName": "Velumora", "suggestedName": "Velumora Sports",
        "reason": "We are called so now.", "status": "pending", "createdAt": NOW, "reviewedAt": null,
        "reviewNote": null,
    })
}

fn last() -> Operation {
    Operation::new(
        Get,
        "/entities/name-request",
        "getNameRequest",
        "The most recent request for another name",
    )
    .parameters([shared("EntityId")])
    .response_fields(
        [
            field("data", nullable(reference("NameRequest"))),
            field("message", text("Where it stands")),
        ],
        json!({"data": example(), "message": "The name change request waits for its review"}),
    )
    .error(400, "entityId is required")
    .error(404, "Entity not found")
}

fn file() -> Operation {
    let body = object([
        field("entityId", given_id("The entity")),
        field(
            "suggestedName",
            line(
                MAX_NAME_CHARS,
                "The name that is wanted, other than the current one",
            ),
        ),
        optional("reason", lines_or_none(MAX_REASON_CHARS, "Why")),
    ]);
    Operation::new(
        Post,
        "/entities/name-request",
        "requestName",
        "Files a request for another name",
    )
    .extension()
    .description(
        "The operator reviews it; an approved name is matched from the next check on. One at a time \
         can be pending.",
    )
    .request_body(
        body,
        json!({"entityId": ENTITY, "suggestedName": "Velumora Sports",
        "reason": "We are called so now."}),
    )
    .response_fields(
        [
            field("data", reference("NameRequest")),
            field("message", text("What was done")),
        ],
        json!({"data": example(), "message": "The name change request was filed and waits for its \
             review"}),
    )
    .error(400, "suggestedName must differ from the current name")
    .error(404, "Entity not found")
    .error(
        409,
        "A name change request of this entity waits for its review already",
    )
    .link("getNameRequest", json!({"entityId": "$request.body#/entityId"}))
}
