//! Simulates fleets of checks in virtual time: workers take shards from a queue, and admissions fill the
//! queue.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::{Admission, Capacity, DueWork, FairTime, RunningWork};
use crate::time::Timestamp;

/// The stack's defaults: shards at a time, questions of a shard at a time, and seconds per answer.
const CONCURRENCY: u32 = 8;
const CONCURRENT_QUESTIONS: u32 = 8;
const ANSWER_SECONDS: u64 = 20;
const QUESTIONS_PER_SHARD: u32 = 25;
const TICK_SECONDS: u64 = 60;

/// A check to simulate.
#[derive(Clone)]
struct Planned {
    workspace: u32,
    due: u64,
    /// The number of questions of each shard.
    shards: Vec<u32>,
}

/// Returns a check of `prompts` × `models` questions.
fn check(workspace: u32, due: u64, prompts: u32, models: u32) -> Planned {
    let mut shards = Vec::new();
    for _ in 0..models {
        let mut left = prompts;
        while left > 0 {
            let questions = left.min(QUESTIONS_PER_SHARD);
            shards.push(questions);
            left -= questions;
        }
    }
    Planned {
        workspace,
        due,
        shards,
    }
}

/// Returns how long a worker works on a shard.
fn seconds(questions: u32) -> u64 {
    u64::from(questions.div_ceil(CONCURRENT_QUESTIONS)) * ANSWER_SECONDS
}

#[derive(Clone, Default)]
struct Progress {
    claimed: Option<u64>,
    turn: Option<FairTime>,
    published: u32,
    ended: u32,
    end: u64,
}

struct Fleet {
    checks: Vec<Planned>,
    progress: Vec<Progress>,
    queue: VecDeque<(usize, u32)>,
    fair_time: FairTime,
    next_turn: Option<FairTime>,
    /// The largest number of shards that waited in the queue.
    max_queued: usize,
    /// The largest number of shards of claimed checks that waited to be published.
    max_ready: u32,
}

/// What a simulation observes.
struct Figures {
    /// The times at which the checks end.
    ends: Vec<u64>,
    /// The largest number of shards in the queue, and of ready shards.
    max_queued: usize,
    max_ready: u32,
}

impl Fleet {
    /// Simulates the checks from their claims to their ends.
    fn run(checks: Vec<Planned>) -> Figures {
        let mut fleet = Self {
            progress: vec![Progress::default(); checks.len()],
            checks,
            queue: VecDeque::new(),
            fair_time: FairTime::default(),
            next_turn: None,
            max_queued: 0,
            max_ready: 0,
        };
        let mut working = BinaryHeap::<Reverse<(u64, usize)>>::new();
        let (mut now, mut next_tick) = (0, 0);
        while fleet.progress.iter().any(|p| p.end == 0) {
            if now == next_tick {
                fleet.admit(now, true);
                next_tick += TICK_SECONDS;
            }
            while let Some((check, shard)) = fleet.take(working.len()) {
                let end = now + seconds(fleet.checks[check].shards[shard as usize]);
                working.push(Reverse((end, check)));
            }
            now = working
                .peek()
                .map_or(next_tick, |Reverse((end, _))| next_tick.min(*end));
            while let Some(Reverse((end, check))) = working.peek().copied().filter(|r| r.0.0 == now) {
                working.pop();
                let progress = &mut fleet.progress[check];
                progress.ended += 1;
                if progress.ended as usize == fleet.checks[check].shards.len() {
                    progress.end = end;
                }
                fleet.admit(now, false);
            }
        }
        Figures {
            ends: fleet.progress.iter().map(|p| p.end).collect(),
            max_queued: fleet.max_queued,
            max_ready: fleet.max_ready,
        }
    }

    fn take(&mut self, working: usize) -> Option<(usize, u32)> {
        (working < CONCURRENCY as usize)
            .then(|| self.queue.pop_front())
            .flatten()
    }

    /// Runs admissions until nothing more is admitted, as each claim is followed by one.
    fn admit(&mut self, now: u64, reads_due: bool) {
        loop {
            let running: Vec<usize> = (0..self.checks.len())
                .filter(|i| self.progress[*i].claimed.is_some() && self.progress[*i].end == 0)
                .collect();
            let work = running.iter().map(|i| {
                let (planned, progress) = (&self.checks[*i], &self.progress[*i]);
                RunningWork {
                    workspace: planned.workspace,
                    claimed_at: timestamp(progress.claimed.unwrap()),
                    turn: progress.turn,
                    ready: planned.shards.len() as u32 - progress.published,
                    published: progress.published - progress.ended,
                }
            });
            let work: Vec<_> = work.collect();
            self.max_ready = self.max_ready.max(work.iter().map(|work| work.ready).sum());
            let mut admission = Admission::new(Capacity::new(CONCURRENCY), self.fair_time, work);
            for publication in admission.publish() {
                let check = running[publication.check];
                let progress = &mut self.progress[check];
                for shard in progress.published..progress.published + publication.shards {
                    self.queue.push_back((check, shard));
                }
                progress.published += publication.shards;
            }
            for (index, check) in running.iter().enumerate() {
                self.progress[*check].turn = Some(admission.turn(index));
            }
            self.fair_time = admission.fair_time();
            self.max_queued = self.max_queued.max(self.queue.len());
            let needs_due = self
                .next_turn
                .is_some_and(|turn| admission.needs_due_checks(turn));
            if !(reads_due || needs_due) || !self.claim(&admission, now) {
                return;
            }
        }
    }

    /// Claims due checks. Returns whether there were any.
    fn claim(&mut self, admission: &Admission<u32>, now: u64) -> bool {
        let mut first = std::collections::BTreeMap::<u32, usize>::new();
        for (index, planned) in self.checks.iter().enumerate() {
            let is_due = planned.due <= now && self.progress[index].claimed.is_none();
            if is_due
                && first
                    .get(&planned.workspace)
                    .is_none_or(|f| planned.due < self.checks[*f].due)
            {
                first.insert(planned.workspace, index);
            }
        }
        let candidates: Vec<usize> = first.into_values().collect();
        let due = candidates.iter().map(|i| DueWork {
            workspace: self.checks[*i].workspace,
            since: timestamp(self.checks[*i].due),
            shards: self.checks[*i].shards.len() as u32,
        });
        let (claimed, next_turn) = admission.claim(&due.collect::<Vec<_>>());
        self.next_turn = next_turn;
        for index in &claimed {
            self.progress[candidates[*index]].claimed = Some(now);
        }
        !claimed.is_empty()
    }
}

fn timestamp(seconds: u64) -> Timestamp {
    Timestamp::from_millis(i64::try_from(seconds * 1_000).unwrap())
}

/// Returns the seconds that all workers need for the checks.
fn throughput(checks: &[Planned]) -> u64 {
    let work: u64 = checks.iter().flat_map(|c| &c.shards).map(|q| seconds(*q)).sum();
    work / u64::from(CONCURRENCY)
}

#[test]
fn checks_that_are_due_together_end_one_after_another_at_full_throughput() {
    for workspaces in [1, 10, 100] {
        let checks: Vec<Planned> = (0..100).map(|n| check(n % workspaces, 0, 25, 4)).collect();
        let Figures {
            mut ends,
            max_queued,
            max_ready,
        } = Fleet::run(checks.clone());
        ends.sort_unstable();
        for (k, end) in ends.iter().enumerate() {
            let bound = throughput(&checks[..=k]) * 6 / 5 + seconds(QUESTIONS_PER_SHARD);
            assert!(
                *end <= bound,
                "{workspaces} workspaces: check {k} ends after {end} s > {bound} s"
            );
        }
        assert_eq!(*ends.last().unwrap(), throughput(&checks), "no worker is idle");
        assert!(max_queued <= 10, "{max_queued} shards in the queue");
        // Two rounds of claims at the start, of which each ends with the check that exceeds the limit.
        assert!(max_ready <= 24, "{max_ready} shards of claimed checks wait");
    }
}

#[test]
fn small_checks_beside_a_large_one_end_about_as_early_as_without_it() {
    for start in [0, 45, 600] {
        let small: Vec<Planned> = (1..=50).map(|n| check(n, start, 25, 1)).collect();
        let alone = Fleet::run(small.clone()).ends;
        let large = check(0, 0, 1_250, 4);
        let beside = Fleet::run([vec![large.clone()], small.clone()].concat()).ends;
        let mut alone: Vec<u64> = alone.iter().map(|end| end - start).collect();
        let mut with_large: Vec<u64> = beside[1..].iter().map(|end| end - start).collect();
        alone.sort_unstable();
        with_large.sort_unstable();
        for (alone, beside) in alone.iter().zip(&with_large) {
            assert!(
                *beside <= 3 * alone,
                "{beside} s beside the large check, {alone} s alone"
            );
        }
        let large_alone = Fleet::run(vec![large]).ends;
        let loss = beside[0] - large_alone[0];
        assert!(
            loss <= throughput(&small) + seconds(QUESTIONS_PER_SHARD),
            "the large one loses {loss} s"
        );
    }
}

#[test]
fn a_small_check_beside_a_large_one_ends_within_three_times_what_it_takes_alone() {
    for prompts in [1, 5, 25] {
        // One small check every four minutes. Each finds all workers busy with the large one.
        let small: Vec<Planned> = (1..=50)
            .map(|n| check(n, u64::from(n) * 240, prompts, 4))
            .collect();
        let large = check(0, 0, 1_250, 4);
        let ends = Fleet::run([vec![large], small.clone()].concat()).ends;
        for (planned, end) in small.iter().zip(&ends[1..]) {
            let took = end - planned.due;
            let alone = seconds(prompts);
            let bound = (3 * alone).max(alone + seconds(QUESTIONS_PER_SHARD));
            assert!(took <= bound, "{prompts} prompts: {took} s instead of {alone} s");
        }
    }
}

#[test]
fn a_large_check_ends_although_small_ones_keep_coming() {
    // The small checks of 40 workspaces alone would keep all workers busy.
    let small = (0..600).map(|n| check(1 + n % 40, u64::from(n) * 35, 25, 4));
    let large = check(0, 0, 1_250, 2);
    let checks: Vec<Planned> = std::iter::once(large).chain(small).collect();
    let ends = Fleet::run(checks).ends;
    assert!(ends[0] < 12 * 3_600, "the large one ends after {} s", ends[0]);
}

#[test]
fn every_check_that_is_due_after_an_outage_is_worked_on_in_turns() {
    // 50,000 questions: one workspace has half of them, 50 workspaces have the others.
    let of_one = (0..250).map(|n| check(0, n, 25, 4));
    let of_many = (0..250).map(|n| check(1 + n % 50, 300 + u64::from(n), 25, 4));
    let checks: Vec<Planned> = of_one.chain(of_many).collect();
    let Figures { ends, max_queued, .. } = Fleet::run(checks.clone());
    assert!(*ends.iter().max().unwrap() <= throughput(&checks) + 2 * TICK_SECONDS);
    assert!(max_queued <= 10);
    let first_of_many = ends[250..300].iter().max().unwrap();
    assert!(
        *first_of_many <= 3 * throughput(&checks[250..300]),
        "the first checks of 50 workspaces end after {first_of_many} s"
    );
}
