//! `/entities` and what belongs to an entity's tracking.

use api::Method::{Delete, Get, Patch};
use domain::entity::TrackingType;
use domain::limits::{
    DEFAULT_FREQUENCY_HOURS, MAX_ALIASES, MAX_DESCRIPTION_CHARS, MAX_FREQUENCY_HOURS, MAX_NAME_CHARS,
    MAX_TARGET_CHARS,
};
use domain::target::TargetType;
use serde_json::{Value, json};

use crate::examples::{BRAND, ENTITY, MODEL, NOW};
use crate::locale::{geolocation, given_geolocation, given_language, language};
use crate::operation::{Group, Operation};
use crate::parameters::shared;
use crate::schema::{
    any_text, at_times, count, field, flag, given_id, id, line, lines_or_none, list, millis, nullable,
    object, optional, reference, some_of, text, uuid, variant, whole, with,
};
use crate::{creation, naming, tracking};

pub(crate) fn group() -> Group {
    let mut operations = vec![all(), creation::create(), change(), delete()];
    operations.extend(tracking::operations());
    operations.extend(naming::operations());
    Group {
        tag: "Entities",
        description: "What the workspace tracks, its checks and its names",
        operations,
    }
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    vec![("Entity", entity())]
}

fn entity() -> Value {
    object([
        field("id", id("", "This workspace's tracking of the target")),
        field("entityUuid", uuid("The brand: the same in every workspace")).extension(),
        field("name", text("Display name")),
        field(
            "target",
            text(
                "The tracked host, with a path if one was given; of an individual without a domain the name",
            ),
        ),
        field("targetType", variant::<TargetType>("`url`: a host and a path")),
        field("trackingType", variant::<TrackingType>("What is tracked")).extension(),
        field("description", any_text("Empty where none was given")),
        field(
            "faviconUrl",
            nullable(text(
                "Favicon of the target's host; null for an individual without a domain",
            )),
        ),
        field(
            "language",
            language("Language of prompts that have none of their own"),
        ),
        field(
            "geolocation",
            geolocation("Place of prompts that have none of their own"),
        ),
        field(
            "models",
            list(uuid("A model's uuid"), "The models that are asked"),
        )
        .extension(),
        field(
            "aliases",
            list(text("A name"), "Other names that count as mentions"),
        )
        .extension(),
        field("isActive", flag("Whether checks run by themselves")),
        field(
            "frequencyHours",
            whole(1, MAX_FREQUENCY_HOURS.into(), "Hours between checks"),
        )
        .extension(),
        field("createdAt", millis("When it was created")).extension(),
    ])
}

pub(crate) fn example() -> Value {
    json!({
        "id": ENTITY, "entityUuid": BRAND, "name": "Velumora", "target": "velumora.example",
        "targetType": "domain",
        "trackingType": "website", "description": "Running shoes",
        "faviconUrl": "https://velumora.example/favicon.ico",
        "language": "en", "geolocation": "us", "models": [MODEL], "aliases": ["Velumora Sports"],
        "isActive": true,
        "frequencyHours": DEFAULT_FREQUENCY_HOURS, "createdAt": NOW,
    })
}

/// A domain or URL that a client sends.
pub(crate) fn target(description: &str) -> Value {
    line(MAX_TARGET_CHARS, description)
}

/// Models that a client sends.
pub(crate) fn models() -> Value {
    let models = list(
        uuid("The `uuid` of a model from GET /models"),
        "The models that are asked",
    );
    with(models, json!({"minItems": 1}))
}

fn all() -> Operation {
    Operation::new(
        Get,
        "/entities",
        "listEntities",
        "The workspace's entities, oldest first",
    )
    .response_fields(
        [
            field("data", list(reference("Entity"), "The entities")),
            field("count", count("How many are in `data`")),
        ],
        json!({"data": [example()], "count": 1}),
    )
    .link("listPrompts", json!({"entityId": "$response.body#/data/0/id"}))
    .link(
        "getVisibilityTrend",
        json!({"entityId": "$response.body#/data/0/id"}),
    )
}

fn change() -> Operation {
    let aliases = list(
        line(MAX_NAME_CHARS, "A name"),
        "The whole new set of other names that count as mentions",
    );
    let fields = object([
        field("entityId", given_id("The entity")),
        at_times(
            "name",
            json!({"type": "null", "description": "Not here: POST /entities/name-request"}),
        ),
        optional(
            "target",
            target("Another host or path of the same registrable domain"),
        ),
        optional(
            "description",
            lines_or_none(MAX_DESCRIPTION_CHARS, "What the brand offers"),
        ),
        optional(
            "language",
            given_language("Language of prompts that have none of their own"),
        ),
        optional(
            "geolocation",
            given_geolocation("Place of prompts that have none of their own"),
        ),
        optional("models", models()),
        optional("aliases", with(aliases, json!({"maxItems": MAX_ALIASES}))),
        optional("isActive", flag("`true` makes it due at once")),
        optional(
            "frequencyHours",
            whole(
                1,
                MAX_FREQUENCY_HOURS.into(),
                "Hours between checks, from the last slot on",
            ),
        ),
    ]);
    let changes = [
        "target",
        "description",
        "language",
        "geolocation",
        "models",
        "aliases",
        "isActive",
        "frequencyHours",
    ];
    Operation::new(Patch, "/entities", "updateEntity", "Changes an entity")
        .extension()
        .description("Only what is given changes. A name changes by request.")
        .request_body(
            with(fields, some_of(&changes)),
            json!({"entityId": ENTITY, "aliases": ["Velumora Sports"], "frequencyHours": 12}),
        )
        .response_fields([field("data", reference("Entity"))], json!({"data": example()}))
        .error(400, "frequencyHours must be a whole number from 1 to 720")
        .error(404, "Entity not found")
        .error(409, "This target is tracked in the workspace already")
}

fn delete() -> Operation {
    let gone = object([field("entityId", id("", "The entity's id"))]);
    Operation::new(Delete, "/entities", "deleteEntity", "Ends a tracking")
        .extension()
        .description("Its quota is free at once; its data expires.")
        .parameters([shared("EntityId")])
        .response_fields([field("data", gone)], json!({"data": {"entityId": ENTITY}}))
        .error(400, "entityId is required")
        .error(404, "Entity not found")
}
