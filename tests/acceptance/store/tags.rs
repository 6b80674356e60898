//! Tag names are unique after case folding, and a workspace has at most 200 tags.

use std::collections::BTreeSet;

use acceptance::{Fault, SeededRng};
use domain::limits::MAX_TAGS_PER_WORKSPACE;
use domain::tag::{Tag, TagName};
use futures::StreamExt;
use proptest::prelude::*;
use store::{Refusal, ReplyRecorder, Resource, TagError, Tenant};

use super::creation::consistent;
use super::table::{Table, done, refused};
use super::transactions::{actions, answer, request};

fn name(text: &str) -> TagName {
    TagName::parse("name", text).unwrap()
}

async fn create(table: &Table, tenant: &Tenant, text: &str) -> Result<Tag, TagError> {
    let name = name(text);
    let created = table
        .store
        .create_tag(tenant, &name, &ReplyRecorder::disabled())
        .await;
    refused(created)
}

#[tokio::test]
async fn one_of_many_concurrent_creations_of_a_name_succeeds() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    let all = ["Launch", "LAUNCH", " launch", "ｌaunch", "Launch", "laun\u{ad}ch"];
    let made = futures::future::join_all(all.iter().map(|text| create(&table, &tenant, text))).await;
    assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 1);
    let refused = made.iter().filter_map(|made| made.as_ref().err());
    assert!(refused.into_iter().all(|why| *why == TagError::NameTaken));
    consistent(&table, &tenant).await;
}

#[tokio::test]
async fn concurrent_creations_fill_the_last_places_exactly() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    let texts: Vec<String> = (0..MAX_TAGS_PER_WORKSPACE + 10)
        .map(|n| format!("Tag {n}"))
        .collect();
    let made: Vec<_> = futures::stream::iter(&texts)
        .map(|text| create(&table, &tenant, text))
        .buffer_unordered(8)
        .collect()
        .await;
    let count = made.iter().filter(|made| made.is_ok()).count();
    assert_eq!(count, MAX_TAGS_PER_WORKSPACE as usize);
    let refused = made.iter().filter_map(|made| made.as_ref().err());
    assert!(refused.into_iter().all(|why| *why == TagError::TagLimit));
    consistent(&table, &tenant).await;
}

#[tokio::test]
async fn one_of_many_concurrent_deletions_succeeds_and_frees_the_name() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    let tag = create(&table, &tenant, "Launch").await.unwrap();
    let all = (0..6).map(|_| table.store.delete_tag(&tenant, &tag.id));
    let deleted = futures::future::join_all(all).await;
    let deleted: Vec<_> = deleted.into_iter().map(refused).collect();
    assert_eq!(deleted.iter().filter(|d| d.is_ok()).count(), 1);
    let unknown = Err(Refusal::NotFound(Resource::Tag));
    assert_eq!(deleted.iter().filter(|d| **d == unknown).count(), 5);
    consistent(&table, &tenant).await;
    create(&table, &tenant, "launch").await.unwrap();
}

#[tokio::test]
async fn each_write_takes_effect_once_despite_conflicts_and_lost_responses() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    for fault in [Fault::Conflict, Fault::Lost, Fault::ServerError, Fault::Throttled] {
        let mut tries = 0;
        table.faults.script(move |call| {
            let is_write = call.operation == "TransactWriteItems";
            tries = if is_write { (tries + 1) % 3 } else { tries };
            (is_write && tries != 0).then_some(fault)
        });
        let tag = create(&table, &tenant, "Launch").await.unwrap();
        assert_eq!(
            table.store.tags(&tenant).await.unwrap(),
            std::slice::from_ref(&tag),
            "{fault:?}"
        );
        let deleted = table.store.delete_tag(&tenant, &tag.id).await;
        assert_eq!(deleted, Ok(()), "{fault:?}");
        table.faults.none();
        assert_eq!(consistent(&table, &tenant).await.len(), 0);
        assert_eq!(table.store.tags(&tenant).await.unwrap(), []);
    }
}

#[tokio::test]
async fn a_tag_is_created_and_deleted_in_one_transaction_each() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    actions(&table);
    let (key, name) = (request("tag"), name("Launch"));
    let made = table
        .store
        .create_tag(&tenant, &name, &ReplyRecorder::new(&key, answer))
        .await;
    let tag = made.unwrap();
    assert_eq!(actions(&table), [4]);
    table.store.delete_tag(&tenant, &tag.id).await.unwrap();
    assert_eq!(actions(&table), [3]);
}

/// Creates and deletes tags with a few names, four at a time, with a fault on every fifth call.
async fn change_under_faults(seed: u64) {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    table.faults.random(seed, 200, &Fault::TRANSIENT);
    let mut rng = SeededRng::new(seed);
    let jobs: Vec<(u32, bool)> = (0..30).map(|_| (rng.below(4), rng.chance(60))).collect();
    let results: Vec<_> = futures::stream::iter(jobs)
        .map(|(n, creates)| {
            let (store, tenant, name) = (&table.store, &tenant, name(&format!("Tag {n}")));
            async move {
                if creates {
                    let created = store.create_tag(tenant, &name, &ReplyRecorder::disabled()).await;
                    return done(created).map(drop);
                }
                let tags = store.tags(tenant).await?;
                match tags.first() {
                    Some(tag) => done(store.delete_tag(tenant, &tag.id).await).map(drop),
                    None => Ok(()),
                }
            }
        })
        .buffer_unordered(4)
        .collect()
        .await;
    table.faults.none();
    for error in results.iter().filter_map(|r| r.as_ref().err()) {
        assert!(error.is_transient(), "{error}");
    }
    consistent(&table, &tenant).await;
    let tags = table.store.tags(&tenant).await.unwrap();
    let names: BTreeSet<String> = tags.iter().map(|tag| tag.name.uniqueness_key()).collect();
    assert_eq!(names.len(), tags.len(), "a name twice");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn names_are_unique_and_tags_are_counted_whatever_calls_fail(seed: u64) {
        tokio::runtime::Runtime::new().unwrap().block_on(change_under_faults(seed));
    }
}
