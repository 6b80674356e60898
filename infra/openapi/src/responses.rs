//! `/responses` and `/responses/details`.

use api::Method::Get;
use domain::answer::State;
use domain::limits::DEFAULT_RESPONSE_RETENTION_DAYS;
use mentions::RejectionReason;
use serde_json::{Value, json};

use crate::analytics::{FILTERS, page, pages};
use crate::examples::{BRAND, ENTITY, MODEL, NOW, PROMPT_1, RESPONSE as EXAMPLE, RIVAL};
use crate::operation::Operation;
use crate::parameters::{required, shared};
use crate::schema::{
    Field, PROMPT, RESPONSE, any_text, count, field, flag, given_id, id, list, millis, nullable, object,
    reference, text, uuid, variant, whole,
};

pub(crate) fn operations() -> Vec<Operation> {
    vec![all(), details()]
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("ListedResponse", row()),
        ("Response", response()),
        ("Mention", mention()),
        ("NotMentioned", not_mentioned()),
        ("ResponseCitation", citation()),
    ]
}

fn state() -> Value {
    variant::<State>("Only answered responses are in any figure")
}

fn position() -> Value {
    nullable(whole(
        1,
        u64::from(u32::MAX),
        "The brand's place among those that the answer names; null if it is not named",
    ))
}

fn row() -> Value {
    object([
        field("responseId", id(RESPONSE, "The response's id")),
        field("promptId", id(PROMPT, "The prompt that was asked")),
        field("prompt", text("Its text, as it is now")),
        field("modelId", uuid("The model that was asked")),
        field("state", state()),
        field(
            "searched",
            nullable(flag(
                "The model searched the web; null where the provider does not tell",
            )),
        ),
        field("truncated", flag("The answer was cut off")),
        field("createdAt", millis("When it was answered")),
        field("isMentioned", flag("It mentions the brand")),
        field("mentionPosition", position()),
        field("citationsCount", count("URLs that it cites")),
        field("queryFanoutsCount", count("Web searches that were run for it")),
    ])
}

fn all() -> Operation {
    Operation::new(
        Get,
        "/responses",
        "listResponses",
        "The responses themselves, the latest first",
    )
    .extension()
    .description("One answer of one model to one prompt in one check each, failed and refused ones included.")
    .parameters(FILTERS.map(shared))
    .parameters(page())
    .response_fields(
        [
            field("data", list(reference("ListedResponse"), "The page's rows")),
            field("pagination", reference("Pagination")),
        ],
        json!({"data": [{
                "responseId": EXAMPLE, "promptId": PROMPT_1, "prompt": "What is the best trail running shoe?",
                "modelId": MODEL, "state": "answered", "searched": true, "truncated": false, "createdAt": NOW,
                "isMentioned": true, "mentionPosition": 2, "citationsCount": 1, "queryFanoutsCount": 1,
            }], "pagination": pages()}),
    )
    .error(400, "union must be true or false")
    .error(404, "Entity not found")
    .link(
        "getResponse",
        json!({"responseId": "$response.body#/data/0/responseId"}),
    )
}

fn response() -> Value {
    object([
        field("responseId", id(RESPONSE, "The response's id")),
        field(
            "responseText",
            any_text("Markdown as the provider sent it; empty where there is no answer"),
        ),
        field("responseLength", count("In characters")),
        field("createdAt", millis("When it was answered")),
        field("modelId", uuid("The model that was asked")),
        field("state", state()),
        field(
            "reason",
            nullable(text("Why there is no answer; null where there is one")),
        ),
        field("truncated", flag("The answer was cut off")),
        field("isMentioned", flag("It mentions the brand")),
        field("mentionPosition", position()),
        field("totalOptionsInList", count("Brands that it names")),
    ])
}

/// Which brand it is about.
fn brand() -> [Field; 3] {
    [
        field("entityUuid", uuid("The brand's uuid")),
        field(
            "entityId",
            nullable(id(
                "",
                "The brand's oldest tracking in this workspace; null where there is none",
            )),
        ),
        field("entityName", text("Display name")),
    ]
}

fn mention() -> Value {
    let more = [
        field(
            "entityDomain",
            nullable(text("The registrable domain; null for an individual without one")),
        ),
        field("position", whole(1, u64::from(u32::MAX), "By first mention")),
        field(
            "isCurrentEntity",
            flag("It is the entity itself, with its domain group"),
        ),
    ];
    object(brand().into_iter().chain(more))
}

fn not_mentioned() -> Value {
    let reason = field(
        "reason",
        variant::<RejectionReason>("Why its name does not count"),
    );
    object(brand().into_iter().chain([reason]))
}

fn citation() -> Value {
    object([
        field(
            "url",
            json!({"type": "string", "pattern": "^https://", "description": "In its canonical form"}),
        ),
        field(
            "title",
            nullable(text("The page's title; null where the provider does not tell")),
        ),
        field("entityUuid", uuid("The cited brand's uuid")),
    ])
}

fn details() -> Operation {
    let summary = object([
        field("mentionsCount", count("How many are in `mentions`")),
        field("citationsCount", count("How many are in `citations`")),
        field("queryFanoutsCount", count("How many are in `queryFanouts`")),
    ]);
    let fanout = object([field("query", text("The web search"))]);
    let data = object([
        field("response", reference("Response")),
        field(
            "mentions",
            list(
                reference("Mention"),
                "The brands that it names, in the order of first mention",
            ),
        ),
        field(
            "notMentioned",
            list(
                reference("NotMentioned"),
                "Brands whose names occur in ways that do not count",
            ),
        ),
        field(
            "citations",
            list(
                reference("ResponseCitation"),
                "The pages that it cites, each once",
            ),
        ),
        field(
            "queryFanouts",
            list(fanout, "The web searches that were run for it, in their order"),
        ),
        field("summary", summary),
    ]);
    let example = json!({
        "response": {
            "responseId": EXAMPLE, "responseText": "**Trailist** and Velumora lead the tests.",
            "responseLength": 40,
            "createdAt": NOW, "modelId": MODEL, "state": "answered", "reason": null, "truncated": false,
            "isMentioned": true, "mentionPosition": 1, "totalOptionsInList": 1,
        },
        "mentions": [{
            "entityUuid": BRAND, "entityId": ENTITY, "entityName": "Velumora",
            "entityDomain": "velumora.example",
            "position": 1, "isCurrentEntity": true,
        }],
        "notMentioned": [],
        "citations": [{"url": "https://example.com/best-running-shoes", "title": "Best running shoes",
        "entityUuid": RIVAL}],
        "queryFanouts": [{"query": "best trail running shoes 2026"}],
        "summary": {"mentionsCount": 1, "citationsCount": 1, "queryFanoutsCount": 1},
    });
    Operation::new(
        Get,
        "/responses/details",
        "getResponse",
        "One response with what was found in it",
    )
    .extension()
    .description(format!(
        "It is kept as long as the operator wants, {DEFAULT_RESPONSE_RETENTION_DAYS} days by default; after that it \
         is 404."
    ))
    .parameters([required("responseId", given_id("The response's id"), EXAMPLE)])
    .response_fields([field("data", data)], json!({"data": example}))
    .error(400, "responseId is required")
    .error(404, "Response not found")
}
