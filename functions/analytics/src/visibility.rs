//! `GET /trends/visibility`

use analysis::{Filters, Scope, State};
use api::{ApiError, Call, Reply, subject};
use domain::facts::trend::{TrendPoint, VisibilityQuestion, visibility_trend};
use domain::id::EntityId;
use serde::Serialize;

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
pub(crate) async fn visibility(call: Call<State>) -> Result<Reply, ApiError> {
    let entity = call.required("entityId")?;
    let range = call.query.range(call.state.app.clock.now().day())?;
    let filters = Filters::read(&call.query)?;
    let id: EntityId = subject(entity, "Entity")?;
    let at = (&call.state.app.store, &call.tenant);
    let scope = Scope::read(at.0, at.1, &id, &range, &filters).await?;
    // Each tracking numbers its models and prompts itself.
    let questions: Vec<VisibilityQuestion> = scope
        .trackings
        .iter()
        .map(|tracking| VisibilityQuestion {
            brands: scope.brands.clone(),
            selection: tracking.selection.clone(),
        })
        .collect();
    let facts = &call.state.facts;
    let points = facts.visibility(at, &scope.trackings, |held| {
        let days = held
            .iter()
            .filter_map(|held| Some((held.day, held.segment, questions.get(held.place)?)));
        visibility_trend(days)
    });
    Reply::of(&Trend {
        data: points.await?.iter().map(Point::from).collect(),
    })
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
