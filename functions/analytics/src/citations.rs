//! `GET /entities/citations`

use api::{ApiError, ApiRequest, ApiResponse, Columns};
use domain::page::Pagination;
use facts::figures::{RankedText, row_of_domains, top_domains};
use serde::Serialize;
use uuid::Uuid;

use crate::{AnalyticsRequest, AnalyticsState};

#[derive(Serialize, schemars::JsonSchema)]
pub struct CitationsResponse {
    /// The page's rows.
    data: Vec<CitedDomainView>,
    /// Which rows these are.
    pagination: Pagination,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "CitedDomain")]
#[serde(rename_all = "camelCase")]
struct CitedDomainView {
    /// The rank over all pages: 1, 2, 3 without gaps.
    #[schemars(with = "domain::schema::Rank")]
    rank: usize,
    /// The registrable domain. Domains of a domain group count as its primary member's domain.
    domain: String,
    /// The display name. A brand that is not tracked in this workspace is shown by its domain.
    name: String,
    /// The number of citations, each URL once per response.
    total_citations: u64,
    /// The cited brand's UUID, which `citedEntityUuid` takes.
    entity_uuid: Uuid,
}

/// The columns of the table.
pub(crate) const COLUMNS: Columns = &["rank", "domain", "name", "totalCitations", "entityUuid"];

/// Returns a page of the cited domains, the most cited first. The domains of a group are one row.
pub(crate) async fn list(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let (analytics, page) = AnalyticsRequest::parse_with_page(&request)?;
    let (scope, names) = analytics.load_scope_with_names().await?;
    let facts = scope.citations().await?;
    let texts = &facts.texts;
    let grouped = row_of_domains(&scope.groups, texts);
    let found = top_domains(facts.selected(), &grouped, texts, page.offset(), page.limit());
    let row = |row: &RankedText| {
        let label = names.of_domain(texts.get(row.text_id));
        CitedDomainView {
            rank: row.rank,
            domain: label.domain,
            name: label.name,
            total_citations: row.count,
            entity_uuid: label.uuid,
        }
    };
    ApiResponse::from_fields(&CitationsResponse {
        data: found.rows.iter().map(row).collect(),
        pagination: page.pagination(found.total),
    })
}
