//! `GET /entities/competitors`

use api::{ApiError, ApiRequest, ApiResponse, Columns};
use domain::group::counted_as;
use domain::id::EntityId;
use domain::metrics::Share;
use domain::page::Pagination;
use facts::figures::{
    Competitor, CountedBrands, NoShareOfVoiceReason, RankedText, Voices, brand_mentions, row_of_domains,
    top_domains,
};
use serde::Serialize;
use uuid::Uuid;

use crate::{AnalyticsRequest, AnalyticsState};

#[derive(Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompetitorsResponse {
    /// The page's rows.
    data: Vec<CompetitorView>,
    /// Which rows these are.
    pagination: Pagination,
    /// The first day of the period from which on all answers were read for the same names. Mentions of
    /// earlier days can lack names that were added since and whose answers have no text any more. Null if
    /// there is no such day.
    #[schemars(with = "Option<domain::schema::IsoDay>", extend("x-extension" = true))]
    counted_since: Option<String>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Competitor")]
#[serde(rename_all = "camelCase")]
struct CompetitorView {
    /// The rank over all pages: 1, 2, 3 without gaps. Null if there is no share of voice.
    #[schemars(with = "Option<domain::schema::Rank>")]
    rank: Option<usize>,
    /// The brand's UUID.
    entity_uuid: Uuid,
    /// The brand's oldest tracking in this workspace. Null if there is none.
    entity_id: Option<EntityId>,
    /// The display name. A brand that is not tracked in this workspace is shown by its domain.
    name: String,
    /// The registrable domain. Null for an individual without one.
    domain: Option<String>,
    /// The number of responses that mention the brand.
    mentions: u64,
    /// The number of citations of the brand's domains, each URL once per response.
    total_citations: u64,
    /// 100 × the brand's mentions / the mentions of all brands, with two decimals. Null without any mention
    /// or rival.
    #[schemars(with = "Option<domain::schema::Percentage>")]
    share_of_voice: Option<f64>,
    /// The mentions of all brands together, of which `shareOfVoice` is a percentage. It is the same in every
    /// row.
    mentions_of_all_brands: u64,
    /// The low and the high end of the Wilson interval of `shareOfVoice` at 95 %, with two decimals. It takes
    /// mentions for independent.
    #[schemars(with = "Option<domain::schema::Interval>")]
    interval: Option<[f64; 2]>,
    /// Why there is no share of voice although there can be mentions. Null otherwise. It is the same in every
    /// row.
    share_of_voice_reason: Option<NoShareOfVoiceReason>,
    /// Whether the brand is the entity itself, with its domain group.
    is_current_entity: bool,
}

/// The columns of the table.
pub(crate) const COLUMNS: Columns = &[
    "rank",
    "entityUuid",
    "entityId",
    "name",
    "domain",
    "mentions",
    "totalCitations",
    "shareOfVoice",
    "mentionsOfAllBrands",
    "intervalLow",
    "intervalHigh",
    "shareOfVoiceReason",
    "isCurrentEntity",
];

/// Returns a page of the mentioned brands. The entity itself is always one of the rows.
///
/// Share of voice is the percentage of a brand's mentions among the mentions of all brands. A brand counts at
/// most once per response. Without rivals there is none.
pub(crate) async fn list(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let (analytics, page) = AnalyticsRequest::parse_with_page(&request)?;
    let (scope, names) = analytics.load_scope_with_names().await?;
    let brands = CountedBrands {
        own: &scope.brands,
        counted_as: &counted_as(&scope.groups),
    };
    let (visibility, citations) = tokio::try_join!(scope.facts().visibility(), scope.citations())?;
    let mentions = brand_mentions(visibility.selected(), brands);
    let texts = &citations.texts;
    let grouped = row_of_domains(&scope.groups, texts);
    let cited = top_domains(citations.selected(), &grouped, texts, 0, usize::MAX).rows;
    let domain = |row: &RankedText| (texts.get(row.text_id).to_owned(), row.count);
    let cited: Vec<_> = cited.iter().map(domain).collect();
    let counted_rows =
        facts::figures::competitors(&scope.entity, &names, &scope.known_brands, &mentions, &cited);
    let total = counted_rows.len();
    let of_entity = Share {
        mentions: mentions.own,
        responses: mentions.total(),
    };
    let voices = Voices::new(of_entity, scope.tracks_rivals());
    let row = |(rank, counted): (usize, Competitor)| {
        let voice = voices.share(counted.mentions);
        let share_of_voice = voice.and_then(Share::score);
        CompetitorView {
            rank: share_of_voice.map(|_| rank),
            entity_uuid: counted.label.uuid,
            entity_id: counted.label.entity_id,
            name: counted.label.name,
            domain: Some(counted.label.domain).filter(|domain| !domain.is_empty()),
            mentions: counted.mentions,
            total_citations: counted.citations,
            share_of_voice,
            mentions_of_all_brands: voices.all(),
            interval: voice.and_then(Share::interval),
            share_of_voice_reason: voices.reason(),
            is_current_entity: counted.is_own,
        }
    };
    ApiResponse::from_fields(&CompetitorsResponse {
        data: page.select_rows((1..).zip(counted_rows).map(row).collect()),
        pagination: page.pagination(total),
        counted_since: scope.counted_since().map(|day| day.to_string()),
    })
}
