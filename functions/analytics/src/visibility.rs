//! `GET /trends/visibility`

use api::{ApiError, App, Call, Reply, subject};
use domain::facts::trend::{TrendPoint, VisibilityQuestion, visibility_trend};
use domain::facts::visibility::Visibility;
use domain::facts::{Family, Ordinals};
use domain::id::EntityId;
use domain::period::Range;
use serde::Serialize;
use store::Tenant;

use crate::filters::Filters;

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
    let filters = Filters::read(&call.query);
    let id: EntityId = subject(entity, "Entity")?;
    let points = trend(&call.state, &call.tenant, &id, &range, &filters).await?;
    Reply::of(&Trend {
        data: points.iter().map(Point::from).collect(),
    })
}

async fn trend(
    app: &App,
    tenant: &Tenant,
    id: &EntityId,
    range: &Range,
    filters: &Filters,
) -> Result<Vec<TrendPoint>, ApiError> {
    let store = &app.store;
    let known = async {
        if filters.by_tags() {
            store.prompts(tenant, id).await
        } else {
            Ok(Vec::new())
        }
    };
    let (entity, index, known) = tokio::try_join!(
        store.entity(tenant, id),
        store.fact_index(tenant, id, range, false),
        known,
    )?;
    let entity = entity.ok_or_else(|| ApiError::not_found("Entity"))?;
    // The entity is read strongly: facts of its last check that the index lacks are there by now.
    let behind = entity
        .last_check
        .as_ref()
        .is_some_and(|c| range.contains(c.day) && !index.has(c.day, c.check));
    let index = if behind {
        store.fact_index(tenant, id, range, true).await?
    } else {
        index
    };
    let sealed = store
        .segments(tenant, id, Family::Visibility, range, &index, behind)
        .await?;
    let days = sealed
        .iter()
        .map(|(day, bytes)| Visibility::decode(bytes).map(|facts| (*day, facts)))
        .collect::<Result<Vec<_>, _>>()
        .map_err(ApiError::internal)?;
    let question = VisibilityQuestion {
        brands: Ordinals::from_iter([entity.brand_ordinal]),
        models: filters.models(&entity),
        prompts: filters.prompts(&entity, &known),
    };
    Ok(visibility_trend(
        days.iter().map(|(day, facts)| (*day, facts)),
        &question,
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
