//! Describes the operations of `/responses` and `/responses/details`.

use ::analytics::response_details::ResponseDetailsResponse;
use ::analytics::responses::ResponsesResponse;
use api::Method::Get;
use domain::limits::DEFAULT_RESPONSE_RETENTION_DAYS;
use serde_json::{Value, json};

use crate::examples::{BRAND, ENTITY, MODEL, NOW, PROMPT_1, RESPONSE, RIVAL, pagination};
use crate::operation::Operation;

pub(super) fn operations() -> [Operation; 2] {
    [list(), details()]
}

fn list() -> Operation {
    Operation::new(
        Get,
        "/responses",
        "listResponses",
        "The responses themselves, the latest first",
    )
    .extension()
    .description(
        "A response is the result of one prompt put to one model in one check. Failed and refused ones are included.",
    )
    .response::<ResponsesResponse>(json!({
        "data": [{
            "responseId": RESPONSE, "promptId": PROMPT_1, "prompt": "What is the best trail running shoe?",
            "modelId": MODEL, "modelVersion": "gpt-5.2-2026-06-01", "state": "answered", "searched": true, "truncated": false, "createdAt": NOW,
            "isMentioned": true, "mentionPosition": 2, "citationsCount": 1, "queryFanoutsCount": 1,
        }],
        "pagination": pagination(),
    }))
    .error(400, "union must be true or false")
    .error(404, "Entity not found")
    .link(
        "getResponse",
        json!({"responseId": "$response.body#/data/0/responseId"}),
    )
}

fn details() -> Operation {
    Operation::new(
        Get,
        "/responses/details",
        "getResponse",
        "One response with everything that was found in it",
    )
    .extension()
    .description(format!(
        "The operator sets how long responses are kept, by default {DEFAULT_RESPONSE_RETENTION_DAYS} days. After that \
         the response is 404."
    ))
    .response::<ResponseDetailsResponse>(json!({"data": example()}))
    .error(400, "responseId is required")
    .error(404, "Response not found")
}

fn example() -> Value {
    json!({
        "response": {
            "responseId": RESPONSE, "responseText": "**Trailist** and Velumora lead the tests.",
            "responseLength": 40, "narration": ["I'll look for tests of running shoes."], "createdAt": NOW, "modelId": MODEL,
            "modelVersion": "gpt-5.2-2026-06-01", "state": "answered", "reason": null,
            "truncated": false, "isMentioned": true, "mentionPosition": 1, "totalOptionsInList": 1,
        },
        "prompt": {
            "id": PROMPT_1, "text": "Which running shoes are best for beginners?", "language": "en", "geolocation": "us",
        },
        "mentions": [{
            "entityUuid": BRAND, "entityId": ENTITY, "entityName": "Velumora",
            "entityDomain": "velumora.example", "position": 1, "isCurrentEntity": true,
        }],
        "notMentioned": [],
        "citations": [{
            "url": "https://example.com/best-running-shoes", "title": "Best running shoes", "entityUuid": RIVAL,
            "kind": "reported",
        }],
        "queryFanouts": [{"query": "best trail running shoes 2026", "createdAt": NOW}],
        "summary": {
            "mentionsCount": 1, "citationsCount": 1, "queryFanoutsCount": 1, "unresolvedCitations": 0,
            "citationsTruncated": false,
        },
    })
}
