//! `/entities` and what belongs to an entity's tracking.

use api::Method::{Delete, Get, Patch, Post};
use domain::entity::TrackingType;
use domain::limits::{
    ALIASES, CREATES_PER_HOUR, DESCRIPTION_CHARS, FREQUENCY_HOURS_DEFAULT, FREQUENCY_HOURS_MOST,
    GENERATED_PROMPTS, NAME_CHARS, PROMPTS_PER_REQUEST, TARGET_CHARS,
};
use domain::target::TargetType;
use serde_json::{Value, json};

use crate::examples::{BRAND, ENTITY, MODEL, NOW, PROMPT_1, PROMPT_2};
use crate::locale::{geolocation, given_geolocation, given_language, language};
use crate::operation::{Group, Operation};
use crate::parameters::shared;
use crate::prompts::given_prompt;
use crate::schema::{
    any_text, at_times, count, field, flag, given, given_id, id, line, line_or_none, lines_or_none, list,
    millis, nullable, object, optional, reference, some_of, text, uuid, variant, whole, with,
};
use crate::{naming, tracking};

pub(crate) fn group() -> Group {
    let mut operations = vec![all(), create(), change(), delete()];
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
            whole(1, FREQUENCY_HOURS_MOST.into(), "Hours between checks"),
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
        "frequencyHours": FREQUENCY_HOURS_DEFAULT, "createdAt": NOW,
    })
}

/// A domain or URL that a client sends.
pub(crate) fn target(description: &str) -> Value {
    line(TARGET_CHARS, description)
}

/// Models that a client sends.
fn models() -> Value {
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
    .answers(
        [
            field("data", list(reference("Entity"), "The entities")),
            field("count", count("How many are in `data`")),
        ],
        json!({"data": [example()], "count": 1}),
    )
    .leads_to("listPrompts", json!({"entityId": "$response.body#/data/0/id"}))
    .leads_to(
        "getVisibilityTrend",
        json!({"entityId": "$response.body#/data/0/id"}),
    )
}

fn create() -> Operation {
    let prompts = list(
        given_prompt(false),
        "A prompt's text, or its text with a language or place of its own",
    );
    let prompts = with(prompts, json!({"maxItems": PROMPTS_PER_REQUEST}));
    let domain = line_or_none(
        TARGET_CHARS,
        "A domain such as example.com, or an http(s) URL, whose path counts too. No IP address, single \
         label, public \
         suffix, port or credentials. Required but for an individual",
    );
    let fields = object([
        field("name", line(NAME_CHARS, "Display name")),
        optional("domain", domain),
        optional(
            "description",
            lines_or_none(
                DESCRIPTION_CHARS,
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
    .says(format!(
        "All or nothing: the entity, its prompts and its first check. Without `prompts` \
             {GENERATED_PROMPTS} are \
             generated, fewer where fewer are free. A target is tracked once in a workspace. At most \
             {CREATES_PER_HOUR} entities per workspace and hour."
    ))
    .reads(with(fields, domain_or_individual), request)
    .answers(
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
    .fails(400, "domain must not be a public suffix")
    .fails(400, "models[0] must be the uuid of a model from GET /models")
    .fails(403, "The workspace's limit of 25 entities is reached")
    .fails(
        403,
        "The workspace's limit of 500 prompts would be exceeded: 7 are free",
    )
    .fails(409, "This domain or name is tracked in the workspace already")
    .fails(429, "The hourly limit of entity creations is reached")
    .fails(503, "Prompts could not be generated");
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
            operation.leads_to(target, json!({"entityId": id}))
        })
        .leads_to(
            "getCitationDetails",
            json!({"entityId": id, "citedEntityUuid": "$response.body#/data/entityUuid"}),
        )
        .leads_to("checkDomain", json!({"domain": "$response.body#/data/target"}))
        .leads_to(
            "addPrompt",
            json!({"entityId": id, "prompt": "Which running shoes last longest?"}),
        )
        .leads_to("updateEntity", json!({"entityId": id, "frequencyHours": 12}))
        .leads_to("runCheck", json!({"entityId": id}))
        .leads_to(
            "requestName",
            json!({"entityId": id, "suggestedName": "Velumora Sports"}),
        )
        .leads_to(
            "updatePrompt",
            json!({"promptId": "$response.body#/prompts/0/id", "isActive": false}),
        )
        .leads_to(
            "deletePrompt",
            json!({"promptId": "$response.body#/prompts/0/id"}),
        )
}

fn change() -> Operation {
    let aliases = list(
        line(NAME_CHARS, "A name"),
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
            lines_or_none(DESCRIPTION_CHARS, "What the brand offers"),
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
        optional("aliases", with(aliases, json!({"maxItems": ALIASES}))),
        optional("isActive", flag("`true` makes it due at once")),
        optional(
            "frequencyHours",
            whole(
                1,
                FREQUENCY_HOURS_MOST.into(),
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
        .says("Only what is given changes. A name changes by request.")
        .reads(
            with(fields, some_of(&changes)),
            json!({"entityId": ENTITY, "aliases": ["Velumora Sports"], "frequencyHours": 12}),
        )
        .answers([field("data", reference("Entity"))], json!({"data": example()}))
        .fails(400, "frequencyHours must be a whole number from 1 to 720")
        .fails(404, "Entity not found")
        .fails(409, "This target is tracked in the workspace already")
}

fn delete() -> Operation {
    let gone = object([field("entityId", id("", "The entity's id"))]);
    Operation::new(Delete, "/entities", "deleteEntity", "Ends a tracking")
        .extension()
        .says("Its quota is free at once; its data expires.")
        .takes([shared("EntityId")])
        .answers([field("data", gone)], json!({"data": {"entityId": ENTITY}}))
        .fails(400, "entityId is required")
        .fails(404, "Entity not found")
}
