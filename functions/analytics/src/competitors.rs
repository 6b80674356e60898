//! `GET /entities/competitors`

use analytics_core::{AnalyticsState, Filters, Scope};
use api::{ApiError, ApiRequest, ApiResponse, parse_id};
use domain::facts::questions::brand_mentions;
use domain::facts::questions::top_domains;
use domain::group::{Competitor, merged_brands, merged_domains, row_domains};
use domain::id::EntityId;
use domain::metrics::percent;
use domain::page::Pagination;
use serde::Serialize;
use uuid::Uuid;

use crate::parts::parts;

#[derive(Serialize)]
struct CompetitorsResponse {
    data: Vec<CompetitorView>,
    pagination: Pagination,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CompetitorView {
    rank: u64,
    entity_uuid: Uuid,
    entity_id: Option<EntityId>,
    name: String,
    domain: Option<String>,
    mentions: u64,
    total_citations: u64,
    share_of_voice: Option<f64>,
    is_current_entity: bool,
}

/// The brands that are mentioned and the domains that are cited, the entity itself among them. Share of voice is a
/// brand's mentions of those of all brands, each once per response.
pub(crate) async fn list(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let entity = request.required("entityId")?;
    let range = request.query.range(request.state.api.clock.now().day())?;
    let (page, filters) = (request.query.page()?, Filters::read(&request.query)?);
    let id: EntityId = parse_id(entity, "Entity")?;
    let at = (&request.state.api.store, &request.tenant);
    let (scope, names) = Scope::with_names(at, &id, &range, &filters).await?;
    let (facts, rows) = (&request.state.facts, row_domains(&scope.merged));
    let counts_as = merged_brands(&scope.merged);
    let (mentions, cited) = tokio::try_join!(
        facts.visibility(at, &scope.trackings, |held| {
            let segments = held.iter().map(|held| (held.segment, held.selection));
            brand_mentions(segments, &scope.brands, &counts_as)
        }),
        facts.citations(at, &scope.trackings, &rows, |texts, held| {
            let found = top_domains(
                &parts(held),
                &merged_domains(&scope.merged, texts),
                texts,
                0,
                u64::MAX,
            );
            let domain =
                |row: &domain::facts::questions::RankedText| (texts.get(row.number).to_owned(), row.count);
            found.rows.iter().map(domain).collect::<Vec<_>>()
        })
    )?;
    let Some(own) = scope.trackings.first() else {
        return Err(ApiError::not_found("Entity"));
    };
    let counted_rows = domain::group::competitors(&own.entity, &names, &scope.known, &mentions, &cited);
    let (total, voices) = (counted_rows.len(), mentions.total());
    let row = |(rank, counted): (u64, Competitor)| CompetitorView {
        rank,
        entity_uuid: counted.named.uuid,
        entity_id: counted.named.entity_id,
        name: counted.named.name,
        domain: Some(counted.named.domain).filter(|domain| !domain.is_empty()),
        mentions: counted.mentions,
        total_citations: counted.citations,
        share_of_voice: percent(counted.mentions, voices),
        is_current_entity: counted.is_own,
    };
    ApiResponse::of(&CompetitorsResponse {
        data: page.of((1..).zip(counted_rows).map(row).collect()),
        pagination: page.pagination(u64::try_from(total).unwrap_or(u64::MAX)),
    })
}
