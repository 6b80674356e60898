//! Recorded answers are read again when names change. History then is what it would have been had the names
//! been known from the start.

mod days;
mod observations;
mod steps;
pub(crate) mod twin;

use std::collections::BTreeMap;

use acceptance::SeededRng;
use serde_json::Value;

use twin::{Change, Twin};

/// The days of history before the workspace learns a name.
const DAYS: usize = 30;
/// The number of crashes of the checker while it reads the answers again.
const CRASHES: usize = 12;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_that_are_added_later_count_as_if_they_had_always_been_there() {
    for seed in 0..setting("REREADING_SEEDS").unwrap_or(1) {
        let mut rng = SeededRng::new(seed);
        let mut changes = vec![Change::Alias, Change::Entity, Change::Member];
        // The first seed has all changes, and the others have some of them in any order.
        for _ in 0..if seed == 0 { 0 } else { rng.below(3) } {
            changes.remove(rng.below(u32::try_from(changes.len()).unwrap()) as usize);
        }
        if rng.chance(50) {
            changes.reverse();
        }
        compare(&changes, seed, &mut rng).await;
    }
}

/// Compares a world that knows the names from the start with one that learns them after 30 days, while a
/// check runs, while another name comes and goes, and while the checker crashes.
async fn compare(changes: &[Change], seed: u64, rng: &mut SeededRng) {
    let (known, late) = tokio::join!(Twin::start(), Twin::start());
    for change in changes {
        known.learn(*change).await;
    }
    for _ in 0..DAYS {
        tokio::join!(known.run_day(), late.run_day());
        known.next_day();
        late.next_day();
    }
    assert_ne!(
        late.figures().await,
        known.figures().await,
        "the names make a difference"
    );

    // The check of the last day is claimed before the first name is known, and ends afterwards.
    late.fixture.tick().await;
    late.learn(changes[0]).await;
    let aliases: &[&str] = if changes.contains(&Change::Alias) {
        &["Zenith Tools"]
    } else {
        &[]
    };
    let between = async |round: usize| match round {
        1 | 3 => {
            if let Some(change) = changes.get(round.div_ceil(2)) {
                late.learn(*change).await;
            }
        }
        4 => late.set_aliases(&[aliases, &["Globex"]].concat()).await,
        6 => late.set_aliases(aliases).await,
        _ => {}
    };
    late.settle(rng, CRASHES, between).await;
    known.run_day().await;
    known.settle(rng, 0, async |_| {}).await;
    let [known_now, late_now] = [&known, &late].map(|twin| twin.fixture.table.now());
    known.fixture.table.advance(late_now.duration_since(known_now));
    late.fixture.table.advance(known_now.duration_since(late_now));

    assert_eq!(
        late.fixture.ask_count(),
        known.fixture.ask_count(),
        "no question is asked again"
    );
    let shown = format!("{changes:?}, seed {seed}");
    assert_same(&shown, late.figures().await, known.figures().await);
    assert_same(&shown, late.details().await, known.details().await);
    assert_same_evidence(&shown, &late, &known).await;
}

#[track_caller]
pub(crate) fn assert_same(shown: &str, found: Vec<(String, Value)>, expected: Vec<(String, Value)>) {
    assert_eq!(found.len(), expected.len());
    for ((name, found), (_, expected)) in found.into_iter().zip(expected) {
        assert_eq!(found, expected, "{name}, {shown}");
    }
}

/// Asserts that every recommendation of the world that knows the name is also given by the other one, with
/// the same evidence. That one can have others, which retire after three checks without their cause.
async fn assert_same_evidence(shown: &str, late: &Twin, known: &Twin) {
    let late: BTreeMap<String, Value> = late.recommendations().await.into_iter().collect();
    let known = known.recommendations().await;
    assert!(!known.is_empty());
    for (fingerprint, expected) in known {
        if let Some(found) = late.get(&fingerprint) {
            assert_eq!(*found, expected, "{fingerprint}, {shown}");
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the environment sets the number of seeds"
)]
pub(crate) fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().unwrap())
}
