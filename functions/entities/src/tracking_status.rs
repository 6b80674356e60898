//! `GET /entities/tracking-status`

use api::{ApiError, ApiRequest, ApiResponse, parse_id};
use domain::entity::Problem;
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
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "TrackingStatus")
)]
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
    /// The check that is due or was requested, and waits until other checks leave room for it. Null if none waits.
    #[cfg_attr(feature = "schema", schemars(extend("x-extension" = true)))]
    queued: Option<QueuedView>,
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
    schemars(rename = "QueuedCheck")
)]
struct QueuedView {
    /// Since when the check waits.
    #[cfg_attr(feature = "schema", schemars(with = "domain::schema::IsoTimestamp"))]
    since: String,
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

impl RereadingView {
    fn of(progress: RereadingProgress) -> Self {
        Self {
            done: progress.done,
            total: progress.total,
        }
    }
}

impl<'a> ProblemView<'a> {
    fn of(problem: &'a Problem) -> Self {
        Self {
            provider: problem.provider.as_deref(),
            model_id: problem.model_id,
            reason: &problem.reason,
            since: problem.since.iso(),
        }
    }
}

/// Returns the state of an entity's checks, which clients poll to learn when there is new data, and the problems that keep checks
/// from giving all answers. Returns 404 if the entity does not exist.
pub(crate) async fn get(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let id: EntityId = parse_id(
        &request.key_scope,
        request.query.required_text("entityId")?,
        "Entity",
    )?;
    let store = &request.state.api.store;
    let (entity, has_prompt, rereading) = tokio::try_join!(
        store.entity(&request.tenant, &id),
        store.has_active_prompt(&request.tenant, &id),
        store.rereading_progress(&request.tenant, &id)
    )?;
    let entity = entity.ok_or_else(|| ApiError::not_found("Entity"))?;
    let mut problems = entity.problems.clone();
    let mut running_check = None;
    if let Some(running) = &entity.running {
        let (check, shard_problems) = tokio::try_join!(
            store.check(&request.tenant, &id, running.check),
            store.shard_problems(&request.tenant, &id, running.check)
        )?;
        problems.extend(shard_problems);
        running_check = check;
    }
    // Without an active prompt and a model of a configured provider, the check slots are skipped.
    let has_model = entity.has_available_model(&request.state.api.catalogue);
    let next = entity.next_check_at.filter(|_| has_model && has_prompt);
    let now = request.state.api.clock.now();
    let queued_since = match &running_check {
        Some(check) => Some(check.claimed_at).filter(|_| check.started_at.is_none()),
        None => entity.due_since(now).filter(|_| next.is_some()),
    };
    ApiResponse::from_fields(&TrackingStatusResponse {
        data: TrackingStatusView {
            scheduled: next.is_some(),
            last_check_completed_at: entity.last_check.as_ref().map(|check| check.completed_at.iso()),
            next_check_scheduled_at: next.map(Timestamp::iso),
            is_processing: running_check.is_some_and(|check| !check.is_closed_at(now)),
            queued: queued_since.map(|since| QueuedView { since: since.iso() }),
            frequency_hours: entity.frequency_hours,
            problems: distinct(&mut problems).iter().map(ProblemView::of).collect(),
            rereading: rereading
                .filter(|_| entity.last_check.is_some())
                .map(RereadingView::of),
        },
    })
}

/// Returns the earliest problem of each cause.
fn distinct(problems: &mut Vec<Problem>) -> &[Problem] {
    problems.sort_by(|a, b| (a.cause(), a.since).cmp(&(b.cause(), b.since)));
    problems.dedup_by(|a, b| a.cause() == b.cause());
    problems
}
