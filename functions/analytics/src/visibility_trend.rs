//! `GET /trends/visibility`

use analytics_core::{AnalyticsRequest, AnalyticsState};
use api::{ApiError, ApiRequest, ApiResponse};
use domain::facts::questions::{TrendPoint, VisibilityFilter, visibility_trend};
use serde::Serialize;

#[derive(Serialize)]
struct VisibilityTrendResponse {
    data: Vec<VisibilityDayView>,
}

/// The visibility of one day. `score` is the percentage of answered responses that mention the entity, and `interval`
/// its 95% Wilson interval in percent.
#[derive(Serialize)]
struct VisibilityDayView {
    date: String,
    score: Option<f64>,
    mentions: u64,
    responses: u64,
    interval: Option<[f64; 2]>,
}

/// Returns one entry per day that has answered responses, in ascending order.
pub(crate) async fn get(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let scope = AnalyticsRequest::parse(&request)?.load_scope().await?;
    // Each entity numbers its prompts and models itself.
    let questions: Vec<VisibilityFilter> = scope
        .entities
        .iter()
        .map(|counted| VisibilityFilter {
            brands: scope.brands.clone(),
            selection: counted.selection.clone(),
        })
        .collect();
    let points = scope.visibility(|segments| {
        let days = segments
            .iter()
            .filter_map(|cached| Some((cached.day, cached.segment, questions.get(cached.entity_index)?)));
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
