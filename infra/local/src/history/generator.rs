//! Generating the history of the demo workspace.

use std::sync::Arc;
use std::time::Duration;

use domain::clock::Clock;
use domain::entity::Entity;
use domain::id::WorkspaceId;
use domain::limits::LEASE;
use domain::time::Timestamp;
use serde_json::Value;
use store::{Store, Tenant};
use uuid::Uuid;

use super::{board, reconcile_all_event, workspace};
use crate::bus::{EventHandler, schedule};
use crate::clock::{ServiceClock, resume};
use crate::data::{self, DataDir, DemoState};
use crate::error::HostError;

/// The number of days at the end of the history in which tasks are created, so that some of them have
/// outcomes.
const BOARD_DAYS: i32 = 14;
/// The time between two polls for running checks.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Polls per reconciliation of running checks.
const POLLS_PER_RECONCILIATION: u32 = 50;
/// Polls after which a check that is still running is an error.
const MAX_POLLS: u32 = POLLS_PER_RECONCILIATION * 240;

/// Creates the demo workspace and runs the checks of the past days.
pub(crate) struct HistoryGenerator<'a> {
    pub(crate) store: &'a Store,
    pub(crate) clock: &'a Arc<ServiceClock>,
    pub(crate) checker: &'a EventHandler,
    pub(crate) data: Option<&'a DataDir>,
    /// The service time of the data that is older than the demo workspace.
    pub(crate) older_data_ends_at: Option<Timestamp>,
}

impl HistoryGenerator<'_> {
    /// Creates the workspace with its members and entities. Skips those that exist.
    pub(crate) async fn create_workspace(
        &self,
        existing: Option<DemoState>,
        models: &[Uuid],
    ) -> Result<DemoState, HostError> {
        let clock = self.clock.as_ref();
        let state = match existing {
            Some(state) => state,
            None => {
                workspace::create_workspace(self.store, clock, self.data, self.older_data_ends_at).await?
            }
        };
        let tenant = tenant_of(&state.workspace_id);
        board::add_members(self.store, &tenant, clock).await?;
        workspace::create_entities(self.store, &tenant, models).await?;
        Ok(state)
    }

    /// Runs every check that is due up to the end of the history, and creates tasks on the boards. Moves
    /// service time to the next slot, ticks and waits until the checks are done, as long as there is a slot
    /// before the end. Reports each day.
    pub(crate) async fn catch_up(
        &self,
        workspace: &WorkspaceId,
        mut report: impl FnMut(&str),
    ) -> Result<(), HostError> {
        let clock = self.clock;
        let tenant = &tenant_of(workspace);
        self.release_leases(tenant).await?;
        loop {
            let entities = self.wait_until_idle(tenant).await?;
            if clock.now().day() >= self.end().day().plus_days(-BOARD_DAYS) {
                board::start_tasks(self.store, tenant).await?;
            }
            let next = entities.iter().filter_map(|e| e.next_check_at).max();
            let Some(next) = next.filter(|next| *next <= self.end()) else {
                break;
            };
            self.move_to(next)?;
            report(&next.day().to_string());
            self.invoke(schedule::tick(clock.now())).await?;
        }
        self.move_to(self.end())
    }

    /// Returns the service time at which the history ends: now, or where the older data ends if that is
    /// later.
    fn end(&self) -> Timestamp {
        resume(self.older_data_ends_at, self.clock.real_now())
    }

    /// Ends the leases of workers that an earlier run of the host left behind.
    async fn release_leases(&self, tenant: &Tenant) -> Result<(), HostError> {
        let entities = self.store.entities(tenant).await?;
        if entities.iter().any(|e| e.running.is_some()) {
            let clock = self.clock;
            self.move_to(clock.now() + LEASE)?;
            self.reconcile().await?;
        }
        Ok(())
    }

    /// Waits until no check is running and none waits for its claim, and returns the entities. A check that
    /// is due and that the latest tick did not claim does not wait.
    async fn wait_until_idle(&self, tenant: &Tenant) -> Result<Vec<Entity>, HostError> {
        for poll in 1..=MAX_POLLS {
            let entities = self.store.entities(tenant).await?;
            let is_queued = |e: &Entity| poll > 1 && e.due_since(self.clock.now()).is_some();
            if entities.iter().all(|e| e.running.is_none() && !is_queued(e)) {
                return Ok(entities);
            }
            tokio::time::sleep(POLL_INTERVAL).await;
            if poll % POLLS_PER_RECONCILIATION == 0 {
                self.reconcile().await?;
            }
        }
        Err(HostError::Demo("a check does not end".to_owned()))
    }

    fn move_to(&self, to: Timestamp) -> Result<(), HostError> {
        let time = to.duration_since(self.clock.now());
        Ok(data::advance(self.data, self.clock, time)?)
    }

    async fn reconcile(&self) -> Result<(), HostError> {
        self.invoke(reconcile_all_event(self.clock.as_ref())).await
    }

    async fn invoke(&self, event: Value) -> Result<(), HostError> {
        (self.checker)(event).await.map(|_| ()).map_err(HostError::Demo)
    }
}

/// Returns the tenant of the workspace whose history is generated.
#[expect(
    clippy::disallowed_methods,
    reason = "the local host is the operator of its own workspace"
)]
fn tenant_of(workspace: &WorkspaceId) -> Tenant {
    Tenant::operator(*workspace)
}
