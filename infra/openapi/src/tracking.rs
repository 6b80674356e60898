//! Checks of an entity, and whether a domain is tracked.

use api::Method::{Get, Post};
use domain::limits::{MAX_CHECKS_PER_DAY, MAX_FREQUENCY_HOURS};
use serde_json::{Value, json};

use crate::entities::target;
use crate::examples::{ENTITY, NOW_ISO};
use crate::operation::Operation;
use crate::parameters::{required, shared};
use crate::schema::{
    count, field, flag, given_id, id, list, nullable, object, one_of, reference, text, timestamp, uuid, whole,
};

pub(crate) fn operations() -> Vec<Operation> {
    vec![check_domain(), status(), run_check()]
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let problem = object([
        field("provider", nullable(text("Null for missing credits"))),
        field(
            "modelId",
            nullable(uuid("The model's uuid; null where the whole provider is meant")),
        ),
        field("reason", text("What is wrong")),
        field("since", timestamp("Since when")),
    ]);
    vec![("Problem", problem)]
}

fn check_domain() -> Operation {
    let data = object([
        field("domain", text("The target that an entity would get")),
        field("available", flag("It is not tracked in this workspace")),
        field("reason", one_of(&["not_tracked", "already_in_workspace"], "Why")),
        field(
            "entityId",
            nullable(id("", "The entity that tracks it; null where none does")),
        ),
    ]);
    Operation::new(
        Get,
        "/entities/check-domain",
        "checkDomain",
        "Whether a domain is tracked in the workspace",
    )
    .extension()
    .parameters([required(
        "domain",
        target("A domain such as example.com, or an http(s) URL"),
        "velumora.example",
    )])
    .response_fields(
        [field("data", data)],
        json!({"data": {"domain": "velumora.example", "available": false,
            "reason": "already_in_workspace", "entityId": ENTITY}}),
    )
    .error(400, "domain must not be a public suffix")
}

fn status() -> Operation {
    let data = object([
        field("scheduled", flag("A check will run by itself")),
        field(
            "lastCheckCompletedAt",
            nullable(timestamp(
                "When the last check was done; null before the first one",
            )),
        ),
        field(
            "nextCheckScheduledAt",
            nullable(timestamp("When the next one is due; null where none is")),
        ),
        field("isProcessing", flag("A check is running")),
        field(
            "frequencyHours",
            whole(1, MAX_FREQUENCY_HOURS.into(), "Hours between checks"),
        ),
        field(
            "problems",
            list(
                reference("Problem"),
                "Why checks do not give all they should; none when all is well",
            ),
        )
        .extension(),
    ]);
    Operation::new(
        Get,
        "/entities/tracking-status",
        "getTrackingStatus",
        "The last check, the next one, and whether one runs",
    )
    .description("Poll it to learn when there is new data.")
    .parameters([shared("EntityId")])
    .response_fields(
        [field("data", data)],
        json!({"data": {
            "scheduled": true, "lastCheckCompletedAt": NOW_ISO,
            "nextCheckScheduledAt": "2026-11-22T04:12:48.941Z",
            "isProcessing": false, "frequencyHours": 24, "problems": [],
        }}),
    )
    .error(400, "entityId is required")
    .error(404, "Entity not found")
}

fn run_check() -> Operation {
    let data = object([
        field("entityId", id("", "The entity")),
        field("isProcessing", flag("A check is running")),
        field(
            "questions",
            count("Questions that are asked: prompts times models"),
        ),
    ]);
    Operation::new(
        Post,
        "/entities/run-check",
        "runCheck",
        "A check now; the schedule stays as it is",
    )
    .extension()
    .description(format!(
        "It costs credits. An entity has at most {MAX_CHECKS_PER_DAY} checks a day before no more \
         can be asked for."
    ))
    .request_body(
        object([field("entityId", given_id("The entity"))]),
        json!({"entityId": ENTITY}),
    )
    .response_fields(
        [field("data", data)],
        json!({"data": {"entityId": ENTITY, "isProcessing": true,
        "questions": 4}}),
    )
    .error(400, "entityId must name an entity with an active prompt")
    .error(
        400,
        "entityId must name an entity with a model of a configured provider",
    )
    .error(403, "The check needs 4 credits, the balance is 3")
    .error(
        403,
        format!(
            "An entity has at most {MAX_CHECKS_PER_DAY} checks a day before no more can be \
         asked for"
        ),
    )
    .error(404, "Entity not found")
    .error(409, "A check of this entity is running")
    .link(
        "getTrackingStatus",
        json!({"entityId": "$response.body#/data/entityId"}),
    )
}
