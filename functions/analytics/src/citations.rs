//! `GET /entities/citations`

use analytics_core::{AnalyticsState, Filters, Scope};
use api::{ApiError, ApiRequest, ApiResponse, parse_id};
use domain::facts::questions::top_domains;
use domain::group::{merged_domains, row_domains};
use domain::id::EntityId;
use domain::page::Pagination;
use serde::Serialize;
use uuid::Uuid;

use crate::parts::parts;

#[derive(Serialize)]
struct CitationsResponse {
    data: Vec<CitedDomainView>,
    pagination: Pagination,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CitedDomainView {
    rank: u64,
    domain: String,
    name: String,
    total_citations: u64,
    entity_uuid: Uuid,
}

/// The cited domains, the most cited first; those of a group are one row.
pub(crate) async fn list(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let entity = request.required("entityId")?;
    let range = request.query.range(request.state.api.clock.now().day())?;
    let (page, filters) = (request.query.page()?, Filters::read(&request.query)?);
    let id: EntityId = parse_id(entity, "Entity")?;
    let at = (&request.state.api.store, &request.tenant);
    let (scope, names) = Scope::with_names(at, &id, &range, &filters).await?;
    let (facts, rows) = (&request.state.facts, row_domains(&scope.merged));
    let listed = facts.citations(at, &scope.trackings, &rows, |texts, held| {
        let found = top_domains(
            &parts(held),
            &merged_domains(&scope.merged, texts),
            texts,
            page.offset(),
            page.limit(),
        );
        let row = |row: &domain::facts::questions::RankedText| {
            let named = names.of_domain(texts.get(row.number));
            CitedDomainView {
                rank: row.rank,
                domain: named.domain,
                name: named.name,
                total_citations: row.count,
                entity_uuid: named.uuid,
            }
        };
        CitationsResponse {
            data: found.rows.iter().map(row).collect(),
            pagination: page.pagination(found.total),
        }
    });
    ApiResponse::of(&listed.await?)
}
