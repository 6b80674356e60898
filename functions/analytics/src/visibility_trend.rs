//! `GET /trends/visibility`

use api::{ApiError, ApiRequest, ApiResponse, Columns};
use facts::figures::{TrendPoint, VisibilityFilter, visibility_trend};
use serde::Serialize;

use crate::{AnalyticsRequest, AnalyticsState};

#[derive(Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VisibilityTrendResponse {
    /// The days with answers, in ascending order.
    data: Vec<VisibilityDayView>,
    /// The first day of the period from which on all answers were read for the same names. Mentions of
    /// earlier days can lack names that were added since and whose answers have no text any more. Null if
    /// there is no such day.
    #[schemars(with = "Option<domain::schema::IsoDay>", extend("x-extension" = true))]
    counted_since: Option<String>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "VisibilityPoint")]
pub(crate) struct VisibilityDayView {
    /// The UTC day on which the checks were claimed.
    #[schemars(with = "domain::schema::IsoDay")]
    date: String,
    /// 100 × mentions / responses, with two decimals.
    #[schemars(with = "domain::schema::Percentage")]
    score: Option<f64>,
    /// The number of responses that mention the brand, each once.
    #[schemars(extend("x-extension" = true))]
    mentions: u64,
    /// The number of answered responses.
    #[schemars(extend("x-extension" = true))]
    responses: u64,
    /// The low and the high end of the score's Wilson interval at 95 %, with two decimals.
    #[schemars(with = "domain::schema::Interval", extend("x-extension" = true))]
    interval: Option<[f64; 2]>,
}

/// The columns of the table.
pub(crate) const COLUMNS: Columns = &[
    "date",
    "score",
    "mentions",
    "responses",
    "intervalLow",
    "intervalHigh",
];

/// Returns one entry per day that has answered responses, in ascending order.
pub(crate) async fn get(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let scope = AnalyticsRequest::parse(&request)?.load_scope().await?;
    let facts = scope.facts().visibility().await?;
    let days = facts.segments.iter().map(|of| {
        let filter = VisibilityFilter {
            brands: &scope.brands,
            selection: of.selection,
        };
        (of.check.day, of.segment.as_ref(), filter)
    });
    ApiResponse::from_fields(&VisibilityTrendResponse {
        data: visibility_trend(days)
            .iter()
            .map(VisibilityDayView::from)
            .collect(),
        counted_since: scope.counted_since().map(|day| day.to_string()),
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
