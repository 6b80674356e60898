//! `GET /entities/overview`

use api::check_status::CheckStatusView;
use api::{ApiError, ApiRequest, ApiResponse, ApiState, Columns};
use domain::entity::Entity;
use domain::error::InvalidField;
use domain::group::counted_as;
use domain::id::EntityId;
use domain::metrics::Share;
use domain::page::FullPagination;
use domain::time::Day;
use facts::families::Visibility;
use facts::figures::{
    AnswerShares, CountedBrands, NoShareOfVoiceReason, TrendPoint, Voices, answer_shares, trend_of_shares,
};
use facts::{SelectedSegment, Selection, try_join_bounded};
use insights::comparison::{ComparedRanges, Judgement, WindowSegment, compare_whole_visibility};
use serde::Serialize;
use statistics::Side;
use store::{StoreError, Tenant};
use uuid::Uuid;

use crate::comparison::{AnswerCountsView, ComparedView, DaysView};
use crate::visibility_trend::VisibilityDayView;
use crate::{AnalyticsState, EntityScope, WorkspaceEntities, WorkspaceScope};

#[derive(Serialize, schemars::JsonSchema)]
pub struct OverviewResponse {
    /// The entities, oldest first.
    data: Vec<EntityOverviewView>,
    /// The days of the figures.
    window: DaysView,
    /// The days right before, with which they are compared.
    base: DaysView,
    /// The page.
    pagination: FullPagination,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "EntityOverview")]
#[serde(rename_all = "camelCase")]
struct EntityOverviewView {
    /// The entity's id.
    entity_id: EntityId,
    /// The brand's UUID.
    entity_uuid: Uuid,
    /// The display name.
    name: String,
    /// The tracked host, with a path if one was given. The name of an individual without a domain.
    target: String,
    /// The favicon of the target's host. Null for an individual without a domain.
    favicon_url: Option<String>,
    /// The state of the checks.
    status: CheckStatusView,
    /// The visibility in all answers of the window.
    visibility: AnswerCountsView,
    /// The visibility by day. Days without answers are left out.
    trend: Vec<VisibilityDayView>,
    /// Whether the visibility has changed from the base to the window.
    comparison: ComparedView<AnswerCountsView>,
    /// The number of actionables with the status `active`.
    active_actionables: u32,
    /// The first day of both windows from which on all answers were read for the same names. Mentions of
    /// earlier days can lack names that were added since and whose answers have no text any more. Null if
    /// there is no such day.
    #[schemars(with = "Option<domain::schema::IsoDay>")]
    counted_since: Option<String>,
    /// The share of voice in all answers of the window.
    share_of_voice: VoiceShareView,
    /// Why there is no share of voice although there can be mentions. Null otherwise.
    share_of_voice_reason: Option<NoShareOfVoiceReason>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "EntityVoiceShare")]
#[serde(rename_all = "camelCase")]
struct VoiceShareView {
    /// 100 × mentions / the mentions of all brands, with two decimals. Null without any mention or rival.
    #[schemars(with = "Option<domain::schema::Percentage>")]
    score: Option<f64>,
    /// The number of responses that mention the brand.
    mentions: u64,
    /// The mentions of all brands together, each once per response.
    mentions_of_all_brands: u64,
    /// The low and the high end of the score's Wilson interval at 95 %, with two decimals. It takes mentions
    /// for independent.
    #[schemars(with = "Option<domain::schema::Interval>")]
    interval: Option<[f64; 2]>,
}

impl VoiceShareView {
    /// Creates the view of a brand with so many of the mentions.
    fn new(mentions: u64, voices: Voices) -> Self {
        let voice = voices.share(mentions);
        Self {
            score: voice.and_then(Share::score),
            mentions,
            mentions_of_all_brands: voices.all(),
            interval: voice.and_then(Share::interval),
        }
    }
}

/// The columns of the table.
pub(crate) const COLUMNS: Columns = &[
    "entityId",
    "entityUuid",
    "name",
    "target",
    "faviconUrl",
    "status.scheduled",
    "status.lastCheckCompletedAt",
    "status.nextCheckScheduledAt",
    "status.isProcessing",
    "status.queued.since",
    "status.frequencyHours",
    "status.problems.reason",
    "visibility.score",
    "visibility.mentions",
    "visibility.responses",
    "visibility.intervalLow",
    "visibility.intervalHigh",
    "trend.date",
    "trend.score",
    "trend.mentions",
    "trend.responses",
    "comparison.window.score",
    "comparison.window.mentions",
    "comparison.window.responses",
    "comparison.window.intervalLow",
    "comparison.window.intervalHigh",
    "comparison.base.score",
    "comparison.base.mentions",
    "comparison.base.responses",
    "comparison.base.intervalLow",
    "comparison.base.intervalHigh",
    "comparison.change",
    "comparison.changeIntervalLow",
    "comparison.changeIntervalHigh",
    "comparison.pValue",
    "comparison.verdict",
    "comparison.reason",
    "activeActionables",
    "countedSince",
    "shareOfVoice.score",
    "shareOfVoice.mentions",
    "shareOfVoice.mentionsOfAllBrands",
    "shareOfVoice.intervalLow",
    "shareOfVoice.intervalHigh",
    "shareOfVoiceReason",
];

/// Returns the state, the visibility and the change of each entity that the key reaches.
pub(crate) async fn list(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let range = request.query.range(request.state.api.clock.now().day())?;
    let page = request.page()?;
    let ranges = ComparedRanges::with_days_before(range).ok_or_else(|| {
        InvalidField::new(
            "startDate",
            "must be after 1970-01-01, so that there are days before it",
        )
    })?;
    let (api, tenant) = (&request.state.api, &request.tenant);
    let workspace = WorkspaceEntities::load(&request.state, tenant, &request.key_scope).await?;
    let entities = workspace.page(&page);
    let figures = async {
        let scope = workspace.load_scope(&entities, ranges.to_read()).await?;
        let facts = scope.facts().visibility().await?;
        Ok::<_, ApiError>(figures(&scope, &ranges, &facts.segments))
    };
    let checks = async { Ok(check_states(api, tenant, &entities).await?) };
    let (figures, checks) = tokio::try_join!(figures, checks)?;
    let rows = entities.iter().zip(checks).zip(figures);
    let rows = rows.map(|((entity, checks), figures)| EntityOverviewView::new(entity, checks, figures));
    let total = workspace.entities.len();
    ApiResponse::from_fields(&OverviewResponse {
        data: rows.collect(),
        window: DaysView::from(&ranges.window),
        base: DaysView::from(&ranges.base),
        pagination: page.full_pagination(total),
    })
}

async fn check_states(
    api: &ApiState,
    tenant: &Tenant,
    entities: &[&Entity],
) -> Result<Vec<CheckStatusView>, StoreError> {
    // Almost every entity has an active first prompt. The others are searched for one with strong
    // consistency.
    let scheduled = entities.iter().filter(|entity| entity.next_check_at.is_some());
    let scheduled: Vec<&EntityId> = scheduled.map(|entity| &entity.id).collect();
    let active = api.store.with_active_first_prompt(tenant, &scheduled).await?;
    let loads = entities.iter().map(|entity| {
        let first_prompt_is_active = active.contains(&entity.id);
        async move {
            let has_active_prompt = first_prompt_is_active
                || entity.next_check_at.is_some() && api.store.has_active_prompt(tenant, &entity.id).await?;
            CheckStatusView::load(api, tenant, entity, has_active_prompt).await
        }
    });
    try_join_bounded(loads).await
}

/// What an entity's facts say.
struct Figures {
    trend: Vec<TrendPoint>,
    /// The mentions of all brands in the window, and those of the entity among them.
    voice: Share,
    tracks_rivals: bool,
    comparison: Judgement,
    counted_since: Option<String>,
}

fn figures(
    scope: &WorkspaceScope<'_>,
    ranges: &ComparedRanges,
    segments: &[SelectedSegment<'_, Visibility>],
) -> Vec<Figures> {
    // The segments of one entity follow each other.
    let mut by_counted: Vec<&[SelectedSegment<'_, Visibility>]> = vec![&[]; scope.counted.len()];
    for of_one in segments.chunk_by(|one, next| one.entity_index == next.entity_index) {
        let counted = of_one.first().map(|segment| segment.entity_index);
        if let Some(of_counted) = counted.and_then(|counted| by_counted.get_mut(counted)) {
            *of_counted = of_one;
        }
    }
    let of_entity = |entity: &EntityScope| {
        let counted = entity.counted.iter().enumerate();
        let segments: Vec<WindowSegment<'_, Visibility>> = counted
            .filter_map(|(entity_index, counted)| Some((entity_index, by_counted.get(*counted)?)))
            .flat_map(|(entity_index, segments)| {
                segments
                    .iter()
                    .filter_map(move |segment| WindowSegment::new(segment, ranges, entity_index))
            })
            .collect();
        let models: Vec<&[Uuid]> = entity
            .counted
            .iter()
            .filter_map(|index| scope.counted.get(*index))
            .map(|counted| counted.entity.model_ordinals.as_slice())
            .collect();
        let counted_as = counted_as(&entity.groups);
        let brands = CountedBrands {
            own: &entity.brands,
            counted_as: &counted_as,
        };
        let everything = Selection::default();
        let of_window = segments.iter().filter(|of| of.side == Side::Window);
        let shares = of_window.map(|of| (of.day, answer_shares(of.segment, &everything, brands)));
        let shares: Vec<(Day, AnswerShares)> = shares.collect();
        Figures {
            trend: trend_of_shares(shares.iter().map(|(day, shares)| (*day, shares.visibility))),
            voice: shares.iter().map(|(_, shares)| shares.voice).sum(),
            tracks_rivals: entity.tracks_rivals,
            comparison: compare_whole_visibility(*ranges, &models, &segments, brands),
            counted_since: scope.counted_since(entity).map(|day| day.to_string()),
        }
    };
    scope.entities.iter().map(of_entity).collect()
}

impl EntityOverviewView {
    fn new(entity: &Entity, checks: CheckStatusView, figures: Figures) -> Self {
        let visibility: Share = figures.trend.iter().map(|point| point.share).sum();
        let voices = Voices::new(figures.voice, figures.tracks_rivals);
        Self {
            entity_id: entity.id,
            entity_uuid: entity.brand,
            name: entity.name.clone(),
            target: entity.target.clone(),
            favicon_url: entity.favicon_url.clone(),
            status: checks,
            visibility: AnswerCountsView::from(visibility),
            share_of_voice: VoiceShareView::new(figures.voice.mentions, voices),
            share_of_voice_reason: voices.reason(),
            trend: figures.trend.iter().map(VisibilityDayView::from).collect(),
            comparison: ComparedView::of_visibility(&figures.comparison),
            active_actionables: entity.active_actionables,
            counted_since: figures.counted_since,
        }
    }
}
