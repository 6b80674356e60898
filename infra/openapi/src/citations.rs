//! `/entities/citations`, `/entities/citations/details`, `/entities/competitors`.

use api::Method::Get;
use serde_json::{Value, json};

use crate::analytics::{FILTERS, filters, page, pages, period};
use crate::examples::{BRAND, ENTITY, RIVAL};
use crate::operation::Operation;
use crate::parameters::{required, shared};
use crate::schema::{count, field, flag, id, list, nullable, object, percent, reference, text, uuid, whole};

pub(crate) fn operations() -> Vec<Operation> {
    vec![citations(), details(), competitors()]
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("CitedDomain", cited_domain()),
        ("CitedUrl", cited_url()),
        ("Competitor", competitor()),
    ]
}

fn rank() -> Value {
    whole(1, u64::from(u32::MAX), "1, 2, 3 … without gaps, over all pages")
}

fn cited_domain() -> Value {
    object([
        field("rank", rank()),
        field(
            "domain",
            text("The registrable domain; those of a domain group count as its primary's"),
        ),
        field(
            "name",
            text("Display name; the domain of a brand that is not tracked here"),
        ),
        field("totalCitations", count("Each URL once per response")),
        field(
            "entityUuid",
            uuid("The cited brand's uuid, which `citedEntityUuid` takes"),
        ),
    ])
}

fn citations() -> Operation {
    Operation::new(
        Get,
        "/entities/citations",
        "listCitations",
        "The cited domains, the most cited first",
    )
    .parameters(filters(&["StartDate", "EndDate"]))
    .parameters(page())
    .response_fields(
        [
            field("data", list(reference("CitedDomain"), "The page's rows")),
            field("pagination", reference("Pagination")),
        ],
        json!({"data": [{
                "rank": 1, "domain": "example.com", "name": "example.com", "totalCitations": 41,
                "entityUuid": RIVAL,
            }], "pagination": pages()}),
    )
    .error(400, "limit must be a whole number from 1 to 100")
    .error(404, "Entity not found")
    .link(
        "getCitationDetails",
        json!({
            "entityId": "$request.query.entityId", "citedEntityUuid": "$response.body#/data/0/entityUuid",
        }),
    )
}

fn cited_url() -> Value {
    object([
        field(
            "url",
            json!({
                "type": "string", "pattern": "^https://",
                "description": "In its canonical form: https, without `www.`, fragment and tracking \
                 parameters",
            }),
        ),
        field("citationCount", count("Responses that cite it")),
    ])
}

fn details() -> Operation {
    let cited =
        uuid("The cited brand's uuid, from GET /entities/citations; one that was never cited has no rows");
    Operation::new(
        Get,
        "/entities/citations/details",
        "getCitationDetails",
        "The cited URLs of one domain, the most cited first",
    )
    .description(
        "Their counts add up to the domain's row. A member of a domain group stands for the group's row.",
    )
    .parameters([required("citedEntityUuid", cited, RIVAL)])
    .parameters(filters(&["Tags", "PromptIds"]))
    .parameters(page())
    .response_fields(
        [
            field("data", list(reference("CitedUrl"), "The page's rows")),
            field("pagination", reference("Pagination")),
            field("period", period()),
        ],
        json!({
            "data": [{"url": "https://example.com/best-running-shoes", "citationCount": 41}],
            "pagination": pages(), "period": "30d",
        }),
    )
    .error(400, "citedEntityUuid must be a UUID")
    .error(404, "Entity not found")
}

fn competitor() -> Value {
    object([
        field("rank", rank()),
        field("entityUuid", uuid("The brand's uuid")),
        field(
            "entityId",
            nullable(id(
                "",
                "The brand's oldest tracking in this workspace; null where there is none",
            )),
        ),
        field(
            "name",
            text("Display name; the domain of a brand that is not tracked here"),
        ),
        field(
            "domain",
            nullable(text("The registrable domain; null for an individual without one")),
        ),
        field("mentions", count("Responses that mention it, each once")),
        field(
            "totalCitations",
            count("Citations of its domains, each URL once per response"),
        ),
        field(
            "shareOfVoice",
            nullable(percent(
                "100 × its mentions / those of all brands, two decimals; null without any",
            )),
        ),
        field(
            "isCurrentEntity",
            flag("It is the entity itself, with its domain group"),
        ),
    ])
}

fn competitors() -> Operation {
    Operation::new(
        Get,
        "/entities/competitors",
        "listCompetitors",
        "Brands that are mentioned and domains that are cited",
    )
    .extension()
    .description("The entity itself is among them. By mentions, then citations, then domain.")
    .parameters(FILTERS.map(shared))
    .parameters(page())
    .response_fields(
        [
            field("data", list(reference("Competitor"), "The page's rows")),
            field("pagination", reference("Pagination")),
        ],
        json!({"data": [{
                "rank": 1, "entityUuid": BRAND, "entityId": ENTITY, "name": "Velumora",
                "domain": "velumora.example",
                "mentions": 17, "totalCitations": 7, "shareOfVoice": 48.57, "isCurrentEntity": true,
            }], "pagination": pages()}),
    )
    .error(400, "offset must be a whole number from 0 to 9007199254740991")
    .error(404, "Entity not found")
    .link(
        "getCitationDetails",
        json!({
            "entityId": "$request.query.entityId", "citedEntityUuid": "$response.body#/data/0/entityUuid",
        }),
    )
}
