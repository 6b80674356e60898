//! `/entities/prompts`, `/entities/addprompt`, `/entities/updateprompt`.

use api::Method::{Delete, Get, Post};
use domain::limits::{
    MAX_PROMPT_BYTES_PER_REQUEST, MAX_PROMPT_CHARS, MAX_PROMPTS_PER_REQUEST, MAX_TAGS_PER_PROMPT,
};
use serde_json::{Value, json};

use crate::analytics::filters;
use crate::examples::{ENTITY, NOW, PROMPT_1, PROMPT_2, TAG};
use crate::locale::{geolocation, given_geolocation, given_language, language};
use crate::operation::{Group, Operation};
use crate::parameters::required;
use crate::schema::{
    Field, PROMPT, at_times, count, field, flag, given_id, id, interval, lines, list, millis, nullable,
    object, optional, percent, reference, text, with,
};
use crate::updating;

pub(crate) fn group() -> Group {
    Group {
        tag: "Prompts",
        description: "The questions that are tracked for an entity",
        operations: vec![all(), add(), updating::update(), delete()],
    }
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let more = vec![field("stats", reference("PromptStats"))];
    vec![
        ("Prompt", object(plain())),
        ("ChangedPrompt", object(plain().into_iter().chain(row()))),
        (
            "ListedPrompt",
            object(plain().into_iter().chain(row()).chain(more)),
        ),
        ("PromptStats", stats()),
    ]
}

pub(crate) fn plain() -> Vec<Field> {
    vec![
        field("id", id(PROMPT, "The prompt's id")),
        field("prompt", text("Its text")),
        field("language", language("Its own language, or the entity's")),
        field("geolocation", geolocation("Its own place, or the entity's")),
    ]
}

pub(crate) fn created_at() -> Field {
    field("createdAt", millis("When it was added"))
}

fn row() -> [Field; 3] {
    let tags = list(id("", "A tag's id"), "The tags that it carries");
    [
        created_at(),
        field(
            "isActive",
            flag("`false`: it is not asked; what was answered stays"),
        ),
        field("tags", tags).extension(),
    ]
}

fn stats() -> Value {
    let mut stats = object([
        field("responses", count("Answered responses")),
        field("mentions", count("Of those, responses that mention the entity")),
        field(
            "visibilityScore",
            nullable(percent(
                "100 × mentions / responses, two decimals; null without responses",
            )),
        ),
        field("interval", nullable(interval())),
        field(
            "averagePosition",
            nullable(json!({
                "type": "number", "minimum": 1,
                "description": "Average place among the brands that an answer names, two decimals; null \
                 without mentions",
            })),
        ),
        field("citations", count("Citations of the entity's own domains")),
    ]);
    stats["description"] = "What the period's answers come to".into();
    stats
}

pub(crate) fn example(id: &str, text: &str) -> Value {
    json!({
        "id": id, "prompt": text, "language": "en", "geolocation": "us", "createdAt": NOW, "isActive": true,
        "tags": [TAG],
    })
}

/// A prompt in a list that a client sends: its text, or an object.
pub(crate) fn given_prompt(takes_tags: bool) -> Value {
    let tags = takes_tags.then(|| optional("tags", tags()).extension());
    let own = [
        field("prompt", given_text()),
        optional("language", given_language("Its own language")),
        optional("geolocation", given_geolocation("Its own place")),
    ];
    json!({"oneOf": [given_text(), object(own.into_iter().chain(tags))]})
}

pub(crate) fn given_text() -> Value {
    lines(MAX_PROMPT_CHARS, "A question that is asked as it is")
}

pub(crate) fn tags() -> Value {
    let tags = list(
        given_id("The id of a tag from GET /tags"),
        "The whole set of its tags",
    );
    // The same tag may be named twice; the limit holds for different ones.
    with(
        tags,
        json!({"description": format!("The whole set of its tags, at most {MAX_TAGS_PER_PROMPT} different \
         ones")}),
    )
}

fn all() -> Operation {
    let mut row = example(PROMPT_1, "What is the best trail running shoe?");
    row["stats"] = json!({
        "responses": 60, "mentions": 12, "visibilityScore": 20.0, "interval": [11.83, 31.78],
        "averagePosition": 2.25,
        "citations": 7,
    });
    Operation::new(
        Get,
        "/entities/prompts",
        "listPrompts",
        "The prompts of an entity with their performance",
    )
    .description(
        "Oldest first, paused ones included. `tags` and `promptIds` choose among them, `models` which responses \
         count. Stats are of this entity's own responses, also under a domain group: `union` changes nothing.",
    )
    .parameters(filters(&["Models", "Tags", "PromptIds"]))
    .response_fields(
        [field("data", list(reference("ListedPrompt"), "The prompts"))],
        json!({"data": [row]}),
    )
    .error(400, "period must be 7d, 14d or 30d")
    .error(404, "Entity not found")
    .link(
        "updatePrompt",
        json!({"promptId": "$response.body#/data/0/id", "isActive": true}),
    )
    .link("deletePrompt", json!({"promptId": "$response.body#/data/0/id"}))
}

/// Either one prompt or several: the other field must be absent.
fn addition(one: bool) -> Value {
    let absent = |name| at_times(name, json!({"type": "null", "description": "Not in this form"}));
    let prompts = list(
        given_prompt(true),
        "The prompts; what they do not say themselves the request says for all",
    );
    let prompts = with(
        prompts,
        json!({"minItems": 1, "maxItems": MAX_PROMPTS_PER_REQUEST}),
    );
    let (prompt, prompts) = if one {
        (field("prompt", given_text()), absent("prompts"))
    } else {
        (absent("prompt"), field("prompts", prompts).extension())
    };
    object([
        field("entityId", given_id("The entity")),
        prompt,
        prompts,
        optional("language", given_language("Without one it follows the entity")),
        optional(
            "geolocation",
            given_geolocation("Without one it follows the entity"),
        ),
        optional("tags", tags()).extension(),
    ])
}

fn add() -> Operation {
    let kib = MAX_PROMPT_BYTES_PER_REQUEST / 1024;
    let body = json!({"oneOf": [addition(true), addition(false)]});
    Operation::new(
        Post,
        "/entities/addprompt",
        "addPrompt",
        "Adds a prompt, or several at once",
    )
    .description(format!(
        "`prompt`, or up to {MAX_PROMPTS_PER_REQUEST} `prompts` with at most {kib} KiB of text. \
         Duplicates are one prompt."
    ))
    .request_body(
        body,
        json!({"entityId": ENTITY, "prompt": "Which running shoes last longest?",
        "language": "en", "geolocation": "us"}),
    )
    .response_fields(
        [field("promptId", id(PROMPT, "The new prompt's id"))],
        json!({"promptId": PROMPT_1}),
    )
    .response_fields(
        [
            field(
                "promptIds",
                list(id(PROMPT, "A prompt's id"), "The new prompts, in their order"),
            )
            .extension(),
            field("count", count("How many they are")).extension(),
        ],
        json!({"promptIds": [PROMPT_1, PROMPT_2], "count": 2}),
    )
    .error(400, "prompt must be 1 to 1000 characters")
    .error(
        403,
        "The workspace's limit of 500 prompts would be exceeded: 7 are free",
    )
    .error(404, "Entity not found")
    .link(
        "updatePrompt",
        json!({"promptId": "$response.body#/promptId", "isActive": false}),
    )
    .link("deletePrompt", json!({"promptId": "$response.body#/promptId"}))
}

fn delete() -> Operation {
    let gone = object([field("promptId", id(PROMPT, "The prompt's id"))]);
    Operation::new(
        Delete,
        "/entities/prompts",
        "deletePrompt",
        "Deletes a prompt; its answers stay in every figure",
    )
    .extension()
    .parameters([required("promptId", given_id("The prompt's id"), PROMPT_1)])
    .response_fields([field("data", gone)], json!({"data": {"promptId": PROMPT_1}}))
    .error(400, "promptId is required")
    .error(404, "Prompt not found")
}
