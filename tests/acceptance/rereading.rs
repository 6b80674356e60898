//! Recorded answers are read again when names change. History then is what it would have been had the names been known from
//! the start.

mod steps;
mod twin;

use std::collections::BTreeMap;

use acceptance::SeededRng;
use serde_json::Value;

use twin::{Change, Twin};

/// The days of history before the workspace learns a name.
const DAYS: usize = 30;
/// The number of crashes of the checker while it reads the answers again.
const CRASHES: usize = 12;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_alias_that_is_added_later_counts_as_if_it_had_always_been_there() {
    compare_for_all_seeds(Change::Alias).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entity_that_is_added_later_counts_as_if_it_had_always_been_there() {
    compare_for_all_seeds(Change::Entity).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_that_joins_a_group_later_counts_as_if_it_had_always_been_there() {
    compare_for_all_seeds(Change::Member).await;
}

async fn compare_for_all_seeds(change: Change) {
    for seed in 0..setting("REREADING_SEEDS").unwrap_or(1) {
        compare(change, seed).await;
    }
}

/// Compares a world that knows a name from the start with one that learns it after 30 days, while a check runs, while other names
/// come and go, and while the checker crashes.
async fn compare(change: Change, seed: u64) {
    let mut rng = SeededRng::new(seed);
    let (known, late) = tokio::join!(Twin::start(), Twin::start());
    known.learn(change).await;
    for _ in 0..DAYS {
        tokio::join!(known.run_day(), late.run_day());
        known.next_day();
        late.next_day();
    }
    assert_ne!(
        late.figures().await,
        known.figures().await,
        "the name makes a difference"
    );

    // The check of the last day is claimed before the name is known, and ends afterwards.
    late.fixture.tick().await;
    late.learn(change).await;
    let aliases: &[&str] = if change == Change::Alias {
        &["Zenith Tools"]
    } else {
        &[]
    };
    let between = async |round: usize| match round {
        2 => late.set_aliases(&[aliases, &["Globex"]].concat()).await,
        5 => late.set_aliases(aliases).await,
        _ => {}
    };
    late.settle(&mut rng, CRASHES, between).await;
    known.run_day().await;
    known.settle(&mut rng, 0, async |_| {}).await;
    let [known_now, late_now] = [&known, &late].map(|twin| twin.fixture.table.now());
    known.fixture.table.advance(late_now.duration_since(known_now));
    late.fixture.table.advance(known_now.duration_since(late_now));

    assert_eq!(
        late.fixture.ask_count(),
        known.fixture.ask_count(),
        "no question is asked again"
    );
    let shown = format!("{change:?}, seed {seed}");
    assert_same(&shown, late.figures().await, known.figures().await);
    assert_same(&shown, late.details().await, known.details().await);
    assert_same_evidence(&shown, &late, &known).await;
}

#[track_caller]
fn assert_same(shown: &str, found: Vec<(String, Value)>, expected: Vec<(String, Value)>) {
    assert_eq!(found.len(), expected.len());
    for ((name, found), (_, expected)) in found.into_iter().zip(expected) {
        assert_eq!(found, expected, "{name}, {shown}");
    }
}

/// Asserts that every recommendation of the world that knows the name is also given by the other one, with the same evidence. That
/// one can have others, which retire after three checks without their cause.
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
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().unwrap())
}
