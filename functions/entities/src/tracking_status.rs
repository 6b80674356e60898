//! `GET /entities/tracking-status`

use api::{ApiError, ApiRequest, ApiResponse, parse_id};
use domain::entity::{Entity, Problem};
use domain::id::EntityId;
use domain::time::Timestamp;
use serde::Serialize;
use store::RereadingProgress;
use uuid::Uuid;

use crate::EntitiesState;

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrackingStatusResponse<'a> {
    /// The state of the entity's checks.
    data: TrackingStatusView<'a>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
struct TrackingStatusView<'a> {
    /// Whether a check will run on schedule.
    scheduled: bool,
    /// When the last check was completed. Null before the first one.
    #[cfg_attr(feature = "schema", schemars(with = "Option<domain::schema::IsoTimestamp>"))]
    last_check_completed_at: Option<String>,
    /// When the next check is due. Null if none is.
    #[cfg_attr(feature = "schema", schemars(with = "Option<domain::schema::IsoTimestamp>"))]
    next_check_scheduled_at: Option<String>,
    /// Whether a check is running.
    is_processing: bool,
    /// The hours between checks.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = domain::limits::MAX_FREQUENCY_HOURS)))]
    frequency_hours: u32,
    /// Why checks do not give all answers. Empty if there is no problem.
    #[cfg_attr(feature = "schema", schemars(extend("x-extension" = true)))]
    problems: Vec<ProblemView<'a>>,
    /// How far the recorded answers are read again after names have changed. Null if there is nothing to read again.
    #[cfg_attr(feature = "schema", schemars(extend("x-extension" = true)))]
    rereading: Option<RereadingView>,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Rereading")
)]
struct RereadingView {
    /// The number of days whose answers have been read again.
    done: u32,
    /// The number of days to read again. Null as long as they are not counted.
    total: Option<u32>,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Problem")
)]
#[serde(rename_all = "camelCase")]
struct ProblemView<'a> {
    /// The provider. Null if credits are missing.
    provider: Option<&'a str>,
    /// The model's UUID. Null if the problem concerns the whole provider.
    model_id: Option<Uuid>,
    /// What is wrong.
    reason: &'a str,
    /// Since when there is the problem.
    #[cfg_attr(feature = "schema", schemars(with = "domain::schema::IsoTimestamp"))]
    since: String,
}

/// Returns the state of an entity's checks, which clients poll to learn when there is new data, and the problems that keep checks
/// from giving all answers. Returns 404 if the entity does not exist.
pub(crate) async fn get(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let id: EntityId = parse_id(request.query.required_text("entityId")?, "Entity")?;
    let store = &request.state.api.store;
    let (entity, has_prompt, rereading) = tokio::try_join!(
        store.entity(&request.tenant, &id),
        store.has_active_prompt(&request.tenant, &id),
        store.rereading_progress(&request.tenant, &id)
    )?;
    let entity = entity.ok_or_else(|| ApiError::not_found("Entity"))?;
    let mut problems = entity.problems.clone();
    if let Some(running) = &entity.running {
        problems.extend(store.shard_problems(&request.tenant, &id, running.check).await?);
    }
    // Without an active prompt and a model of a configured provider, the check slots are skipped.
    let has_model = entity.has_available_model(&request.state.api.catalogue);
    let next = entity.next_check_at.filter(|_| has_model && has_prompt);
    ApiResponse::from_fields(&TrackingStatusResponse {
        data: status(
            &entity,
            next,
            &distinct(problems),
            rereading.filter(|_| entity.last_check.is_some()),
            request.state.api.clock.now(),
        ),
    })
}

fn status<'a>(
    entity: &Entity,
    next: Option<Timestamp>,
    problems: &'a [Problem],
    rereading: Option<RereadingProgress>,
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
        rereading: rereading.map(|progress| RereadingView {
            done: progress.done,
            total: progress.total,
        }),
    }
}

/// Returns the earliest problem of each cause.
fn distinct(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by(|a, b| (a.cause(), a.since).cmp(&(b.cause(), b.since)));
    problems.dedup_by(|a, b| a.cause() == b.cause());
    problems
}
