//! A provider's pause is created once, and one worker at a time probes the provider.

use acceptance::Fault;
use domain::limits::{MAX_QUESTION_DURATION, PROBE_INTERVAL, PROVIDER_PAUSE};
use domain::pause::{Probe, ProviderPause};
use domain::time::{DAY, MILLISECOND, Timestamp};
use store::ProbeClaim;
use uuid::Uuid;

use super::table::{NOON, Table};

const OPENAI: &str = "openai";

impl Table {
    async fn pause(&self) -> Option<ProviderPause> {
        self.store.provider_pause(OPENAI).await.unwrap()
    }

    /// Creates a pause as a worker without a probe does.
    async fn refused(&self, reason: &str) -> ProviderPause {
        let pause = ProviderPause::first(OPENAI, reason, self.now());
        self.store.pause_provider(&pause, Uuid::new_v4()).await.unwrap()
    }

    async fn probe(&self, owner: Uuid) -> ProbeClaim {
        let until = self.now() + MAX_QUESTION_DURATION;
        let probe = Probe { owner, until };
        self.store.claim_probe(OPENAI, &probe, self.now()).await.unwrap()
    }
}

fn is_mine(probing: &ProbeClaim) -> bool {
    matches!(probing, ProbeClaim::Claimed(_))
}

#[tokio::test]
async fn one_of_many_workers_probes_and_only_after_the_pause() {
    let table = Table::start().await;
    assert_eq!(
        table.probe(Uuid::new_v4()).await,
        ProbeClaim::Ended,
        "there is no pause"
    );
    let pause = table.refused("quota").await;
    table.advance(PROVIDER_PAUSE - MILLISECOND);
    assert_eq!(
        table.probe(Uuid::new_v4()).await,
        ProbeClaim::Paused(pause.clone())
    );
    table.advance(MILLISECOND);
    let probes = (0..12).map(|_| table.probe(Uuid::new_v4()));
    let probes = futures::future::join_all(probes).await;
    assert_eq!(probes.iter().filter(|probing| is_mine(probing)).count(), 1);
    let seen = table.pause().await.unwrap();
    let probe = seen.probe.clone().unwrap();
    assert_eq!(probe.until, table.now() + MAX_QUESTION_DURATION);
    let held = ProbeClaim::Paused(seen);
    assert!(probes.iter().all(|probing| is_mine(probing) || *probing == held));
    assert!(
        is_mine(&table.probe(probe.owner).await),
        "its own worker may again"
    );

    table.advance(MAX_QUESTION_DURATION - MILLISECOND);
    assert!(!is_mine(&table.probe(Uuid::new_v4()).await));
    table.advance(MILLISECOND);
    assert!(
        is_mine(&table.probe(Uuid::new_v4()).await),
        "the dead are in nobody's way"
    );
}

#[tokio::test]
async fn only_the_probing_worker_ends_or_extends_the_pause() {
    let table = Table::start().await;
    let [late, owner] = [Uuid::new_v4(), Uuid::new_v4()];
    table.refused("quota").await;
    table.advance(PROVIDER_PAUSE);
    assert!(is_mine(&table.probe(late).await));
    table.advance(MAX_QUESTION_DURATION);
    let ProbeClaim::Claimed(probed) = table.probe(owner).await else {
        panic!("the probe is over");
    };
    let prolonged = probed.next("key", table.now());
    let store = &table.store;
    store.end_pause(OPENAI, late).await.unwrap();
    assert_eq!(store.pause_provider(&prolonged, late).await.unwrap(), probed);
    assert_eq!(store.pause_provider(&prolonged, owner).await.unwrap(), prolonged);
    assert_eq!((prolonged.reason.as_str(), prolonged.since), ("key", NOON));
    store.end_pause(OPENAI, owner).await.unwrap();
    assert_eq!(
        table.pause().await,
        Some(prolonged),
        "it probes no longer, and ends nothing"
    );

    table.advance(PROVIDER_PAUSE);
    assert!(is_mine(&table.probe(owner).await));
    store.end_pause(OPENAI, owner).await.unwrap();
    assert_eq!(table.pause().await, None);
    assert_eq!(
        table.refused("quota").await.since,
        table.now(),
        "no longer in a row"
    );
}

#[tokio::test]
async fn a_pause_belongs_to_one_provider_and_contains_nothing_of_a_workspace() {
    let table = Table::start().await;
    table.refused("quota").await;
    assert_eq!(table.store.provider_pause("gemini").await.unwrap(), None);
    let items = table.items().await;
    let (key, item) = items.first_key_value().unwrap();
    assert_eq!(items.len(), 1);
    assert_eq!(key, &("PROVIDER#openai".to_owned(), "PAUSE".to_owned()));
    let names: Vec<&str> = item.keys().map(String::as_str).collect();
    assert_eq!(names, ["PK", "SK", "provider", "reason", "since", "until"]);
    let until = item["until"].as_n().unwrap().parse().map(Timestamp::from_millis);
    assert_eq!(until, Ok(NOON + PROVIDER_PAUSE));
}

#[tokio::test]
async fn a_provider_that_is_not_paused_is_probed_by_one_worker_in_a_quarter_of_an_hour() {
    let table = Table::start().await;
    let claim = async |provider: &str| {
        let (store, now) = (&table.store, table.now());
        store.claim_probe_after_refusal(provider, now).await.unwrap()
    };
    let claimed = futures::future::join_all((0..12).map(|_| claim(OPENAI))).await;
    assert_eq!(claimed.iter().filter(|claimed| **claimed).count(), 1);
    assert!(claim("gemini").await, "each provider for itself");
    table.advance(PROBE_INTERVAL - MILLISECOND);
    assert!(!claim(OPENAI).await);
    table.advance(MILLISECOND);
    let mut lost = false;
    table
        .faults
        .script(move |_| (!std::mem::replace(&mut lost, true)).then_some(Fault::Lost));
    assert!(
        claim(OPENAI).await,
        "a claim whose response is lost is the caller's"
    );
    assert!(!claim(OPENAI).await);
    assert_eq!(table.pause().await, None, "a claim is no pause");
}

#[tokio::test]
async fn a_claim_of_a_clock_that_was_ahead_keeps_nobody_from_probing() {
    let table = Table::start().await;
    let (store, now) = (&table.store, table.now());
    assert!(store.claim_probe_after_refusal(OPENAI, now + DAY).await.unwrap());
    assert!(store.claim_probe_after_refusal(OPENAI, now).await.unwrap());
    assert!(!store.claim_probe_after_refusal(OPENAI, now).await.unwrap());
}
