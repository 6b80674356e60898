//! The state of an entity's checks in responses.

use domain::check::Check;
use domain::entity::{Entity, Problem};
use domain::time::Timestamp;
use serde::Serialize;
use store::{StoreError, Tenant};
use uuid::Uuid;

use crate::ApiState;

/// When an entity is checked, whether a check is running, and what is wrong.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "CheckStatus")]
#[serde(rename_all = "camelCase")]
pub struct CheckStatusView {
    /// Whether a check will run on schedule.
    scheduled: bool,
    /// When the last check was completed. Null before the first one.
    #[schemars(with = "Option<domain::schema::IsoTimestamp>")]
    last_check_completed_at: Option<String>,
    /// When the next check is due. Null if none is.
    #[schemars(with = "Option<domain::schema::IsoTimestamp>")]
    next_check_scheduled_at: Option<String>,
    /// Whether a check is running.
    is_processing: bool,
    /// The check that is due or was requested, and waits until other checks leave room for it. Null if none
    /// waits.
    #[schemars(extend("x-extension" = true))]
    queued: Option<QueuedView>,
    /// How far the running check is. Null if none is running.
    #[schemars(extend("x-extension" = true))]
    progress: Option<CheckProgressView>,
    /// The hours between checks.
    #[schemars(range(min = 1, max = domain::limits::MAX_FREQUENCY_HOURS))]
    frequency_hours: u32,
    /// Why checks do not give all answers. Empty if there is no problem.
    #[schemars(extend("x-extension" = true))]
    problems: Vec<ProblemView>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "QueuedCheck")]
struct QueuedView {
    /// Since when the check waits.
    #[schemars(with = "domain::schema::IsoTimestamp")]
    since: String,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Problem")]
#[serde(rename_all = "camelCase")]
struct ProblemView {
    /// The provider. Null if credits are missing.
    provider: Option<String>,
    /// The model's UUID. Null if the problem concerns the whole provider.
    model_id: Option<Uuid>,
    /// What is wrong.
    reason: String,
    /// Since when there is the problem.
    #[schemars(with = "domain::schema::IsoTimestamp")]
    since: String,
}

/// How much of a running check is done. A check is worked on in parts of equal numbers of questions.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "CheckProgress")]
struct CheckProgressView {
    /// The number of parts all of whose questions are answered or given up.
    done: u32,
    /// The number of parts.
    total: u32,
}

impl CheckProgressView {
    fn of(check: &Check) -> Self {
        Self {
            done: check.shards.total().saturating_sub(check.shards.left()),
            total: check.shards.total(),
        }
    }
}

impl CheckStatusView {
    /// Reads the entity's running check, if there is one. `has_active_prompt` says whether the entity has a
    /// prompt that is neither paused nor deleted.
    pub async fn load(
        api: &ApiState,
        tenant: &Tenant,
        entity: &Entity,
        has_active_prompt: bool,
    ) -> Result<Self, StoreError> {
        let mut problems = entity.problems.clone();
        let mut running_check = None;
        if let Some(running) = &entity.running {
            let (check, shard_problems) = tokio::try_join!(
                api.store.check(tenant, &entity.id, running.check),
                api.store.shard_problems(tenant, &entity.id, running.check)
            )?;
            problems.extend(shard_problems);
            running_check = check;
        }
        // Without an active prompt and a model of a configured provider, the check slots are skipped.
        let has_model = entity.has_available_model(&api.catalogue);
        let next = entity.next_check_at.filter(|_| has_model && has_active_prompt);
        let now = api.clock.now();
        let queued_since = match &running_check {
            Some(check) => Some(check.claimed_at).filter(|_| check.started_at.is_none()),
            None => entity.due_since(now).filter(|_| next.is_some()),
        };
        let running_check = running_check.filter(|check| !check.is_closed_at(now));
        Ok(Self {
            scheduled: next.is_some(),
            last_check_completed_at: entity.last_check.as_ref().map(|check| check.completed_at.iso()),
            next_check_scheduled_at: next.map(Timestamp::iso),
            is_processing: running_check.is_some(),
            queued: queued_since.map(|since| QueuedView { since: since.iso() }),
            progress: running_check.as_ref().map(CheckProgressView::of),
            frequency_hours: entity.frequency_hours,
            problems: distinct(problems).into_iter().map(ProblemView::from).collect(),
        })
    }
}

impl From<Problem> for ProblemView {
    fn from(problem: Problem) -> Self {
        Self {
            provider: problem.provider,
            model_id: problem.model_id,
            reason: problem.reason,
            since: problem.since.iso(),
        }
    }
}

/// Returns the earliest problem of each cause.
fn distinct(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by(|a, b| (a.cause(), a.since).cmp(&(b.cause(), b.since)));
    problems.dedup_by(|a, b| a.cause() == b.cause());
    problems
}
