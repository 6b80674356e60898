//! `GET /entities/tracking-status`: what clients poll to learn when there is new data.

use api::{ApiError, ApiRequest, ApiResponse, parse_id};
use domain::entity::{Entity, Problem};
use domain::id::EntityId;
use domain::time::Timestamp;
use serde::Serialize;
use uuid::Uuid;

use crate::EntitiesState;

#[derive(Serialize)]
struct TrackingStatusResponse<'a> {
    data: TrackingStatusView<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TrackingStatusView<'a> {
    scheduled: bool,
    last_check_completed_at: Option<String>,
    next_check_scheduled_at: Option<String>,
    is_processing: bool,
    frequency_hours: u32,
    problems: Vec<ProblemView<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ProblemView<'a> {
    provider: Option<&'a str>,
    model_id: Option<Uuid>,
    reason: &'a str,
    since: String,
}

pub(crate) async fn get(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let id: EntityId = parse_id(request.query.required_text("entityId")?, "Entity")?;
    let store = &request.state.api.store;
    let (entity, has_prompt) = tokio::try_join!(
        store.entity(&request.tenant, &id),
        store.has_active_prompt(&request.tenant, &id)
    )?;
    let entity = entity.ok_or_else(|| ApiError::not_found("Entity"))?;
    let mut problems = entity.problems.clone();
    if let Some(running) = &entity.running {
        problems.extend(store.shard_problems(&request.tenant, &id, running.check).await?);
    }
    // Without a prompt, or a model of a configured provider, the slots pass unused.
    let has_model = entity.has_model_of(&request.state.api.catalogue);
    let next = entity.next_check_at.filter(|_| has_model && has_prompt);
    ApiResponse::of(&TrackingStatusResponse {
        data: status(&entity, next, &distinct(problems), request.state.api.clock.now()),
    })
}

fn status<'a>(
    entity: &Entity,
    next: Option<Timestamp>,
    problems: &'a [Problem],
    now: Timestamp,
) -> TrackingStatusView<'a> {
    TrackingStatusView {
        scheduled: next.is_some(),
        last_check_completed_at: entity.last_check.as_ref().map(|check| check.completed_at.iso()),
        next_check_scheduled_at: next.map(Timestamp::iso),
        is_processing: entity.is_processing(now),
        frequency_hours: entity.frequency_hours,
        problems: problems
            .iter()
            .map(|p| ProblemView {
                provider: p.provider.as_deref(),
                model_id: p.model_id,
                reason: &p.reason,
                since: p.since.iso(),
            })
            .collect(),
    }
}

/// One problem for each cause, since it was first seen.
fn distinct(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by(|a, b| (a.cause(), a.since).cmp(&(b.cause(), b.since)));
    problems.dedup_by(|a, b| a.cause() == b.cause());
    problems
}
