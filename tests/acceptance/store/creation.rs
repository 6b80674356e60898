//! The quota counters equal the number of items.

use std::collections::{BTreeMap, BTreeSet};

use acceptance::{Fault, SeededRng};
use domain::clock::Clock;
use domain::time::{HOUR, MILLISECOND};
use domain::workspace::Limits;
use futures::StreamExt;
use proptest::prelude::*;
use store::{CreateEntityError, Refusal, ReplyRecorder, Tenant};

use super::table::{Table, done, models, new_entity, new_prompts, no_limits, refused};

/// Asserts that the counters of a workspace match its items, and returns the ids of its entities.
pub(crate) async fn consistent(table: &Table, tenant: &Tenant) -> BTreeSet<String> {
    let workspace = table.store.workspace(tenant).await.unwrap().unwrap();
    let entities = table.store.entities(tenant).await.unwrap();
    let ids: BTreeSet<String> = entities.iter().map(|e| e.id.to_string()).collect();
    assert_eq!(workspace.entities_used as usize, entities.len());
    assert!(workspace.entities_used <= workspace.entities_limit);
    assert!(workspace.prompts_used <= workspace.prompts_limit);

    let (mut prompts, mut used) = (0, 0);
    for entity in &entities {
        let found = table.store.prompts(tenant, &entity.id).await.unwrap();
        let numbers: Vec<u32> = found.iter().map(|p| p.ordinal.get()).collect();
        assert_eq!(numbers, (1..=entity.prompt_seq.into()).collect::<Vec<_>>());
        prompts += found.len();
        let live = found.iter().filter(|p| !p.is_deleted).count();
        assert_eq!(entity.prompts as usize, live);
        used += live;
    }
    assert_eq!(workspace.prompts_used as usize, used);
    let tags = table.store.tags(tenant).await.unwrap();
    assert_eq!(workspace.tags_used as usize, tags.len());

    let items = table.items().await;
    let with = |prefix: &'static str| items.iter().filter(move |((_, sk), _)| sk.starts_with(prefix));
    let names: BTreeSet<String> = with("TAGNAME#")
        .map(|(_, n)| n["tag"].as_s().unwrap().clone())
        .collect();
    assert_eq!(names, tags.iter().map(|tag| tag.id.to_string()).collect());
    let targets: Vec<String> = with("TARGET#")
        .map(|(_, t)| t["entity"].as_s().unwrap().clone())
        .collect();
    assert_eq!(targets.len(), ids.len());
    assert_eq!(targets.into_iter().collect::<BTreeSet<_>>(), ids);
    let prompts_stored = items.keys().filter(|(_, sk)| sk.starts_with("PROMPT#")).count();
    assert_eq!(prompts_stored, prompts, "no prompt without its entity");

    let mut trackings = Vec::new();
    let mut numbers = BTreeSet::new();
    for (_, brand) in with("BRAND#") {
        assert!(
            numbers.insert(brand["ordinal"].as_n().unwrap().clone()),
            "a number given twice"
        );
        trackings.extend(
            brand["trackings"]
                .as_l()
                .unwrap()
                .iter()
                .map(|t| t.as_s().unwrap().clone()),
        );
    }
    assert_eq!(numbers.len(), workspace.brand_seq.index());
    assert_eq!(trackings.len(), ids.len());
    assert_eq!(trackings.into_iter().collect::<BTreeSet<_>>(), ids);
    ids
}

#[tokio::test]
async fn concurrent_creations_fill_the_quota_exactly() {
    let table = Table::start().await;
    let limits = Limits {
        entities: 5,
        prompts: 13,
        ..no_limits()
    };
    let (tenant, _) = table.workspace(limits, 0).await;
    let once = ReplyRecorder::disabled();
    let new: Vec<_> = (0..16)
        .map(|n| new_entity(&tenant, &format!("site{n}.com"), 2, &models(1)))
        .collect();
    let creations = new
        .iter()
        .map(|new| table.store.create_entity(&tenant, new, None, &once));
    let results = futures::future::join_all(creations).await;
    let results: Vec<_> = results.into_iter().map(refused).collect();
    assert_eq!(results.iter().filter(|r| r.is_ok()).count(), 5);
    let refusal = CreateEntityError::EntityLimit { limit: 5 };
    assert!(
        results
            .iter()
            .filter_map(|r| r.as_ref().err())
            .all(|r| *r == refusal)
    );
    let ids = consistent(&table, &tenant).await;

    // The concurrent requests compete for three remaining prompts.
    let entity = ids.first().unwrap().parse().unwrap();
    let (prompts, once) = (new_prompts(1), ReplyRecorder::disabled());
    let additions = (0..8).map(|_| table.store.add_prompts(&tenant, &entity, &prompts, &once));
    let results = futures::future::join_all(additions).await;
    let results: Vec<_> = results.into_iter().map(refused).collect();
    assert_eq!(results.iter().filter(|r| r.is_ok()).count(), 3);
    let refusal = Refusal::PromptLimit { limit: 13, free: 0 };
    assert!(
        results
            .iter()
            .filter_map(|r| r.as_ref().err())
            .all(|r| *r == refusal)
    );
    consistent(&table, &tenant).await;
}

#[tokio::test]
async fn one_of_many_who_track_the_same_domain_at_once_gets_it() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    let new = new_entity(&tenant, "acme.com", 1, &models(1));
    let once = ReplyRecorder::disabled();
    let creations = (0..10).map(|_| table.store.create_entity(&tenant, &new, None, &once));
    let results = futures::future::join_all(creations).await;
    let results: Vec<_> = results.into_iter().map(refused).collect();
    assert_eq!(results.iter().filter(|r| r.is_ok()).count(), 1);
    let tracked = |r: &&CreateEntityError| **r == CreateEntityError::AlreadyTracked;
    assert_eq!(
        results
            .iter()
            .filter_map(|r| r.as_ref().err())
            .filter(tracked)
            .count(),
        9
    );
    consistent(&table, &tenant).await;
}

#[tokio::test]
async fn creations_are_counted_exactly_and_the_next_hour_starts_at_zero() {
    let table = Table::start().await;
    let limits = Limits {
        creates_per_hour: 3,
        ..no_limits()
    };
    let (tenant, _) = table.workspace(limits, 0).await;
    let (once, start) = (ReplyRecorder::disabled(), table.clock.real_now());
    for hour in 0..2 {
        table.clock.set_real(start + hour * HOUR);
        let new: Vec<_> = (0..8)
            .map(|n| new_entity(&tenant, &format!("site{hour}-{n}.com"), 0, &models(1)))
            .collect();
        let creations = new
            .iter()
            .map(|new| table.store.create_entity(&tenant, new, None, &once));
        let results = futures::future::join_all(creations).await;
        let done = results.iter().filter(|r| r.is_ok()).count();
        assert_eq!(done, 3);
        for refusal in results.into_iter().filter_map(|r| refused(r).err()) {
            assert!(
                matches!(refusal, CreateEntityError::TooMany { retry_after } if (MILLISECOND..=HOUR).contains(&retry_after)),
                "{refusal:?}"
            );
        }
    }
    consistent(&table, &tenant).await;
}

/// Creates entities and adds prompts, four at a time, with a fault on every fifth call.
async fn create_under_faults(seed: u64) {
    let table = Table::start().await;
    let limits = Limits {
        entities: 6,
        prompts: 24,
        ..no_limits()
    };
    let (tenant, _) = table.workspace(limits, 0).await;
    let first = table.entity(&tenant, "first.com", 1, 1).await;
    table.faults.random(seed, 200, &Fault::TRANSIENT);

    let mut rng = SeededRng::new(seed);
    let jobs: Vec<_> = (0..14)
        .map(|_| (rng.below(9), rng.below(4) as usize, rng.chance(30)))
        .collect();
    let results: Vec<_> = futures::stream::iter(jobs)
        .map(|(site, prompts, adds)| {
            let (store, tenant, first) = (&table.store, &tenant, &first);
            async move {
                if adds {
                    let added = store
                        .add_prompts(
                            tenant,
                            &first.id,
                            &new_prompts(prompts + 1),
                            &ReplyRecorder::disabled(),
                        )
                        .await;
                    return done(added).map(|_| None);
                }
                let new = new_entity(tenant, &format!("site{site}.com"), prompts, &models(1));
                let created = store
                    .create_entity(tenant, &new, None, &ReplyRecorder::disabled())
                    .await;
                let created = done(created)?;
                Ok(created.map(|created| (created.entity.id.to_string(), prompts)))
            }
        })
        .buffer_unordered(4)
        .collect()
        .await;
    table.faults.none();

    let ids = consistent(&table, &tenant).await;
    let reported: Vec<&(String, usize)> = results.iter().filter_map(|r| r.as_ref().ok()?.as_ref()).collect();
    let distinct: BTreeMap<_, _> = reported.iter().map(|(id, prompts)| (id, *prompts)).collect();
    assert_eq!(distinct.len(), reported.len());
    for (id, prompts) in distinct {
        assert!(ids.contains(id), "a success that is not there");
        let found = table.store.prompts(&tenant, &id.parse().unwrap()).await.unwrap();
        assert_eq!(found.len(), prompts);
    }
    let failures: Vec<_> = results.iter().filter_map(|r| r.as_ref().err()).collect();
    for error in &failures {
        assert!(error.is_transient(), "{error}");
    }
    // Only a creation that ended as unavailable can exist without having been reported.
    let unreported = ids.len() - 1 - reported.len();
    assert!(
        unreported <= failures.len(),
        "{unreported} entities nobody was told of"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn counters_equal_what_exists_whatever_calls_fail(seed: u64) {
        tokio::runtime::Runtime::new().unwrap().block_on(create_under_faults(seed));
    }
}
