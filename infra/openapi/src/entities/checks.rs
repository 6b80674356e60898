//! Checks of an entity, and whether a domain is tracked.

use ::entities::check_domain::CheckDomainResponse;
use ::entities::run_check::RunCheckResponse;
use ::entities::tracking_status::TrackingStatusResponse;
use api::Method::{Get, Post};
use domain::limits::MAX_CHECKS_PER_DAY;
use serde_json::json;

use crate::examples::{ENTITY, NOW_ISO};
use crate::operation::Operation;

pub(super) fn operations() -> [Operation; 3] {
    [check_domain(), tracking_status(), run_check()]
}

fn check_domain() -> Operation {
    Operation::new(
        Get,
        "/entities/check-domain",
        "checkDomain",
        "Whether a domain is tracked in the workspace",
    )
    .extension()
    .response::<CheckDomainResponse<'_>>(json!({"data": {
        "domain": "velumora.example", "available": false, "reason": "already_in_workspace", "entityId": ENTITY,
    }}))
    .error(400, "domain must not be a public suffix")
}

fn tracking_status() -> Operation {
    Operation::new(
        Get,
        "/entities/tracking-status",
        "getTrackingStatus",
        "The last check, the next one, and whether one runs",
    )
    .description(
        "Poll this endpoint to learn when new data is available. A check that is due waits (`queued`) until other checks leave \
         room for it. When a check has been running for ten minutes, its answers so far count in all figures; they are complete \
         when it ends.",
    )
    .response::<TrackingStatusResponse>(json!({"data": {
        "scheduled": true, "lastCheckCompletedAt": NOW_ISO,
        "nextCheckScheduledAt": "2026-11-22T04:12:48.941Z",
        "isProcessing": false, "queued": null, "progress": null, "frequencyHours": 24, "problems": [], "rereading": {"done": 12, "total": 90},
    }}))
    .error(400, "entityId is required")
    .error(404, "Entity not found")
}

fn run_check() -> Operation {
    let limit =
        format!("An entity has at most {MAX_CHECKS_PER_DAY} checks a day before no more can be asked for");
    Operation::new(
        Post,
        "/entities/run-check",
        "runCheck",
        "Starts a check now, without changing the schedule",
    )
    .extension()
    .description(format!(
        "The check costs credits. Once an entity has had {MAX_CHECKS_PER_DAY} checks on a day, no more can be requested \
         on that day."
    ))
    .request_body(json!({"entityId": ENTITY}))
    .response::<RunCheckResponse<'_>>(
        json!({"data": {"entityId": ENTITY, "isProcessing": true, "questions": 4}}),
    )
    .error(400, "entityId must name an entity with an active prompt")
    .error(
        400,
        "entityId must name an entity with a model of a configured provider",
    )
    .error(403, "The check needs 4 credits, the balance is 3")
    .error(
        403,
        "A check of 4000 prompts that looks for 60000 brands is too large",
    )
    .error(403, limit)
    .error(404, "Entity not found")
    .error(409, "A check of this entity is running")
    .link(
        "getTrackingStatus",
        json!({"entityId": "$response.body#/data/entityId"}),
    )
}
