//! Describes the operations of `/trends`, `/entities/overview`, `/entities/citations`,
//! `/entities/competitors`, `/query-fanouts` and `/responses`.

mod comparison;

use ::analytics::citation_details::CitationDetailsResponse;
use ::analytics::citation_trend::CitationTrendResponse;
use ::analytics::citations::CitationsResponse;
use ::analytics::competitors::CompetitorsResponse;
use ::analytics::overview::OverviewResponse;
use ::analytics::query_fanouts::QueryFanoutsResponse;
use ::analytics::response_details::ResponseDetailsResponse;
use ::analytics::responses::ResponsesResponse;
use ::analytics::visibility_trend::VisibilityTrendResponse;
use domain::limits::DEFAULT_RESPONSE_RETENTION_DAYS;
use serde_json::{Value, json};

use crate::examples::{BRAND, ENTITY, MODEL, NOW, NOW_ISO, PROMPT_1, RESPONSE, RIVAL, pagination};
use crate::operation::{Operation, Tag};

pub(crate) fn tag() -> Tag {
    Tag {
        name: "Analytics",
        description: "Figures about the answers. All filters can be combined, and a response must match each of them.",
        operations: vec![
            visibility_trend(),
            citation_trend(),
            comparison::operation(),
            overview(),
            citations(),
            citation_details(),
            competitors(),
            query_fanouts(),
            responses(),
            response_details(),
        ],
    }
}

fn visibility_trend() -> Operation {
    Operation::new("getVisibilityTrend", "How visible the brand is, day by day")
        .description("A point counts the answers of its day. Days without answered responses have no point.")
        .response::<VisibilityTrendResponse>(json!({"data": [{
        "date": "2026-11-15", "score": 73.91, "mentions": 17, "responses": 23, "interval": [53.53, 87.45],
    }], "countedSince": "2026-10-23"}))
        .error(400, "startDate must not be after endDate")
}

fn citation_trend() -> Operation {
    Operation::new(
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
    .link("getCitationDetails", "entityId", "$request.query.entityId")
    .with("citedEntityUuid", "$response.body#/entities/0/entityUuid")
}

fn overview() -> Operation {
    Operation::new("listEntityOverviews", "The state, the visibility and its change of every entity")
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
    .link("compareTrends", "entityId", "$response.body#/data/0/entityId")
}

fn citations() -> Operation {
    Operation::new("listCitations", "The cited domains, the most cited first")
    .response::<CitationsResponse>(json!({
        "data": [{
            "rank": 1, "domain": "example.com", "name": "example.com", "totalCitations": 41, "entityUuid": RIVAL,
        }],
        "pagination": pagination(),
    }))
    .error(400, "limit must be a whole number from 1 to 100")
    .link("getCitationDetails", "entityId", "$request.query.entityId")
    .with("citedEntityUuid", "$response.body#/data/0/entityUuid")
}

fn citation_details() -> Operation {
    Operation::new("getCitationDetails", "The cited URLs of one domain, the most cited first")
    .description(
        "The counts add up to the domain's row in GET /entities/citations. The UUID of a domain group's member \
         selects the group's row.",
    )
    .response::<CitationDetailsResponse>(json!({
        "data": [{"url": "https://example.com/best-running-shoes", "citationCount": 41}],
        "pagination": pagination(), "period": "30d",
    }))
    .error(400, "citedEntityUuid must be a UUID")
}

fn competitors() -> Operation {
    Operation::new("listCompetitors", "The entity and the brands that are mentioned beside it")
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
    .link("getCitationDetails", "entityId", "$request.query.entityId")
    .with("citedEntityUuid", "$response.body#/data/0/entityUuid")
}

fn query_fanouts() -> Operation {
    Operation::new(
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
}

fn responses() -> Operation {
    Operation::new("listResponses", "The responses themselves, the latest first")
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
    .link("getResponse", "responseId", "$response.body#/data/0/responseId")
}

fn response_details() -> Operation {
    Operation::new("getResponse", "One response with everything that was found in it")
    .extension()
    .description(format!(
        "The operator sets how long responses are kept, by default {DEFAULT_RESPONSE_RETENTION_DAYS} days. After that \
         the response is 404."
    ))
    .response::<ResponseDetailsResponse>(json!({"data": example_response()}))
}

fn example_response() -> Value {
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
