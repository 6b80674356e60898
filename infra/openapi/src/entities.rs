//! Describes the operations of `/entities` and the paths of an entity's checks and names.

use ::entities::check_domain::CheckDomainResponse;
use ::entities::create::CreateEntityResponse;
use ::entities::delete::DeleteEntityResponse;
use ::entities::generate_prompts::{NOT_GENERATED, REFUSED_KEY};
use ::entities::list::ListEntitiesResponse;
use ::entities::name_request::view::{CreateNameRequestResponse, NameRequestResponse};
use ::entities::run_check::RunCheckResponse;
use ::entities::tracking_status::TrackingStatusResponse;
use ::entities::update::{BOUND_KEY_RULE, UpdateEntityResponse};
use domain::limits::{CREATES_PER_HOUR, GENERATED_PROMPTS, MAX_CHECKS_PER_DAY, PLAN_ENTITIES, PLAN_PROMPTS};
use domain::time::MINUTE;
use serde_json::{Value, json};
use store::{ClaimError, CreateEntityError, NameRequestError, Refusal, TakenName, UpdateEntityError};

use crate::examples::{ENTITY, MODEL, NOW, NOW_ISO, PROMPT_1, PROMPT_2, entity};
use crate::operation::{Operation, Tag};
use crate::request_schemas::at_least_one;

pub(crate) fn tag() -> Tag {
    Tag {
        name: "Entities",
        description: "The brands and web presences that the workspace tracks, with their checks and names",
        operations: vec![
            list(),
            create(),
            update(),
            delete(),
            check_domain(),
            tracking_status(),
            run_check(),
            get_name_request(),
            request_name(),
        ],
    }
}

fn taken() -> TakenName {
    TakenName("Velumora".to_owned())
}

fn list() -> Operation {
    Operation::new("listEntities", "The workspace's entities, oldest first")
        .response::<ListEntitiesResponse<'_>>(json!({"data": [entity()], "count": 1}))
        .link("listPrompts", "entityId", "$response.body#/data/0/id")
        .link("getVisibilityTrend", "entityId", "$response.body#/data/0/id")
}

fn update() -> Operation {
    Operation::new("updateEntity", "Changes an entity")
        .extension()
        .description(
            "Only the given fields change. The name changes by POST /entities/name-request, and so do the aliases with a key that is \
             bound to entities. If the aliases change, recorded answers are read again: `rereading` of GET \
             /entities/tracking-status shows how far.",
        )
        .request_body(json!({"entityId": ENTITY, "aliases": ["Velumora Sports"], "frequencyHours": 12}))
        .response::<UpdateEntityResponse<'_>>(json!({"data": entity(), "suggestedAliases": []}))
        .error(400, "frequencyHours must be a whole number from 1 to 720")
        .error(403, format!("aliases {BOUND_KEY_RULE}"))
        .refusal(UpdateEntityError::AlreadyTracked)
        .refusal(UpdateEntityError::AliasTaken(taken()))
}

fn delete() -> Operation {
    Operation::new("deleteEntity", "Deletes an entity")
        .extension()
        .description("It stops counting towards the workspace's limits at once. Its data expires.")
        .response::<DeleteEntityResponse>(json!({"data": {"entityId": ENTITY}}))
}

fn create() -> Operation {
    let operation = Operation::new("createEntity", "Tracks a website or an individual")
    .description(format!(
        "Either the entity, its prompts and its first check are all created, or nothing is. Without `prompts` \
         {GENERATED_PROMPTS} prompts are generated, or fewer if the workspace's limit leaves room for fewer. A target is \
         tracked once in a workspace. A workspace can create at most {CREATES_PER_HOUR} entities per hour."
    ))
    .request_body(example_request())
    .condition(domain_or_individual())
    .response::<CreateEntityResponse<'_>>(example_response())
    .error(400, "domain must not be a public suffix")
    .error(400, "models[0] must be the uuid of a model from GET /models")
    .refusal(CreateEntityError::EntityLimit { limit: PLAN_ENTITIES })
    .refusal(Refusal::PromptLimit { limit: PLAN_PROMPTS, free: 7 })
    .refusal(CreateEntityError::AlreadyTracked)
    .refusal(CreateEntityError::TooMany { retry_after: MINUTE })
    .error(502, REFUSED_KEY)
    .error(503, NOT_GENERATED);
    with_links(operation)
}

/// Only an individual can be without a domain.
fn domain_or_individual() -> Value {
    at_least_one([
        ("domain", json!({"type": "string", "pattern": "\\S"})),
        ("trackingType", json!({"const": "individual"})),
    ])
}

fn example_request() -> Value {
    json!({
        "name": "Velumora", "domain": "velumora.example", "models": [MODEL],
        "prompts": ["Which running shoes are best for beginners?",
        {"prompt": "Welcher Laufschuh ist der beste?", "language": "de", "geolocation": "de"}],
    })
}

fn example_response() -> Value {
    let prompt = |id: &str, text: &str, language: &str, geolocation: &str| json!({"id": id, "prompt": text, "language": language, "geolocation": geolocation});
    json!({
        "data": entity(), "promptsGenerated": 2, "prompts": [
            prompt(PROMPT_1, "Which running shoes are best for beginners?", "en", "us"),
            prompt(PROMPT_2, "Welcher Laufschuh ist der beste?", "de", "de"),
        ],
        "suggestedAliases": [], "trackingStarted": true, "message": "Entity created and tracking started",
    })
}

fn with_links(operation: Operation) -> Operation {
    let id = "$response.body#/data/id";
    let by_id_alone = [
        "listPrompts",
        "listActions",
        "getVisibilityTrend",
        "getCitationTrend",
        "compareTrends",
        "listCitations",
        "listCompetitors",
        "listQueryFanouts",
        "listResponses",
        "getTrackingStatus",
        "getNameRequest",
        "deleteEntity",
    ];
    by_id_alone
        .into_iter()
        .fold(operation, |operation, target| {
            operation.link(target, "entityId", id)
        })
        .link("getCitationDetails", "entityId", id)
        .with("citedEntityUuid", "$response.body#/data/entityUuid")
        .link("checkDomain", "domain", "$response.body#/data/target")
        .link("addPrompt", "entityId", id)
        .with("prompt", "Which running shoes last longest?")
        .link("updateEntity", "entityId", id)
        .with("frequencyHours", 12)
        .link("runCheck", "entityId", id)
        .link("requestName", "entityId", id)
        .with("suggestedName", "Velumora Sports")
        .link("updatePrompt", "promptId", "$response.body#/prompts/0/id")
        .with("isActive", false)
        .link("deletePrompt", "promptId", "$response.body#/prompts/0/id")
}

fn check_domain() -> Operation {
    Operation::new("checkDomain", "Whether a domain is tracked in the workspace")
    .extension()
    .response::<CheckDomainResponse<'_>>(json!({"data": {
        "domain": "velumora.example", "available": false, "reason": "already_in_workspace", "entityId": ENTITY,
    }}))
    .error(400, "domain must not be a public suffix")
}

fn tracking_status() -> Operation {
    Operation::new("getTrackingStatus", "The last check, the next one, and whether one runs")
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
}

fn run_check() -> Operation {
    let limit =
        format!("An entity has at most {MAX_CHECKS_PER_DAY} checks a day before no more can be asked for");
    Operation::new("runCheck", "Starts a check now, without changing the schedule")
    .extension()
    .description(format!(
        "The check costs credits. Once an entity has had {MAX_CHECKS_PER_DAY} checks on a day, no more can be requested \
         on that day."
    ))
    .request_body(json!({"entityId": ENTITY}))
    .response::<RunCheckResponse<'_>>(
        json!({"data": {"entityId": ENTITY, "isProcessing": true, "questions": 4}}),
    )
    .refusal(ClaimError::NoActivePrompt)
    .refusal(ClaimError::NoModel)
    .refusal(ClaimError::NoCredits { needed: 4, balance: 3 })
    .refusal(ClaimError::PlanTooLarge { prompts: 4_000, brands: 60_000 })
    .error(403, limit)
    .refusal(ClaimError::Running)
    .link("getTrackingStatus", "entityId", "$response.body#/data/entityId")
}

fn example_name_request() -> Value {
    json!({
        "id": "5tGv8JkLw2ZnXq1C", "currentName": "Velumora", "suggestedName": "Velumora Sports",
        "aliases": null, "reason": "We are called so now.", "status": "pending", "createdAt": NOW, "reviewedAt": null,
        "reviewNote": null,
    })
}

fn get_name_request() -> Operation {
    Operation::new("getNameRequest", "The most recent request for another name")
        .response::<NameRequestResponse<'_>>(json!({
            "data": example_name_request(), "message": "The name change request waits for its review",
            "suggestedAliases": [],
        }))
}

fn request_name() -> Operation {
    Operation::new("requestName", "Requests another name")
    .extension()
    .description(
        "The operator reviews the request. For an approved name, recorded answers are read again as far back as their \
         texts are kept. An entity can have one pending request. A name or an alias that another tracked brand has is refused.",
    )
    .request_body(json!({"entityId": ENTITY, "suggestedName": "Velumora Sports", "reason": "We are called so now."}))
    .response::<CreateNameRequestResponse<'_>>(
        json!({"data": example_name_request(), "message": "The name change request was filed and waits for its review"}),
    )
    .refusal(NameRequestError::SameName)
    .refusal(NameRequestError::Pending)
    .refusal(NameRequestError::NameTaken(taken()))
    .link("getNameRequest", "entityId", "$request.body#/entityId")
}
