//! `GET /trends/visibility`

use api::{ApiError, App, Call, Reply, subject};
use domain::facts::Family;
use domain::facts::trend::{TrendPoint, VisibilityQuestion, visibility_trend};
use domain::facts::visibility::Visibility;
use domain::id::EntityId;
use domain::period::Range;
use futures::future::try_join_all;
use serde::Serialize;
use store::{Store, Tenant};

use crate::filters::Filters;
use crate::scope::Scope;

#[derive(Serialize)]
struct Trend {
    data: Vec<Point>,
}

/// `score` is 100 × mentions / responses; `interval` its Wilson interval at 95 %, in score units.
#[derive(Serialize)]
struct Point {
    date: String,
    score: Option<f64>,
    mentions: u64,
    responses: u64,
    interval: Option<[f64; 2]>,
}

/// One point per day with answered responses.
pub(crate) async fn visibility(call: Call<App>) -> Result<Reply, ApiError> {
    let entity = call.required("entityId")?;
    let range = call.query.range(call.state.clock.now().day())?;
    let filters = Filters::read(&call.query)?;
    let id: EntityId = subject(entity, "Entity")?;
    let points = trend(&call.state.store, &call.tenant, &id, &range, &filters).await?;
    Reply::of(&Trend {
        data: points.iter().map(Point::from).collect(),
    })
}

async fn trend(
    store: &Store,
    tenant: &Tenant,
    id: &EntityId,
    range: &Range,
    filters: &Filters,
) -> Result<Vec<TrendPoint>, ApiError> {
    let scope = Scope::read(store, tenant, id, range, filters).await?;
    let trackings = &scope.trackings;
    let sealed = trackings
        .iter()
        .map(|tracking| tracking.segments(store, tenant, Family::Visibility, range));
    let sealed = try_join_all(sealed).await?;
    let mut questions = Vec::with_capacity(trackings.len());
    let mut days = Vec::new();
    for (place, (tracking, sealed)) in trackings.iter().zip(&sealed).enumerate() {
        // Each tracking numbers its models and prompts itself.
        questions.push(VisibilityQuestion {
            brands: scope.brands.clone(),
            models: filters.models(&tracking.entity),
            prompts: filters.prompts(&tracking.entity, &tracking.prompts),
        });
        for (day, bytes) in sealed {
            let facts = Visibility::decode(bytes).map_err(ApiError::internal)?;
            days.push((*day, facts, place));
        }
    }
    Ok(visibility_trend(
        days.iter()
            .map(|(day, facts, place)| (*day, facts, &questions[*place])),
    ))
}

impl From<&TrendPoint> for Point {
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
