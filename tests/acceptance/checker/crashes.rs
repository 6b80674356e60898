//! The process dies anywhere: nothing is lost, counted twice, or paid for twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use acceptance::{Call, Dice, Fault, Faults, Reply};
use domain::answer::State;
use domain::limits::LEASE;
use domain::time::SECOND;
use proptest::prelude::*;
use serde_json::Value;
use tokio::sync::Notify;

use super::bench::{Bench, NEVER, number, plain};

/// A worker dies at most so often.
const CRASHES: usize = 12;

/// The provider answers until it has answered so many questions: then the process dies.
#[derive(Clone, Default)]
struct Countdown(Arc<(AtomicUsize, Notify)>);

impl Countdown {
    fn set(&self, answers: usize) {
        self.0.0.store(answers, Ordering::SeqCst);
    }

    fn count(&self) {
        let left = self.0.0.load(Ordering::SeqCst);
        if left > 0 {
            self.set(left - 1);
            if left == 1 {
                self.0.1.notify_one();
            }
        }
    }
}

fn crash_at(faults: &Faults, mut calls: u32, fault: Fault) {
    faults.script(move |_: &Call| {
        calls = calls.checked_sub(1)?;
        (calls == 0).then_some(fault)
    });
}

/// Hands the checker an event and lets the process die somewhere. `true`: it died.
async fn dies(bench: &Bench, countdown: &Countdown, event: Value, dice: &mut Dice) -> bool {
    let crashed = futures::future::select(
        Box::pin(bench.table.faults.crashed()),
        Box::pin(bench.bus_faults.crashed()),
    );
    let fault = *dice.one_of(&[Fault::CrashBefore, Fault::CrashAfter]);
    match dice.below(10) {
        0..=4 => crash_at(&bench.table.faults, 1 + dice.below(14), fault),
        5 => crash_at(&bench.bus_faults, 1, fault),
        _ => countdown.set(1 + dice.below(25) as usize),
    }
    let died = tokio::select! {
        result = bench.checker.handle(event, NEVER) => {
            result.unwrap();
            false
        }
        _ = crashed => true,
        () = countdown.0.1.notified() => true,
    };
    for faults in [&bench.table.faults, &bench.bus_faults] {
        faults.none();
        faults.settled().await;
    }
    countdown.set(0);
    died
}

/// Events in any order, some twice, some never, two at once, with a process that dies now and then.
async fn run(seed: u64) {
    let mut dice = Dice::new(seed);
    let countdown = Countdown::default();
    let count = countdown.clone();
    // Two shards or four. Some answers take a little, so that they are recorded in several writes.
    let bench = Bench::start(*dice.one_of(&[25, 27]), move |model: &str, input: &str| {
        count.count();
        let wait = Duration::from_millis(number(input) as u64 % 4 * 2);
        Reply::from(plain(model, input)).after(wait)
    })
    .await;
    let mut events = vec![bench.tick_event(false)];
    let mut crashes = 0;
    for _ in 0..400 {
        let seen = bench.seen().await;
        if seen.running.is_none() && seen.last_check.is_some() {
            break;
        }
        if events.is_empty() || dice.chance(5) {
            bench.table.pass(LEASE + SECOND);
            let everything = dice.chance(70);
            events.push(bench.tick_event(everything));
        }
        let at = dice.below(u32::try_from(events.len()).unwrap()) as usize;
        let event = events.swap_remove(at);
        let dying = if event.to_string().contains("ShardReady") {
            70
        } else {
            25
        };
        if crashes < CRASHES && dice.chance(dying) {
            if dies(&bench, &countdown, event.clone(), &mut dice).await {
                crashes += 1;
                // The queue delivers it again, mostly: while its lease is held, or after.
                if dice.chance(50) {
                    bench.table.pass(LEASE + SECOND);
                }
                if dice.chance(80) {
                    events.push(event);
                }
            }
        } else if dice.chance(25) && !events.is_empty() {
            let other = dice.one_of(&events).clone();
            let (a, b) = futures::join!(
                bench.checker.handle(event, NEVER),
                bench.checker.handle(other, NEVER)
            );
            a.and(b).unwrap();
        } else {
            bench.checker.handle(event.clone(), NEVER).await.unwrap();
            if dice.chance(20) {
                events.push(event);
            }
        }
        let published = bench.published().await;
        events.extend(published.into_iter().filter(|_| dice.chance(85)));
    }
    let responses = bench.audit().await;
    for response in responses.iter().filter(|r| r.state != State::Answered) {
        let reason = response.reason.as_deref().unwrap();
        assert_eq!(reason, "No answer after 3 requests");
    }
    for (question, times) in bench.provider.asked() {
        assert!(times <= 3, "{question:?} was asked {times} times");
    }
}

#[tokio::test]
async fn a_question_whose_worker_always_dies_is_asked_three_times_and_then_given_up() {
    let asked = Arc::new(Notify::new());
    let asking = asked.clone();
    let bench = Bench::start(1, move |model: &str, input: &str| {
        let is_fatal = model == "small";
        if is_fatal {
            asking.notify_one();
        }
        let wait = Duration::from_secs(if is_fatal { 3_600 } else { 0 });
        Reply::from(plain(model, input)).after(wait)
    })
    .await;
    let mut deaths = 0;
    for _ in 0..4 {
        bench.checker.handle(bench.tick_event(true), NEVER).await.unwrap();
        let mut batches = bench.published().await;
        while let Some(batch) = batches.pop() {
            tokio::select! {
                given_back = bench.deliver(&batch) => assert_eq!(given_back, 0),
                () = asked.notified() => deaths += 1,
            }
            batches.extend(bench.published().await);
        }
        bench.table.pass(LEASE + SECOND);
    }
    assert_eq!(deaths, 3);
    let responses = bench.audit().await;
    assert_eq!(responses[0].reason.as_deref(), Some("No answer after 3 requests"));
    assert_eq!(responses[1].state, State::Answered);
    let times: Vec<u32> = bench.provider.asked().into_values().collect();
    assert_eq!(times, [1, 3]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_check_ends_right_wherever_the_process_dies(seed: u64) {
        tokio::runtime::Runtime::new().unwrap().block_on(run(seed));
    }
}
