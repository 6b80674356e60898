//! `/query-fanouts`.

use api::Method::Get;
use serde_json::{Value, json};

use crate::analytics::{filters, limit, page, period};
use crate::examples::{MODEL, NOW_ISO};
use crate::operation::Operation;
use crate::parameters::optional;
use crate::schema::{count, field, flag, list, object, reference, text, timestamp, uuid, whole};

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    vec![("QueryFanout", fanout()), ("FullPagination", full_pagination())]
}

fn fanout() -> Value {
    object([
        field("query", text("Its most frequent spelling")),
        field("frequency", count("How often it was run")),
        field("uniqueResponses", count("In how many responses")),
        field("latestDate", timestamp("When it was last run")),
        field("modelIds", list(uuid("A model's uuid"), "The models that ran it")),
    ])
}

fn full_pagination() -> Value {
    object([
        field("totalCount", count("Rows of all pages")),
        field("totalPages", count("0 where there are no rows")),
        field(
            "currentPage",
            whole(1, (1 << 53) - 1, "From 1, also beyond the last one"),
        ),
        field("limit", limit()),
        field("offset", count("Rows that were skipped")),
        field("hasNextPage", flag("There are rows after these")),
        field("hasPreviousPage", flag("There are rows before these")),
    ])
}

pub(crate) fn operation() -> Operation {
    let search = json!({"type": "string"});
    Operation::new(
        Get,
        "/query-fanouts",
        "listQueryFanouts",
        "The web searches that the models ran, the most frequent first",
    )
    .description("Spellings that differ in case and spaces are one search.")
    .parameters(filters(&["PromptIds"]))
    .parameters([optional(
        "search",
        search,
        "Only searches whose text contains this, in any case",
    )])
    .parameters(page())
    .response_fields(
        [
            field("data", list(reference("QueryFanout"), "The page's rows")),
            field("totalCount", count("Different searches of all pages")),
            field("totalQueries", count("How often they were run")),
            field("pagination", reference("FullPagination")),
            field("period", period()),
        ],
        json!({
            "data": [{
                "query": "best trail running shoes 2026", "frequency": 12, "uniqueResponses": 11,
                "latestDate": NOW_ISO, "modelIds": [MODEL],
            }],
            "totalCount": 1, "totalQueries": 12,
            "pagination": {
                "totalCount": 1, "totalPages": 1, "currentPage": 1, "limit": 20, "offset": 0,
                "hasNextPage": false, "hasPreviousPage": false,
            },
            "period": "30d",
        }),
    )
    .error(400, "entityId is required")
    .error(404, "Entity not found")
}
