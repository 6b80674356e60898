//! `GET /entities/citations/details`

use api::{ApiError, ApiRequest, ApiResponse, Columns};
use domain::error::InvalidField;
use domain::page::Pagination;
use facts::figures::{RankedText, cited_urls};
use serde::Serialize;
use uuid::Uuid;

use crate::{AnalyticsRequest, AnalyticsState, Scope};

#[derive(Serialize, schemars::JsonSchema)]
pub struct CitationDetailsResponse {
    /// The page's rows.
    data: Vec<CitedUrlView>,
    /// Which rows these are.
    pagination: Pagination,
    /// The days that the response is about. `custom` means that `startDate` or `endDate` was given.
    #[schemars(with = "domain::period_label::PeriodLabel")]
    period: &'static str,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "CitedUrl")]
#[serde(rename_all = "camelCase")]
struct CitedUrlView {
    /// The URL in its canonical form: https, without `www.`, fragment and tracking parameters.
    #[schemars(regex(pattern = "^https://"))]
    url: String,
    /// The number of responses that cite the URL.
    citation_count: u64,
}

/// The columns of the table.
pub(crate) const COLUMNS: Columns = &["url", "citationCount"];

/// Returns a page of the cited URLs of one row of `GET /entities/citations`, the most cited first.
///
/// `citedEntityUuid` is the `entityUuid` of the row. A brand that was never cited has no URLs.
pub(crate) async fn list(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    // A missing `entityId` is reported first.
    request.query.required_text("entityId")?;
    let cited = Uuid::try_parse(request.query.required_text("citedEntityUuid")?.trim())
        .map_err(|_| InvalidField::new("citedEntityUuid", "must be a UUID"))?;
    let (analytics, page) = AnalyticsRequest::parse_with_page(&request)?;
    // An invalid id is refused before the table is read.
    analytics.entity_id()?;
    let store = request.store();
    let (scope, recorded) = tokio::try_join!(analytics.load_scope(), async {
        Ok(store.cited_domain(&request.tenant, cited).await?)
    })?;
    let domains = domains(&scope, cited, recorded.as_deref());
    let facts = scope.facts().links(&domains).await?;
    let found = cited_urls(facts.selected(), &facts.texts, page.offset(), page.limit());
    let row = |row: &RankedText| CitedUrlView {
        url: facts.texts.get(row.text_id).to_owned(),
        citation_count: row.count,
    };
    ApiResponse::from_fields(&CitationDetailsResponse {
        data: found.rows.iter().map(row).collect(),
        pagination: page.pagination(found.total),
        period: analytics.range.label(),
    })
}

/// Returns the domains of the row. A member of a group stands for the entire group.
fn domains<'a>(scope: &'a Scope<'_>, cited: Uuid, recorded: Option<&'a str>) -> Vec<&'a str> {
    if let Some(group) = scope.groups.iter().find(|group| group.has(cited)) {
        return group.domains().collect();
    }
    let known = scope
        .known_brands
        .get(&cited)
        .and_then(|brand| brand.domain.as_deref());
    known.or(recorded).into_iter().collect()
}
