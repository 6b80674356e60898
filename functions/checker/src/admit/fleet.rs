//! The running checks of all workspaces, as an admission sees them.

use domain::admission::{Admission, Capacity, FairTime, RunningWork};
use domain::check::ShardList;
use domain::id::WorkspaceId;
use domain::number::to_usize;
use domain::ordinal::ShardNumber;
use store::{AdmissionState, RunningCheckItem};

use crate::{Checker, CheckerError};

/// The running checks of all workspaces, and their admission.
pub(super) struct Fleet {
    pub(super) state: AdmissionState,
    pub(super) admission: Admission<WorkspaceId>,
    running: Vec<RunningCheckItem>,
}

impl Fleet {
    /// Reads the running checks, which have the given shared state. `claimed` is one that the list may not
    /// contain yet.
    pub(super) async fn load(
        checker: &Checker,
        state: AdmissionState,
        claimed: Option<RunningCheckItem>,
    ) -> Result<Self, CheckerError> {
        let mut running = checker.store.running_checks().await?;
        let is_listed = |claimed: &RunningCheckItem| {
            let is_claimed = |item: &RunningCheckItem| {
                (&item.entity, item.check.check) == (&claimed.entity, claimed.check.check)
            };
            running.iter().any(is_claimed)
        };
        if let Some(claimed) = claimed.filter(|claimed| !is_listed(claimed)) {
            running.push(claimed);
        }
        let capacity = Capacity::new(checker.shard_concurrency);
        let admission = Admission::new(capacity, state.fair_time, running.iter().map(work).collect());
        Ok(Self {
            state,
            admission,
            running,
        })
    }

    /// Returns whether due checks have to be read: an earlier admission left some, and few shards are ready.
    pub(super) fn needs_due_checks(&self) -> bool {
        let next_turn = self.state.next_turn;
        next_turn.is_some_and(|turn| self.admission.needs_due_checks(turn))
    }

    /// Returns the checks whose open shards are all deferred.
    pub(super) fn idle_checks(&self) -> impl Iterator<Item = &RunningCheckItem> {
        let is_idle = |item: &&RunningCheckItem| item.check.shards.is_idle() && item.check.shards.left() > 0;
        self.running.iter().filter(is_idle)
    }

    /// Chooses the shards to publish. Returns them by check, with the check's turn. A check that gets its
    /// turn without a shard is one of them.
    pub(super) fn choose_shards(&mut self) -> Vec<(&RunningCheckItem, Vec<ShardNumber>, FairTime)> {
        let publications = self.admission.publish();
        let mut chosen = Vec::new();
        for (index, item) in self.running.iter().enumerate() {
            let publication = publications.iter().find(|p| p.check == index);
            if publication.is_none() && item.check.turn.is_some() {
                continue;
            }
            let count = publication.map_or(0, |p| p.shards);
            let shards = item.check.shards.ready_shards();
            let shards = shards.take(to_usize(count));
            chosen.push((item, shards.collect(), self.admission.turn(index)));
        }
        chosen
    }
}

fn work(item: &RunningCheckItem) -> RunningWork<WorkspaceId> {
    let (check, shards) = (&item.check, &item.check.shards);
    let published = shards
        .list(ShardList::Published)
        .union(shards.list(ShardList::Working));
    RunningWork {
        workspace: *item.tenant.workspace(),
        claimed_at: check.claimed_at,
        turn: check.turn,
        ready: shards.ready_shards().map(|_| 1).sum(),
        published: published.map(|_| 1).sum(),
    }
}
