//! `GET /trends/visibility`

use analytics_core::{AnalyticsState, Filters, Scope};
use api::{ApiError, ApiRequest, ApiResponse, parse_id};
use domain::facts::questions::{TrendPoint, VisibilityFilter, visibility_trend};
use domain::id::EntityId;
use serde::Serialize;

#[derive(Serialize)]
struct VisibilityTrendResponse {
    data: Vec<VisibilityDayView>,
}

/// `score` is 100 × mentions / responses; `interval` its Wilson interval at 95 %, in score units.
#[derive(Serialize)]
struct VisibilityDayView {
    date: String,
    score: Option<f64>,
    mentions: u64,
    responses: u64,
    interval: Option<[f64; 2]>,
}

/// One point per day with answered responses.
pub(crate) async fn get(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let entity = request.required("entityId")?;
    let range = request.query.range(request.state.api.clock.now().day())?;
    let filters = Filters::read(&request.query)?;
    let id: EntityId = parse_id(entity, "Entity")?;
    let at = (&request.state.api.store, &request.tenant);
    let scope = Scope::read(at.0, at.1, &id, &range, &filters).await?;
    // Each tracking numbers its models and prompts itself.
    let questions: Vec<VisibilityFilter> = scope
        .trackings
        .iter()
        .map(|tracking| VisibilityFilter {
            brands: scope.brands.clone(),
            selection: tracking.selection.clone(),
        })
        .collect();
    let facts = &request.state.facts;
    let points = facts.visibility(at, &scope.trackings, |held| {
        let days = held
            .iter()
            .filter_map(|held| Some((held.day, held.segment, questions.get(held.place)?)));
        visibility_trend(days)
    });
    ApiResponse::of(&VisibilityTrendResponse {
        data: points.await?.iter().map(VisibilityDayView::from).collect(),
    })
}

impl From<&TrendPoint> for VisibilityDayView {
    fn from(point: &TrendPoint) -> Self {
        Self {
            date: point.day.to_string(),
            score: point.share.score(),
            mentions: point.share.mentions,
            responses: point.share.responses,
            interval: point.share.interval(),
        }
    }
}
