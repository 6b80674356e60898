//! `CheckClaimed`, a tick, or the end of a shard: admits work.
//!
//! An admission publishes the ready shards of running checks, up to the number that workers can take up soon,
//! and claims due checks if few shards are ready. `domain::admission` decides which ones. Usually one
//! admission runs at a time, and others ask it to run once more. Nothing depends on that: a shard is marked
//! as published in its check, on the condition that no other admission has done so, and only then published.

mod due_checks;
mod fleet;

use std::time::Duration;

use domain::admission::{Capacity, FairTime};
use domain::backoff::Backoff;
use domain::check::Transition;
use domain::limits::MAX_ADMITTED_WORKSPACES;
use domain::ordinal::ShardNumber;
use events::{CheckEvent, CheckRef};
use futures::StreamExt;
use store::{AdmissionRequest, AdmissionState, Trigger};
use tracing::Instrument;
use uuid::Uuid;

use crate::checker::check_ref;
use crate::{Checker, CheckerError, spans};
use due_checks::{DueCheck, DueChecks};
use fleet::Fleet;

/// The number of admissions that one invocation runs because others ask for them.
const MAX_ROUNDS: usize = 8;
/// The time after which an admission that has not ended does not hold up others.
const ADMISSION_LEASE: Duration = Duration::from_secs(10);
/// The attempts at an admission. Each failed one means that another admission was faster.
const MAX_ATTEMPTS: u32 = 8;
/// The delays between those attempts.
const OUTRUN_BACKOFF: Backoff =
    Backoff::new(Duration::from_millis(10), Duration::from_millis(160)).with_jitter(0.75);
/// The number of due checks that are claimed concurrently.
const CONCURRENT_CLAIMS: usize = 8;

impl Checker {
    /// Handles `CheckClaimed`.
    pub(crate) async fn admit_claimed(&self, check_ref: &CheckRef) -> Result<(), CheckerError> {
        match self.running_check(check_ref).await? {
            Some(claimed) if claimed.check.shards.ready_shards().next().is_some() => {
                self.admit(Some(check_ref), AdmissionRequest::Shards).await
            }
            _ => Ok(()),
        }
    }

    /// Admits work after a shard has ended or was deferred, as often as the number of workers requires. If
    /// that fails, the next tick admits work.
    pub(crate) async fn admit_after_shard(&self) {
        let probability = Capacity::new(self.shard_concurrency).admission_probability();
        if rand::random::<f64>() >= probability {
            return;
        }
        if let Err(error) = self.admit(None, AdmissionRequest::Shards).await {
            tracing::warn!(%error, "no work could be admitted after a shard");
        }
    }

    /// Admits work, unless another admission is running, which then runs once more. `claimed` is a running
    /// check that the list of running checks may not contain yet.
    pub(crate) async fn admit(
        &self,
        mut claimed: Option<&CheckRef>,
        mut request: AdmissionRequest,
    ) -> Result<(), CheckerError> {
        let owner = Uuid::new_v4();
        for _ in 0..MAX_ROUNDS {
            let now = self.clock.now();
            let until = now + ADMISSION_LEASE;
            let Some(state) = self.store.begin_admission(owner, now, until).await? else {
                if self.store.request_admission(request, now).await? {
                    return Ok(());
                }
                continue;
            };
            if let Err(error) = self.admit_once(state, claimed, request).await {
                // A failure is ignored, because the lease expires anyway.
                let _ = self.store.abandon_admission(owner).await;
                return Err(error);
            }
            match self.store.end_admission(owner).await? {
                None => return Ok(()),
                Some(again) => (claimed, request) = (None, again),
            }
        }
        // Shards end so fast that the next one admits work.
        Ok(self.store.abandon_admission(owner).await?)
    }

    /// Publishes ready shards and claims due checks. Due checks are read at a tick, or if an earlier
    /// admission left some and few shards are ready.
    async fn admit_once(
        &self,
        state: AdmissionState,
        claimed: Option<&CheckRef>,
        request: AdmissionRequest,
    ) -> Result<(), CheckerError> {
        for attempt in 0..MAX_ATTEMPTS {
            let claimed = match claimed {
                Some(claimed) => self.running_check(claimed).await?,
                None => None,
            };
            let mut fleet = Fleet::load(self, state, claimed).await?;
            let is_outrun = !self.publish_ready_shards(&mut fleet).await?;
            let passed = fleet.admission.fair_time().since(fleet.state.fair_time);
            if passed > FairTime::default() {
                self.store.advance_fair_time(passed).await?;
            }
            for idle in fleet.idle_checks() {
                let (entity, check) = (&idle.entity, idle.check.check);
                let marked = self
                    .store
                    .reschedule_reconciliation(&idle.tenant, entity, check, |_| {});
                marked.await?;
            }
            if is_outrun {
                tokio::time::sleep(OUTRUN_BACKOFF.delay(attempt, rand::random())).await;
                continue;
            }
            if request == AdmissionRequest::Tick || fleet.needs_due_checks() {
                let next_turn = self.claim_due_checks(&fleet).await?;
                if next_turn != fleet.state.next_turn {
                    self.store.put_next_turn(next_turn).await?;
                }
            }
            return Ok(());
        }
        // Other admissions keep publishing, so that workers are busy.
        Ok(())
    }

    /// Publishes as many ready shards as workers can take up soon. Returns `false` if another admission was
    /// faster with some.
    async fn publish_ready_shards(&self, fleet: &mut Fleet) -> Result<bool, CheckerError> {
        let mut is_outrun = false;
        for (item, shards, turn) in fleet.choose_shards() {
            let now = self.clock.now();
            if !self.store.mark_published(item, &shards, turn, now).await? {
                is_outrun = true;
                continue;
            }
            let (tenant, entity, check) = (&item.tenant, &item.entity, item.check.check);
            let ready =
                |shard: &ShardNumber| CheckEvent::ShardReady(check_ref(tenant, entity, check), *shard);
            let events: Vec<CheckEvent> = shards.iter().map(ready).collect();
            if let Err(error) = self.bus.publish(&events).await {
                let again = Transition::return_to_ready(shards);
                self.store.move_shards(tenant, entity, check, &again).await?;
                return Err(error.into());
            }
        }
        Ok(!is_outrun)
    }

    /// Claims due checks, as many as their shards can be published soon. Returns the turn that the first
    /// check that is left would have, or `None` if none is left.
    async fn claim_due_checks(&self, fleet: &Fleet) -> Result<Option<FairTime>, CheckerError> {
        let mut admission = fleet.admission.clone();
        let mut due = DueChecks::of(self.store.due_slots(self.clock.now()).await?);
        while let Some(candidates) = self.next_due_checks(&mut due).await? {
            let work: Vec<_> = candidates
                .iter()
                .map(|candidate| candidate.work.clone())
                .collect();
            let (chosen, next_turn) = admission.claim(&work);
            if chosen.is_empty() {
                return Ok(next_turn);
            }
            let chosen: Vec<&DueCheck> = chosen.into_iter().map(|index| &candidates[index]).collect();
            let claims: Vec<_> = chosen.iter().map(|due| self.claim_due_check(due)).collect();
            let claimed = futures::stream::iter(claims)
                .buffered(CONCURRENT_CLAIMS)
                .collect::<Vec<bool>>()
                .await;
            for (check, is_claimed) in chosen.iter().zip(claimed) {
                due.remove(&check.item);
                if is_claimed {
                    admission.add_claimed(&check.work);
                }
            }
        }
        Ok(None)
    }

    /// Returns the first due check of each workspace, or `None` if no check is due. Entities that turn out to
    /// have none are removed from `due`.
    async fn next_due_checks(&self, due: &mut DueChecks) -> Result<Option<Vec<DueCheck>>, CheckerError> {
        loop {
            let first = due.first_of_workspaces(MAX_ADMITTED_WORKSPACES);
            if first.is_empty() {
                return Ok(None);
            }
            let entities = first.iter().map(|(item, entity)| (&item.tenant, entity));
            let mut entities = self.store.entities_by_id(entities.collect()).await?;
            let mut candidates = Vec::new();
            for (item, id) in first {
                match entities.remove(&id) {
                    Some(entity) if entity.is_unclaimed() => {
                        candidates.push(DueCheck::of(item, &entity, &self.catalogue));
                    }
                    // The index is behind.
                    _ => due.remove(&item),
                }
            }
            if !candidates.is_empty() {
                return Ok(Some(candidates));
            }
        }
    }

    /// Claims a due check. Returns whether it is claimed. If that fails, the next tick tries again.
    async fn claim_due_check(&self, due: &DueCheck) -> bool {
        let claim = async {
            let claimed = self.claim(&due.item.tenant, &due.entity, Trigger::Schedule).await;
            claimed.unwrap_or_else(|error| {
                tracing::error!(%error, "a due check could not be claimed");
                false
            })
        };
        claim.instrument(spans::due(&due.item)).await
    }
}
