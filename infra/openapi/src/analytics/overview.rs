//! Describes the operation of `/entities/overview`.

use ::analytics::overview::OverviewResponse;
use api::Method::Get;
use serde_json::json;

use crate::examples::{BRAND, ENTITY, NOW_ISO};
use crate::operation::Operation;

pub(super) fn operation() -> Operation {
    Operation::new(
        Get,
        "/entities/overview",
        "listEntityOverviews",
        "The state, the visibility and its change of every entity",
    )
    .extension()
    .description(
        "One request for what `/entities/tracking-status`, without `rereading`, `/trends/visibility`, `/trends/compare`, \
         `/entities/competitors` and `/entities/actions` say of up to 100 entities. The base is the window of the same length right before. The answers of the \
         other members of a domain group count for each of its members.",
    )
    .response::<OverviewResponse>(json!({
        "data": [{
            "entityId": ENTITY, "entityUuid": BRAND, "name": "Velumora", "target": "velumora.example",
            "faviconUrl": "https://velumora.example/favicon.ico",
            "status": {
                "scheduled": true, "lastCheckCompletedAt": NOW_ISO,
                "nextCheckScheduledAt": "2026-11-22T04:12:48.941Z",
                "isProcessing": false, "queued": null, "progress": null, "frequencyHours": 24, "problems": [],
            },
            "visibility": {"mentions": 412, "responses": 1_400, "score": 29.43, "interval": [27.1, 31.87]},
            "shareOfVoice": {"mentions": 412, "mentionsOfAllBrands": 1_648, "score": 25.0, "interval": [22.97, 27.15]},
            "shareOfVoiceReason": null,
            "trend": [{"date": "2026-11-21", "score": 31.0, "mentions": 31, "responses": 100, "interval": [22.78, 40.63]}],
            "comparison": {
                "window": {"mentions": 412, "responses": 1_400, "score": 29.43, "interval": [27.1, 31.87]},
                "base": {"mentions": 583, "responses": 1_400, "score": 41.64, "interval": [39.09, 44.25]},
                "change": -12.21, "changeInterval": [-17.3, -7.13], "pValue": 0.0001, "verdict": "down", "reason": null,
            },
            "activeActionables": 7,
            "countedSince": "2026-10-25",
        }],
        "window": {"startDate": "2026-11-08", "endDate": "2026-11-21"},
        "base": {"startDate": "2026-10-25", "endDate": "2026-11-07"},
        "pagination": {
            "totalCount": 1, "totalPages": 1, "currentPage": 1, "limit": 20, "offset": 0, "hasNextPage": false,
            "hasPreviousPage": false,
        },
    }))
    .error(400, "startDate must be after 1970-01-01, so that there are days before it")
    .link("compareTrends", json!({"entityId": "$response.body#/data/0/entityId"}))
}
