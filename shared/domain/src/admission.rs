//! Admission decides which shards of running checks are published, and which due checks are claimed.
//!
//! Only as many shards are published as workers can take up soon, and only as many checks are claimed as can
//! be published soon. What is left waits in the table: ready shards in their check, and due checks unclaimed.
//!
//! Workspaces have equal shares of the workers. The *turn* of a check is the moment at which it would end if
//! workers changed from workspace to workspace after each shard. Checks are served one after another in the
//! order of their turns, so that a check ends no later than it would with equal shares, a large check does
//! not hold up small ones, and checks of the same size end one by one instead of all at the end. In the
//! literature, this is the fair sojourn protocol.

#[cfg(test)]
mod simulation;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::number::{to_u64, to_usize};
use crate::time::Timestamp;

/// A moment of fair time, which is the work that each busy workspace has been given, in millionths of a
/// shard.
///
/// The turn of a check is the moment at which its last shard would be given out. Fair time is slow if many
/// workspaces are busy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FairTime(u64);

impl FairTime {
    /// The fair time in which a workspace is given one shard.
    const SHARD: u64 = 1_000_000;

    fn after(self, shards: u32) -> Self {
        Self(self.0.saturating_add(Self::SHARD * u64::from(shards)))
    }

    /// Returns the fair time that has passed since `earlier`.
    pub fn since(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }

    /// Returns the fair time after `shards` were published while `workspaces` were busy.
    fn after_publishing(self, shards: u32, workspaces: usize) -> Self {
        let workspaces = to_u64(workspaces).max(1);
        Self(
            self.0
                .saturating_add(Self::SHARD * u64::from(shards) / workspaces),
        )
    }
}

impl std::fmt::Display for FairTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// The number of admissions in the time in which each worker works on one shard, if there are more workers
/// than that. In that time, workers take up four times the number of shards that wait in the queue.
const ADMISSIONS_PER_ROUND: u32 = 16;

/// How much work is admitted at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capacity {
    /// The number of shards that are worked on concurrently.
    concurrency: u32,
}

impl Capacity {
    pub const fn new(concurrency: u32) -> Self {
        Self { concurrency }
    }

    /// Returns the maximum number of shards that are published and have not ended. A quarter more than
    /// workers can take up at once waits in the queue, so that no worker waits for the next admission.
    pub fn max_published(self) -> u32 {
        self.concurrency
            .saturating_add(self.concurrency.div_ceil(4).max(1))
    }

    /// Returns the number of ready shards from which no further check is claimed.
    fn max_ready(self) -> u32 {
        self.concurrency.max(1)
    }

    /// Returns the number of ready shards below which due checks are read and claimed. The difference to
    /// `max_ready` makes one read claim several small checks.
    fn min_ready(self) -> u32 {
        self.max_ready().div_ceil(2)
    }

    /// Returns the probability, up to 1, with which a shard admits work when it ends. With many workers,
    /// several shards can end before the queue gets short, and each admission reads all running checks.
    pub fn admission_probability(self) -> f64 {
        (f64::from(ADMISSIONS_PER_ROUND) / f64::from(self.concurrency.max(1))).min(1.0)
    }

    /// Returns whether all workers are busy, so that a published shard can still wait in the queue.
    pub fn is_exhausted_by(self, working: usize) -> bool {
        working >= to_usize(self.concurrency)
    }
}

/// A running check. `W` identifies its workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunningWork<W> {
    pub workspace: W,
    pub claimed_at: Timestamp,
    /// `None` if no admission has seen the check yet.
    pub turn: Option<FairTime>,
    /// The number of shards that may be published.
    pub ready: u32,
    /// The number of shards that are published and have not ended, including those that workers have taken
    /// up.
    pub published: u32,
}

/// A check that is due and not claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueWork<W> {
    pub workspace: W,
    pub since: Timestamp,
    /// The expected number of shards.
    pub shards: u32,
}

/// The shards of a running check to publish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdmittedShards {
    /// The index of the check.
    pub check: usize,
    pub shards: u32,
}

/// The admission of the running checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admission<W> {
    capacity: Capacity,
    fair_time: FairTime,
    running: Vec<Admitted<W>>,
}

/// A running check that has a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Admitted<W> {
    workspace: W,
    turn: FairTime,
    claimed_at: Timestamp,
    ready: u32,
    published: u32,
}

impl<W: Clone + Ord> Admission<W> {
    /// Starts an admission at `fair_time` and gives a turn to checks that have none.
    pub fn new(capacity: Capacity, fair_time: FairTime, running: Vec<RunningWork<W>>) -> Self {
        let mut last_turns = BTreeMap::<W, FairTime>::new();
        for work in &running {
            if let Some(turn) = work.turn {
                let last = last_turns.entry(work.workspace.clone()).or_default();
                *last = turn.max(*last);
            }
        }
        let mut by_claim: Vec<usize> = (0..running.len()).collect();
        by_claim.sort_by_key(|index| running[*index].claimed_at);
        let mut turns = vec![FairTime::default(); running.len()];
        for index in by_claim {
            let work = &running[index];
            turns[index] = work.turn.unwrap_or_else(|| {
                let last = last_turns.entry(work.workspace.clone()).or_default();
                *last = fair_time.max(*last).after(work.ready + work.published);
                *last
            });
        }
        let admitted = running.into_iter().zip(turns).map(|(work, turn)| Admitted {
            workspace: work.workspace,
            turn,
            claimed_at: work.claimed_at,
            ready: work.ready,
            published: work.published,
        });
        Self {
            capacity,
            fair_time,
            running: admitted.collect(),
        }
    }

    /// Returns the fair time, which publications advance.
    pub fn fair_time(&self) -> FairTime {
        self.fair_time
    }

    /// Returns the turn of the check with this index.
    pub fn turn(&self, check: usize) -> FairTime {
        self.running[check].turn
    }

    /// Chooses the shards to publish, and counts them as published. Checks come in the order of their turns.
    pub fn publish(&mut self) -> Vec<AdmittedShards> {
        let published: u32 = self.running.iter().map(|check| check.published).sum();
        let mut free = self.capacity.max_published().saturating_sub(published);
        let is_busy = |check: &&Admitted<W>| check.ready + check.published > 0;
        let busy: BTreeSet<&W> = self
            .running
            .iter()
            .filter(is_busy)
            .map(|c| &c.workspace)
            .collect();
        let busy = busy.len();
        let mut order: Vec<usize> = (0..self.running.len()).collect();
        order.sort_by_key(|index| (self.running[*index].turn, self.running[*index].claimed_at));
        let mut publications = Vec::new();
        for index in order {
            let check = &mut self.running[index];
            let shards = check.ready.min(free);
            if shards == 0 {
                continue;
            }
            (check.ready, check.published) = (check.ready - shards, check.published + shards);
            free -= shards;
            self.fair_time = self.fair_time.after_publishing(shards, busy);
            publications.push(AdmittedShards { check: index, shards });
        }
        publications
    }

    /// Returns whether so few shards are ready before `turn` that due checks have to be read. `turn` is the
    /// one that the first of them would have, as the latest call of [`Self::claim`] returned it.
    pub fn needs_due_checks(&self, turn: FairTime) -> bool {
        self.ready_until(turn) < self.capacity.min_ready()
    }

    /// Adds a due check that was claimed.
    pub fn add_claimed(&mut self, due: &DueWork<W>) {
        self.running.push(Admitted {
            workspace: due.workspace.clone(),
            turn: self.turn_of(due),
            claimed_at: due.since,
            ready: due.shards,
            published: 0,
        });
    }

    /// Returns the turn that a due check would have.
    fn turn_of(&self, due: &DueWork<W>) -> FairTime {
        let own = self.running.iter().filter(|c| c.workspace == due.workspace);
        let last = own.map(|check| check.turn).fold(self.fair_time, Ord::max);
        last.after(due.shards)
    }

    /// Chooses the due checks to claim, in order. `due` contains at most one check of each workspace. Also
    /// returns the turn that the first check that is left would have.
    pub fn claim(&self, due: &[DueWork<W>]) -> (Vec<usize>, Option<FairTime>) {
        let mut order: Vec<(FairTime, Timestamp, usize)> = due
            .iter()
            .enumerate()
            .map(|(index, due)| (self.turn_of(due), due.since, index))
            .collect();
        order.sort_unstable();
        let mut claimed = Vec::new();
        let mut claimed_shards = 0;
        for (turn, _, index) in order {
            if self.ready_until(turn) + claimed_shards >= self.capacity.max_ready() {
                return (claimed, Some(turn));
            }
            claimed_shards += due[index].shards;
            claimed.push(index);
        }
        (claimed, None)
    }

    /// Returns the number of ready shards of the checks whose turn is at `turn` or before.
    fn ready_until(&self, turn: FairTime) -> u32 {
        let before = self.running.iter().filter(|check| check.turn <= turn);
        before.map(|check| check.ready).sum()
    }
}
