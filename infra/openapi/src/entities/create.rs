//! Describes `POST /entities`.

use ::entities::create::CreateEntityResponse;
use api::Method::Post;
use domain::limits::{CREATES_PER_HOUR, GENERATED_PROMPTS};
use serde_json::{Value, json};

use crate::examples::{MODEL, PROMPT_1, PROMPT_2, entity};
use crate::operation::Operation;
use crate::request_schemas::at_least_one;

pub(super) fn create() -> Operation {
    let operation = Operation::new(
        Post,
        "/entities",
        "createEntity",
        "Tracks a website or an individual",
    )
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
    .error(403, "The workspace's limit of 25 entities is reached")
    .error(
        403,
        "The workspace's limit of 500 prompts would be exceeded: 7 are free",
    )
    .error(409, "This domain or name is tracked in the workspace already")
    .error(429, "The hourly limit of entity creations is reached")
    .error(
        502,
        "Prompts could not be generated: the provider refuses the service's API key, which the operator must replace; \
         until then, give prompts, or set generatePrompts to false",
    )
    .error(503, "Prompts could not be generated");
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

/// Adds the links to the operations that take the new entity's id.
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
            operation.link(target, json!({"entityId": id}))
        })
        .link(
            "getCitationDetails",
            json!({"entityId": id, "citedEntityUuid": "$response.body#/data/entityUuid"}),
        )
        .link("checkDomain", json!({"domain": "$response.body#/data/target"}))
        .link(
            "addPrompt",
            json!({"entityId": id, "prompt": "Which running shoes last longest?"}),
        )
        .link("updateEntity", json!({"entityId": id, "frequencyHours": 12}))
        .link("runCheck", json!({"entityId": id}))
        .link(
            "requestName",
            json!({"entityId": id, "suggestedName": "Velumora Sports"}),
        )
        .link(
            "updatePrompt",
            json!({"promptId": "$response.body#/prompts/0/id", "isActive": false}),
        )
        .link(
            "deletePrompt",
            json!({"promptId": "$response.body#/prompts/0/id"}),
        )
}
