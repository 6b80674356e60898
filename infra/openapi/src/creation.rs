//! `POST /entities`.

use api::Method::Post;
use domain::entity::TrackingType;
use domain::limits::{
    CREATES_PER_HOUR, GENERATED_PROMPTS, MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS, MAX_PROMPTS_PER_REQUEST,
    MAX_TARGET_CHARS,
};
use serde_json::json;

use crate::entities::{example, models};
use crate::examples::{MODEL, PROMPT_1, PROMPT_2};
use crate::locale::{given_geolocation, given_language};
use crate::operation::Operation;
use crate::prompts::given_prompt;
use crate::schema::{
    count, field, flag, given, line, line_or_none, lines_or_none, list, object, optional, reference, text,
    variant, with,
};

pub(crate) fn create() -> Operation {
    let prompts = list(
        given_prompt(false),
        "A prompt's text, or its text with a language or place of its own",
    );
    let prompts = with(prompts, json!({"maxItems": MAX_PROMPTS_PER_REQUEST}));
    let domain = line_or_none(
        MAX_TARGET_CHARS,
        "A domain such as example.com, or an http(s) URL, whose path counts too. No IP address, single \
         label, public \
         suffix, port or credentials. Required but for an individual",
    );
    let fields = object([
        field("name", line(MAX_NAME_CHARS, "Display name")),
        optional("domain", domain),
        optional(
            "description",
            lines_or_none(
                MAX_DESCRIPTION_CHARS,
                "What the brand offers: generated prompts ask for it",
            ),
        ),
        optional("language", given_language("Default language of the prompts")),
        optional("geolocation", given_geolocation("Default place of the prompts")),
        optional(
            "trackingType",
            with(
                variant::<TrackingType>("What is tracked"),
                json!({"default": "website"}),
            ),
        ),
        field("models", models()),
        optional("prompts", prompts),
        optional(
            "generatePrompts",
            with(
                flag("Generate up to 10 prompts; ignored where `prompts` is given. `false`: no prompts"),
                json!({"default": true}),
            ),
        ),
        optional(
            "startTracking",
            with(flag("Run the first check at once"), json!({"default": true})),
        ),
    ]);
    let domain_or_individual = json!({"anyOf": [
        given("domain", json!({"type": "string", "pattern": "\\S"})),
        given("trackingType", json!({"const": "individual"})),
    ]});
    let request = json!({
        "name": "Velumora", "domain": "velumora.example", "models": [MODEL],
        "prompts": ["Which running shoes are best for beginners?",
        {"prompt": "Welcher Laufschuh ist der beste?", "language": "de", "geolocation": "de"}],
    });
    let prompt = |id: &str, text: &str, language: &str, place: &str| {
        json!({"id": id, "prompt": text,
    "language": language, "geolocation": place})
    };
    let answer = json!({
        "data": example(), "promptsGenerated": 2, "prompts": [
            prompt(PROMPT_1, "Which running shoes are best for beginners?", "en", "us"),
            prompt(PROMPT_2, "Welcher Laufschuh ist der beste?", "de", "de"),
        ],
        "trackingStarted": true, "message": "Entity created and tracking started",
    });
    let operation = Operation::new(
        Post,
        "/entities",
        "createEntity",
        "Tracks a website or an individual",
    )
    .description(format!(
        "All or nothing: the entity, its prompts and its first check. Without `prompts` \
             {GENERATED_PROMPTS} are \
             generated, fewer where fewer are free. A target is tracked once in a workspace. At most \
             {CREATES_PER_HOUR} entities per workspace and hour."
    ))
    .request_body(with(fields, domain_or_individual), request)
    .response_fields(
        [
            field("data", reference("Entity")),
            field(
                "promptsGenerated",
                count("Prompts that were saved, generated or given"),
            ),
            field("prompts", list(reference("Prompt"), "They themselves")),
            field("trackingStarted", flag("A first check was started")),
            field("message", text("What was done; where no check was started, why")),
        ],
        answer,
    )
    .error(400, "domain must not be a public suffix")
    .error(400, "models[0] must be the uuid of a model from GET /models")
    .error(403, "The workspace's limit of 25 entities is reached")
    .error(
        403,
        "The workspace's limit of 500 prompts would be exceeded: 7 are free",
    )
    .error(409, "This domain or name is tracked in the workspace already")
    .error(429, "The hourly limit of entity creations is reached")
    .error(503, "Prompts could not be generated");
    links(operation)
}

/// What a new entity's id is good for.
fn links(operation: Operation) -> Operation {
    let id = "$response.body#/data/id";
    let reads = [
        "listPrompts",
        "listActions",
        "getVisibilityTrend",
        "getCitationTrend",
        "listCitations",
        "listCompetitors",
        "listQueryFanouts",
        "listResponses",
        "getTrackingStatus",
        "getNameRequest",
        "deleteEntity",
    ];
    reads
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
