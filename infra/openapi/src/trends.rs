//! `/trends/visibility` and `/trends/citations`.

use api::Method::Get;
use domain::limits::{DEFAULT_TOP_DOMAINS, MAX_TOP_DOMAINS};
use serde_json::{Value, json};

use crate::analytics::{filters, period};
use crate::examples::{BRAND, ENTITY, RIVAL};
use crate::operation::Operation;
use crate::parameters::optional;
use crate::schema::{
    count, day, field, id, interval, list, nullable, object, percent, reference, text, uuid,
};

pub(crate) fn operations() -> Vec<Operation> {
    vec![visibility(), citations()]
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("VisibilityPoint", visibility_point()),
        ("CitationPoint", citation_point()),
        ("CitationTrendEntity", descriptor()),
    ]
}

fn visibility_point() -> Value {
    object([
        field("date", day("The UTC day on which the checks were claimed")),
        field("score", percent("100 × mentions / responses, two decimals")),
        field("mentions", count("Responses that mention the brand, each once")).extension(),
        field("responses", count("Answered responses")).extension(),
        field("interval", interval()).extension(),
    ])
}

fn visibility() -> Operation {
    Operation::new(
        Get,
        "/trends/visibility",
        "getVisibilityTrend",
        "How visible the brand is, day by day",
    )
    .description(
        "Each point is a count over answers that were given: a day without answered responses has none.",
    )
    .parameters(filters(&["StartDate", "EndDate"]))
    .response_fields(
        [field(
            "data",
            list(reference("VisibilityPoint"), "The days with answers, ascending"),
        )],
        json!({"data": [{
            "date": "2026-11-15", "score": 73.91, "mentions": 17, "responses": 23, "interval": [53.53, 87.45],
        }]}),
    )
    .error(400, "startDate must not be after endDate")
    .error(404, "Entity not found")
}

fn citation_point() -> Value {
    let mut point = object([field("day", day("The UTC day"))]);
    point["additionalProperties"] = json!({
        "type": "integer", "minimum": 0,
        "description": "The day's citations of an included domain. Its key is its `name`; where that is not \
         the only \
                        one of its kind, its `domain`",
    });
    point
}

fn descriptor() -> Value {
    object([
        field(
            "entityId",
            nullable(id(
                "",
                "The brand's oldest tracking in this workspace; null where there is none",
            )),
        ),
        field("entityUuid", uuid("The brand's uuid")),
        field(
            "name",
            text("Display name; the domain of a brand that is not tracked here"),
        ),
        field(
            "domain",
            text("The registrable domain; those of a domain group count as its primary's"),
        ),
        field("totalCitations", count("The sum of its days")),
    ])
}

fn citations() -> Operation {
    let top =
        json!({"type": "integer", "minimum": 1, "maximum": MAX_TOP_DOMAINS, "default": DEFAULT_TOP_DOMAINS});
    Operation::new(
        Get,
        "/trends/citations",
        "getCitationTrend",
        "How often the most cited domains are cited, day by day",
    )
    .parameters(filters(&[]))
    .parameters([optional("topN", top, "How many domains to include")])
    .response_fields(
        [
            field(
                "data",
                list(reference("CitationPoint"), "Every day of the period, ascending"),
            ),
            field(
                "entities",
                list(
                    reference("CitationTrendEntity"),
                    "The included domains, the most cited first",
                ),
            ),
            field("period", period()),
        ],
        json!({
            "data": [{"day": "2026-11-20", "Velumora": 4, "example.com": 2}, {"day": "2026-11-21",
            "Velumora": 3, "example.com": 0}],
            "entities": [
                {"entityId": ENTITY, "entityUuid": BRAND, "name": "Velumora",
                "domain": "velumora.example", "totalCitations": 7},
                {"entityId": null, "entityUuid": RIVAL, "name": "example.com", "domain": "example.com",
                "totalCitations": 2},
            ],
            "period": "custom",
        }),
    )
    .error(400, "topN must be a whole number from 1 to 20")
    .error(404, "Entity not found")
    .link(
        "getCitationDetails",
        json!({
            "entityId": "$request.query.entityId", "citedEntityUuid": "$response.body#/entities/0/entityUuid",
        }),
    )
}
