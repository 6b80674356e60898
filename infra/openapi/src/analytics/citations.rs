//! Describes the operations of `/entities/citations`, `/entities/citations/details` and
//! `/entities/competitors`.

use ::analytics::citation_details::CitationDetailsResponse;
use ::analytics::citations::CitationsResponse;
use ::analytics::competitors::CompetitorsResponse;
use api::Method::Get;
use serde_json::json;

use crate::examples::{BRAND, ENTITY, RIVAL, pagination};
use crate::operation::Operation;

pub(super) fn operations() -> [Operation; 3] {
    [citations(), details(), competitors()]
}

fn citations() -> Operation {
    Operation::new(
        Get,
        "/entities/citations",
        "listCitations",
        "The cited domains, the most cited first",
    )
    .response::<CitationsResponse>(json!({
        "data": [{
            "rank": 1, "domain": "example.com", "name": "example.com", "totalCitations": 41, "entityUuid": RIVAL,
        }],
        "pagination": pagination(),
    }))
    .error(400, "limit must be a whole number from 1 to 100")
    .error(404, "Entity not found")
    .link(
        "getCitationDetails",
        json!({
            "entityId": "$request.query.entityId", "citedEntityUuid": "$response.body#/data/0/entityUuid",
        }),
    )
}

fn details() -> Operation {
    Operation::new(
        Get,
        "/entities/citations/details",
        "getCitationDetails",
        "The cited URLs of one domain, the most cited first",
    )
    .description(
        "The counts add up to the domain's row in GET /entities/citations. The UUID of a domain group's member \
         selects the group's row.",
    )
    .response::<CitationDetailsResponse>(json!({
        "data": [{"url": "https://example.com/best-running-shoes", "citationCount": 41}],
        "pagination": pagination(), "period": "30d",
    }))
    .error(400, "citedEntityUuid must be a UUID")
    .error(404, "Entity not found")
}

fn competitors() -> Operation {
    Operation::new(
        Get,
        "/entities/competitors",
        "listCompetitors",
        "The entity and the brands that are mentioned beside it",
    )
    .extension()
    .description(
        "The entity itself is always one of the rows, also without any mention. They are ordered by mentions, then by citations, then \
         by domain. Sites that are only cited are in `/entities/citations`. While the workspace tracks no other brand and the answers \
         name none that it knows, there is no share of voice: `shareOfVoiceReason` is `no_rivals`.",
    )
    .response::<CompetitorsResponse>(json!({
        "data": [{
            "rank": 1, "entityUuid": BRAND, "entityId": ENTITY, "name": "Velumora", "domain": "velumora.example",
            "mentions": 17, "totalCitations": 7, "shareOfVoice": 48.57,
            "mentionsOfAllBrands": 35, "interval": [32.99, 64.43], "shareOfVoiceReason": null, "isCurrentEntity": true,
        }],
        "pagination": pagination(),
        "countedSince": "2026-10-23",
    }))
    .error(400, "offset must be a whole number from 0 to 9007199254740991")
    .error(404, "Entity not found")
    .link(
        "getCitationDetails",
        json!({
            "entityId": "$request.query.entityId", "citedEntityUuid": "$response.body#/data/0/entityUuid",
        }),
    )
}
