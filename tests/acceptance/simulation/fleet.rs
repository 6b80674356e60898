//! Fleets of checks without faults, in virtual time: the checker, the store and the SDK are the real ones;
//! the bus and the two queues pass messages on at once, and the provider answers after 20 seconds.
//!
//! The fleets are small by default. `FLEET_CHECKS=100` sets the number of checks:
//!
//! ```sh
//! FLEET_CHECKS=100 cargo test --release -p acceptance --test acceptance fleet -- --nocapture
//! ```

#![expect(clippy::print_stderr, reason = "a fleet prints its figures")]

mod entities;
mod network;
mod provider;
mod refusals;
mod run;

use std::time::Duration;

use domain::check::CheckState;
use domain::limits::{PAUSE_JITTER, PROBE_RETRY, PROVIDER_PAUSE};
use domain::time::{HOUR, MINUTE, SECOND};

use self::entities::Tracked;
use self::run::{FleetRun, Outage};

/// The shards that are worked on at a time.
const SHARD_CONCURRENCY: u32 = 8;
/// The time in which a provider answers.
const ANSWER_TIME: Duration = Duration::from_secs(20);
/// The time in which a worker asks 25 questions, 8 at a time.
const SHARD_TIME: Duration = ANSWER_TIME.saturating_mul(4);

/// Returns the number of checks of a fleet.
fn fleet_size(default: usize) -> usize {
    super::setting("FLEET_CHECKS").map_or(default, |checks| usize::try_from(checks).unwrap())
}

/// Returns the time that all workers need for a number of full shards.
fn throughput(shards: usize) -> Duration {
    SHARD_TIME * u32::try_from(shards).unwrap() / SHARD_CONCURRENCY
}

/// Returns entities of several workspaces in turns.
fn in_workspaces(workspaces: usize, entities: usize, prompts: usize, models: usize) -> Vec<Tracked> {
    let entities = (0..entities).map(|n| Tracked {
        workspace: n % workspaces,
        prompts,
        models,
        ..Tracked::default()
    });
    entities.collect()
}

/// Asserts that the first check of each entity has ended with all its answers.
fn assert_complete(run: &FleetRun, answers: usize) {
    for check in &run.checks {
        let seen = (check.number, check.state, check.answered);
        assert_eq!(seen, (1, CheckState::Complete, answers), "{check:?}");
    }
}

#[test]
fn checks_that_are_due_together_end_one_after_another_soon_after_their_last_answer() {
    let checks = fleet_size(10);
    for workspaces in [1, checks] {
        let tracked = in_workspaces(workspaces, checks, 25, 4);
        let run = FleetRun::execute(&tracked);
        let mut ended: Vec<Duration> = run.checks.iter().map(|check| check.took).collect();
        ended.sort_unstable();
        for (index, took) in ended.iter().enumerate() {
            let bound = throughput(4 * (index + 1)) * 6 / 5 + SHARD_TIME;
            assert!(*took <= bound, "check {index} takes {took:?} of {bound:?}");
        }
        let (last, full) = (ended[checks - 1], throughput(4 * checks));
        assert!(last <= full + SECOND, "the last ends after {last:?} of {full:?}");
        for check in &run.checks {
            assert!(check.finished_after_last_answer <= MINUTE, "{check:?}");
        }
        assert_complete(&run, 100);
        // A claim, four shards and a finish.
        let steps = 6 * checks;
        assert!(
            5 * run.messages <= 6 * steps,
            "{} messages for {steps} steps",
            run.messages
        );
        eprintln!(
            "{checks} checks of {workspaces} workspaces: the last ends after {:?} of {:?}, a check is finished at most {:?} after \
             its last answer, {:.2} messages per step",
            ended[checks - 1],
            throughput(4 * checks),
            run.checks
                .iter()
                .map(|check| check.finished_after_last_answer)
                .max()
                .unwrap(),
            run.messages as f64 / steps as f64,
        );
    }
}

#[test]
fn many_workers_stay_busy_although_not_every_shard_that_ends_admits_work() {
    let (checks, workers) = (fleet_size(40), 32);
    let tracked = in_workspaces(5, checks, 25, 4);
    let run = FleetRun::execute_with_workers(&tracked, workers);
    let longest = run.checks.iter().map(|check| check.took).max().unwrap();
    let full = SHARD_TIME * u32::try_from(4 * checks).unwrap() / workers;
    assert!(
        longest <= full * 6 / 5 + SHARD_TIME,
        "{longest:?} instead of {full:?}"
    );
    eprintln!("{checks} checks and {workers} workers: the last ends after {longest:?} of {full:?}");
}

#[test]
fn a_large_check_holds_up_small_checks_of_other_workspaces_for_a_moment_only() {
    let checks = fleet_size(8);
    let small: Vec<Tracked> = (1..=checks)
        .map(|workspace| Tracked {
            workspace,
            prompts: 25,
            models: 1,
            ..Tracked::default()
        })
        .collect();
    let large = Tracked {
        workspace: 0,
        prompts: 25 * checks,
        models: 4,
        ..Tracked::default()
    };
    let alone = FleetRun::execute(&small);
    let large_alone = FleetRun::execute(std::slice::from_ref(&large));
    let together = FleetRun::execute(&[vec![large], small].concat());
    let sorted = |run: &FleetRun, from: usize| {
        let mut took: Vec<Duration> = run.checks[from..].iter().map(|check| check.took).collect();
        took.sort_unstable();
        took
    };
    for (alone, beside) in sorted(&alone, 0).into_iter().zip(sorted(&together, 1)) {
        assert!(beside <= 3 * alone, "{beside:?} instead of {alone:?}");
    }
    let loss = together.checks[0].took.saturating_sub(large_alone.checks[0].took);
    assert!(
        loss <= throughput(checks) + SHARD_TIME,
        "the large check loses {loss:?}"
    );
    eprintln!(
        "{checks} small checks: the last takes {:?} beside a large one, {:?} alone; the large one {:?}, alone {:?}",
        sorted(&together, 1)[checks - 1],
        sorted(&alone, 0)[checks - 1],
        together.checks[0].took,
        large_alone.checks[0].took,
    );
}

#[test]
fn after_an_outage_every_due_slot_is_caught_up_once_and_nothing_fails_for_having_waited() {
    let checks = fleet_size(10);
    let tracked = in_workspaces(3, checks, 25, 4);
    let outage = 6 * HOUR;
    let run = FleetRun::execute_with_outage(
        &tracked,
        Outage {
            begins: Duration::ZERO,
            lasts: outage,
        },
    );
    assert_complete(&run, 100);
    assert!(
        run.queued_after_outage >= checks / 2,
        "{} checks show that they wait",
        run.queued_after_outage
    );
    let longest = run.checks.iter().map(|check| check.took).max().unwrap();
    assert!(longest <= outage + throughput(4 * checks) * 6 / 5 + SHARD_TIME);
    eprintln!(
        "{checks} checks due during an outage of 6 h: {} were queued after it, and all are complete {:?} after its end",
        run.queued_after_outage,
        longest.saturating_sub(outage),
    );
}

#[test]
fn checks_that_an_outage_interrupts_continue_after_it_and_nothing_fails() {
    let checks = fleet_size(10);
    let tracked = in_workspaces(3, checks, 25, 4);
    for begins in [30, 100, 200] {
        let outage = Outage {
            begins: Duration::from_secs(begins),
            lasts: 6 * HOUR,
        };
        let run = FleetRun::execute_with_outage(&tracked, outage);
        assert_complete(&run, 100);
        let longest = run.checks.iter().map(|check| check.took).max().unwrap();
        let busy = longest.saturating_sub(outage.lasts);
        // What was in flight is asked again.
        assert!(
            busy <= throughput(4 * checks) * 6 / 5 + 3 * SHARD_TIME,
            "{busy:?}"
        );
        eprintln!("{checks} checks with an outage of 6 h after {begins} s: they take {busy:?} apart from it");
    }
}

#[test]
fn checks_that_wait_for_a_provider_with_a_bad_key_hold_up_no_others_and_are_complete_after_it_is_mended() {
    let checks = fleet_size(40);
    let tracked = in_workspaces(3, checks, 10, 5);
    let run = FleetRun::execute_with_bad_key(&tracked, 20 * MINUTE);
    assert_complete(&run, 50);
    for check in run.checks.iter().filter(|check| check.lasted > 12 * MINUTE) {
        let folded_after = check.folded_after.expect("an interim fold");
        assert!(folded_after <= 12 * MINUTE, "{check:?}");
    }
    // Ten questions take the time of two answers.
    let shard_time = 2 * ANSWER_TIME;
    let busy = shard_time * u32::try_from(5 * checks).unwrap() / SHARD_CONCURRENCY;
    let longest = run.checks.iter().map(|check| check.took).max().unwrap();
    let second_probe = 2 * PROVIDER_PAUSE + PROBE_RETRY + PAUSE_JITTER;
    assert!(longest <= second_probe + busy, "{longest:?}");
    let during_pause = run.listed.iter().filter(|(time, _)| *time < PROVIDER_PAUSE);
    let listed = during_pause.map(|(_, listed)| *listed).max().unwrap();
    assert!(listed <= SHARD_CONCURRENCY as usize, "{listed} checks are listed");
    eprintln!(
        "{checks} checks with a bad key for 20 min: the last ends after {longest:?}, an admission reads {listed} checks at most during the \
         first pause"
    );
}
