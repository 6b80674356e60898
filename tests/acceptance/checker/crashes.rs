//! The process dies anywhere: nothing is lost, counted twice, or paid for twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use acceptance::{Call, Dice, Fault, Faults};
use domain::answer::State;
use domain::limits::LEASE;
use domain::time::SECOND;
use proptest::prelude::*;
use serde_json::Value;
use tokio::sync::Notify;

use super::bench::{Bench, plain};

/// A worker dies at most so often.
const CRASHES: usize = 8;

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
        0..=5 => crash_at(&bench.table.faults, 1 + dice.below(12), fault),
        6 => crash_at(&bench.bus_faults, 1, fault),
        _ => countdown.set(1 + dice.below(20) as usize),
    }
    let died = tokio::select! {
        result = bench.checker.handle(event) => {
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
    let bench = Bench::start(27, move |model: &str, input: &str| {
        count.count();
        plain(model, input)
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
        if crashes < CRASHES && dice.chance(40) {
            if dies(&bench, &countdown, event.clone(), &mut dice).await {
                crashes += 1;
                // The queue delivers it again, mostly.
                if dice.chance(70) {
                    events.push(event);
                }
            }
        } else if dice.chance(25) && !events.is_empty() {
            let other = dice.one_of(&events).clone();
            let (a, b) = futures::join!(bench.checker.handle(event), bench.checker.handle(other));
            a.and(b).unwrap();
        } else {
            bench.checker.handle(event.clone()).await.unwrap();
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_check_ends_right_wherever_the_process_dies(seed: u64) {
        tokio::runtime::Runtime::new().unwrap().block_on(run(seed));
    }
}
