//! Tag names are unique after case folding, and a workspace has at most 200 tags.

use domain::limits::MAX_TAGS_PER_WORKSPACE;
use domain::tag::{Tag, TagName};
use futures::StreamExt;
use store::{Refusal, ReplyRecorder, Resource, TagError, Tenant};

use super::table::{Table, refused};
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
    create(&table, &tenant, "launch").await.unwrap();
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
