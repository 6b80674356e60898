//! Describes the operations of `/trends/visibility` and `/trends/citations`.

use ::analytics::citation_trend::CitationTrendResponse;
use ::analytics::visibility_trend::VisibilityTrendResponse;
use api::Method::Get;
use serde_json::json;

use crate::examples::{BRAND, ENTITY, RIVAL};
use crate::operation::Operation;

pub(super) fn operations() -> [Operation; 2] {
    [visibility(), citations()]
}

fn visibility() -> Operation {
    Operation::new(
        Get,
        "/trends/visibility",
        "getVisibilityTrend",
        "How visible the brand is, day by day",
    )
    .description("A point counts the answers of its day. Days without answered responses have no point.")
    .response::<VisibilityTrendResponse>(json!({"data": [{
        "date": "2026-11-15", "score": 73.91, "mentions": 17, "responses": 23, "interval": [53.53, 87.45],
    }], "countedSince": "2026-10-23"}))
    .error(400, "startDate must not be after endDate")
    .error(404, "Entity not found")
}

fn citations() -> Operation {
    Operation::new(
        Get,
        "/trends/citations",
        "getCitationTrend",
        "How often the most cited domains are cited, day by day",
    )
    .response::<CitationTrendResponse<'_>>(json!({
        "data": [
            {"day": "2026-11-20", "Velumora": 4, "example.com": 2},
            {"day": "2026-11-21", "Velumora": 3, "example.com": 0},
        ],
        "entities": [
            {"entityId": ENTITY, "entityUuid": BRAND, "name": "Velumora", "domain": "velumora.example",
            "totalCitations": 7},
            {"entityId": null, "entityUuid": RIVAL, "name": "example.com", "domain": "example.com",
            "totalCitations": 2},
        ],
        "period": "custom",
    }))
    .error(400, "topN must be a whole number from 1 to 20")
    .error(404, "Entity not found")
    .link(
        "getCitationDetails",
        json!({
            "entityId": "$request.query.entityId", "citedEntityUuid": "$response.body#/entities/0/entityUuid",
        }),
    )
}
