//! Describes the operation of `/query-fanouts`.

use ::analytics::query_fanouts::QueryFanoutsResponse;
use api::Method::Get;
use serde_json::json;

use crate::examples::{MODEL, NOW_ISO};
use crate::operation::Operation;

pub(super) fn operation() -> Operation {
    Operation::new(
        Get,
        "/query-fanouts",
        "listQueryFanouts",
        "The web searches that the models ran, the most frequent first",
    )
    .description("Spellings that differ only in case and spaces are one search.")
    .response::<QueryFanoutsResponse>(json!({
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
    }))
    .error(400, "entityId is required")
    .error(404, "Entity not found")
}
