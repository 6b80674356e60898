//! `GET /entities/citations/details`

use analytics_core::{AnalyticsState, Filters, Scope};
use api::{ApiError, ApiRequest, ApiResponse, parse_id};
use domain::error::InvalidField;
use domain::facts::questions::cited_urls;
use domain::id::EntityId;
use domain::page::Pagination;
use serde::Serialize;
use uuid::Uuid;

use crate::parts::parts;

#[derive(Serialize)]
struct CitationDetailsResponse {
    data: Vec<CitedUrlView>,
    pagination: Pagination,
    period: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CitedUrlView {
    url: String,
    citation_count: u64,
}

/// The cited URLs of one row of `/entities/citations`, the most cited first. A brand that was never cited has none.
pub(crate) async fn list(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let entity = request.required("entityId")?;
    let cited = Uuid::try_parse(request.required("citedEntityUuid")?.trim())
        .map_err(|_| InvalidField::new("citedEntityUuid", "must be a UUID"))?;
    let range = request.query.range(request.state.api.clock.now().day())?;
    let (page, filters) = (request.query.page()?, Filters::read(&request.query)?);
    let id: EntityId = parse_id(entity, "Entity")?;
    let at = (&request.state.api.store, &request.tenant);
    let (scope, seen) = tokio::try_join!(Scope::read(at.0, at.1, &id, &range, &filters), async {
        Ok(at.0.seen_domain(at.1, cited).await?)
    })?;
    let domains = domains(&scope, cited, seen.as_deref());
    let facts = &request.state.facts;
    let listed = facts.links(at, &scope.trackings, &domains, |texts, held| {
        let found = cited_urls(&parts(held), texts, page.offset(), page.limit());
        let row = |row: &domain::facts::questions::RankedText| CitedUrlView {
            url: texts.get(row.number).to_owned(),
            citation_count: row.count,
        };
        CitationDetailsResponse {
            data: found.rows.iter().map(row).collect(),
            pagination: page.pagination(found.total),
            period: range.label(),
        }
    });
    ApiResponse::of(&listed.await?)
}

/// The domains of the row: a member of a group stands for all of them.
fn domains<'a>(scope: &'a Scope, cited: Uuid, seen: Option<&'a str>) -> Vec<&'a str> {
    if let Some(merged) = scope.merged.iter().find(|merged| merged.has(cited)) {
        return merged.domains().collect();
    }
    let known = scope.known.get(&cited).and_then(|brand| brand.domain.as_deref());
    known.or(seen).into_iter().collect()
}
