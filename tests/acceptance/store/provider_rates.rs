//! What was learnt about a provider's limit is changed by many workers, and each change takes effect once.

use std::collections::BTreeSet;

use acceptance::Fault;
use domain::limits::{PROVIDER_HOLD, PROVIDER_RATE_RETENTION};
use domain::provider_rate::{ProviderRate, RateKey, Reservation, Throttle};
use domain::time::{MINUTE, SECOND, Timestamp};

use super::table::{NOON, Table};

const THROTTLE: Throttle = Throttle {
    retry_after: None,
    requests_per_minute: Some(600),
};

fn key(key_fingerprint: &str, model: &str) -> RateKey {
    RateKey {
        provider: "openai".to_owned(),
        key_fingerprint: key_fingerprint.to_owned(),
        model: model.to_owned(),
    }
}

impl Table {
    async fn rate(&self) -> Option<ProviderRate> {
        self.store.provider_rate(&key("k1", "gpt")).await.unwrap()
    }

    /// Reports a throttled request as a worker that knows nothing does.
    async fn throttled(&self) -> ProviderRate {
        let now = self.now();
        let change = |rate: Option<&ProviderRate>| {
            Some(match rate {
                Some(rate) => rate.throttled(THROTTLE, false, now),
                None => ProviderRate::first(THROTTLE, now),
            })
        };
        let changed = self
            .store
            .change_provider_rate(&key("k1", "gpt"), None, change)
            .await;
        changed.unwrap().unwrap()
    }

    /// Reserves a start as a worker that knows `known` does.
    async fn reserve(&self, known: Option<ProviderRate>) -> Timestamp {
        let (now, latest) = (self.now(), self.now() + MINUTE);
        let mut reserved = None;
        let key = key("k1", "gpt");
        let changed = self.store.change_provider_rate(&key, known, |rate| {
            let Reservation::Reserved(start, next) = rate.unwrap().reserve(latest, now) else {
                panic!("a start is free");
            };
            reserved = Some(start);
            Some(next)
        });
        changed.await.unwrap();
        reserved.unwrap()
    }
}

#[tokio::test]
async fn many_concurrent_throttled_requests_reduce_the_rate_once() {
    let table = Table::start().await;
    assert_eq!(table.rate().await, None);
    let all = futures::future::join_all((0..12).map(|_| table.throttled())).await;
    let expected = ProviderRate::first(THROTTLE, NOON);
    assert!(all.iter().all(|rate| *rate == expected), "{all:?}");
    assert_eq!(table.rate().await, Some(expected));
}

#[tokio::test]
async fn concurrent_workers_reserve_different_starts() {
    let table = Table::start().await;
    let known = table.throttled().await;
    // Each worker knows an old record.
    let all = (0..12).map(|_| table.reserve(Some(known.clone())));
    let starts: BTreeSet<Timestamp> = futures::future::join_all(all).await.into_iter().collect();
    assert_eq!(starts.len(), 12);
    assert_eq!(starts.first(), Some(&(NOON + PROVIDER_HOLD)));
    let rate = table.rate().await.unwrap();
    assert_eq!(rate.started, 12);
    assert!(rate.next_start > *starts.last().unwrap());
    assert!(*starts.last().unwrap() < NOON + PROVIDER_HOLD + 2 * SECOND);
}

#[tokio::test]
async fn what_changes_nothing_is_not_written() {
    let table = Table::start().await;
    let known = table.throttled().await;
    table.faults.script(|_| Some(Fault::Unreachable));
    let again = |rate: Option<&ProviderRate>| Some(rate.unwrap().throttled(Throttle::default(), false, NOON));
    let key = key("k1", "gpt");
    let changed = table.store.change_provider_rate(&key, Some(known.clone()), again);
    assert_eq!(changed.await.unwrap(), Some(known));
}

#[tokio::test]
async fn a_record_is_forgotten_after_a_day_and_then_begins_anew() {
    let table = Table::start().await;
    table.throttled().await;
    table.advance(PROVIDER_RATE_RETENTION - SECOND);
    assert!(table.rate().await.is_some());
    table.advance(SECOND);
    assert_eq!(table.rate().await, None);
    assert_eq!(
        table.throttled().await,
        ProviderRate::first(THROTTLE, table.now())
    );
}

#[tokio::test]
async fn a_record_belongs_to_one_key_and_model_and_contains_nothing_of_a_workspace() {
    let table = Table::start().await;
    table.throttled().await;
    for other in [key("k2", "gpt"), key("k1", "gpt-mini")] {
        assert_eq!(table.store.provider_rate(&other).await.unwrap(), None);
    }
    let items = table.items().await;
    let (key, item) = items.first_key_value().unwrap();
    assert_eq!(items.len(), 1);
    assert_eq!(key, &("PROVIDER#openai".to_owned(), "RATE#k1#gpt".to_owned()));
    let names: Vec<&str> = item.keys().map(String::as_str).collect();
    let expected = [
        "PK",
        "SK",
        "countedSince",
        "expiresAt",
        "heldUntil",
        "limit",
        "nextStart",
        "reducedTo",
        "started",
    ];
    assert_eq!(names, expected);
}
