//! Describes `POST /entities`.

use ::entities::create::CreateEntityResponse;
use api::Method::Post;
use domain::entity::TrackingType;
use domain::limits::{
    CREATES_PER_HOUR, GENERATED_PROMPTS, MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS, MAX_PROMPTS_PER_REQUEST,
    MAX_TARGET_CHARS,
};
use serde_json::{Value, json};

use super::fields::models;
use crate::examples::{MODEL, PROMPT_1, PROMPT_2, entity};
use crate::operation::Operation;
use crate::prompts::fields::question_or_object;
use crate::request_schemas::{
    array, at_least_one, boolean, enumeration, extend, geolocation, language, multi_line_or_empty, object,
    optional, required, single_line, single_line_or_empty,
};

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
    .request_body(body(), example_request())
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

fn body() -> Value {
    let domain = single_line_or_empty(
        MAX_TARGET_CHARS,
        "A domain such as example.com, or an http(s) URL, whose path counts too. IP addresses, single labels, public \
         suffixes, ports and credentials are invalid. Only an individual can be without a domain.",
    );
    let prompts = array(
        question_or_object(),
        "Prompts, each as a text, or as an object with a language, geolocation or tags of its own. Duplicates are one prompt.",
    );
    let generate = boolean(
        "Generate up to 10 prompts if `prompts` is not given. With `false` there are no prompts. Default: `true`.",
    );
    let fields = object([
        required("name", single_line(MAX_NAME_CHARS, "The display name")),
        optional("domain", domain),
        optional(
            "description",
            multi_line_or_empty(
                MAX_DESCRIPTION_CHARS,
                "What the brand offers. Generated prompts ask for it.",
            ),
        ),
        optional("language", language("The default language of the prompts.")),
        optional(
            "geolocation",
            geolocation("The default geolocation of the prompts."),
        ),
        optional(
            "trackingType",
            enumeration::<TrackingType>("What is tracked. Default: `website`."),
        ),
        required("models", models()),
        optional(
            "prompts",
            extend(prompts, json!({"maxItems": MAX_PROMPTS_PER_REQUEST})),
        ),
        optional("generatePrompts", generate),
        optional(
            "startTracking",
            boolean("Run the first check at once. Default: `true`."),
        ),
    ]);
    let domain_or_individual = at_least_one([
        ("domain", json!({"type": "string", "pattern": "\\S"})),
        ("trackingType", json!({"const": "individual"})),
    ]);
    extend(fields, domain_or_individual)
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
