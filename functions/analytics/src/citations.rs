//! `GET /entities/citations`

use analytics_core::{AnalyticsRequest, AnalyticsState, CachedSegment};
use api::{ApiError, ApiRequest, ApiResponse};
use domain::facts::questions::{RankedText, top_domains};
use domain::group::{merged_domains, row_domains};
use domain::page::Pagination;
use serde::Serialize;
use uuid::Uuid;

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

/// Returns a page of the cited domains, the most cited first. The domains of a group are one row.
pub(crate) async fn list(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let (analytics, page) = AnalyticsRequest::parse_with_page(&request)?;
    let (scope, names) = analytics.load_scope_with_names().await?;
    let rows = row_domains(&scope.merged);
    let response = scope.citations(&rows, |texts, segments| {
        let parts: Vec<_> = segments.iter().map(CachedSegment::as_selected).collect();
        let merged = merged_domains(&scope.merged, texts);
        let found = top_domains(&parts, &merged, texts, page.offset(), page.limit());
        let row = |row: &RankedText| {
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
    ApiResponse::of(&response.await?)
}
