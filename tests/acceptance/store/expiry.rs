//! Expired items are treated as absent, even if they have not been deleted yet.

use std::collections::BTreeMap;

use domain::check_key::CheckKey;
use domain::family::Family;
use domain::id::{EntityId, ResponseId};
use domain::period::DateRange;
use domain::time::{DAY, MILLISECOND};
use store::{FactsKind, IndexEntry};

use super::table::{Table, answered};

/// Returns the id of the response to the entity's first prompt by its first model.
fn response_id(entity: &EntityId, check: CheckKey) -> ResponseId {
    ResponseId {
        entity: *entity,
        day: check.day,
        check: check.check,
        prompt: 1.into(),
        model: 0.into(),
    }
}

#[tokio::test]
async fn an_expired_item_is_absent_even_if_it_is_still_in_the_table() {
    let table = Table::start().await;
    let store = &table.store;
    let tenant = table.tenant(1_000).await;
    let entity = table.entity(&tenant, "acme.com", 1, 1).await.id;
    let (check, _) = table.claimed(&tenant, &entity).await;
    let day = table.now().day();
    let lease = table.lease(&tenant, &entity, check, 0).await.unwrap();
    let answers = vec![answered(1, 0, "text", table.now())];
    assert!(store.record_responses(&lease, day, answers).await.unwrap());
    let before = table.items().await;

    let key = CheckKey { day, check };
    let response_id = response_id(&entity, key);
    for (days, is_there) in [(90, true), (1, false)] {
        table.advance(days * DAY - MILLISECOND);
        assert_eq!(
            store.check(&tenant, &entity, check).await.unwrap().is_some(),
            is_there
        );
        assert_eq!(
            store.plan(&tenant, &entity, check).await.unwrap().is_some(),
            is_there
        );
        assert_eq!(
            !store.shards(&tenant, &entity, check).await.unwrap().is_empty(),
            is_there
        );
        let responses = store.responses_of(&tenant, &entity, key).await.unwrap();
        assert_eq!(!responses.is_empty(), is_there);
        let response = store.response(&tenant, &response_id).await.unwrap();
        assert_eq!(response.is_some(), is_there);
    }
    assert_eq!(table.items().await, before, "nothing was deleted");
    assert!(store.entity(&tenant, &entity).await.unwrap().is_some());
}

#[tokio::test]
async fn expired_facts_are_not_named_by_an_index_that_has_not_expired() {
    let table = Table::start().await;
    let store = &table.store;
    let tenant = table.tenant(0).await;
    let entity = table.entity(&tenant, "acme.com", 1, 1).await.id;
    let key = CheckKey {
        day: table.now().day(),
        check: 1.into(),
    };
    let family = Family::Visibility;
    let segment = store
        .put_segment(&tenant, &entity, family, key, &[b"sealed"], FactsKind::Final)
        .await
        .unwrap();
    let segments = BTreeMap::from([(family, segment)]);
    table.index(&tenant, &entity, key, segments).await;
    let range = DateRange::last_30_days(key.day.plus_days(3));
    for (days, is_there) in [(399, true), (1, false), (10, false), (30, false)] {
        table.advance(days * DAY);
        let index = store
            .fact_index(&tenant, &entity, &[range], store::Consistency::Strong)
            .await
            .unwrap();
        assert_eq!(index.contains(key), is_there);
        let found = store
            .segments(&tenant, &entity, family, &index.segments_of(family).unwrap())
            .await
            .unwrap();
        assert_eq!(!found.is_empty(), is_there);
    }
}

#[tokio::test]
async fn interim_facts_expire_after_a_week_and_never_shorten_the_life_of_final_facts() {
    let table = Table::start().await;
    let store = &table.store;
    let tenant = table.tenant(0).await;
    let entity = table.entity(&tenant, "acme.com", 1, 1).await.id;
    let (family, day) = (Family::Visibility, table.now().day());
    let put = async |check: u32, kinds: &[FactsKind]| {
        let key = CheckKey {
            day,
            check: check.into(),
        };
        for kind in kinds {
            let put = store.put_segment(&tenant, &entity, family, key, &[b"sealed"], *kind);
            let month = store.month_index(&tenant, &entity, day.month()).await.unwrap();
            let entry = IndexEntry {
                segments: [(family, put.await.unwrap())].into(),
                is_interim: *kind == FactsKind::Interim,
                ..IndexEntry::default()
            };
            let entries = BTreeMap::from([(key, entry)]);
            let indexed = store.index_segments(&tenant, &entity, day, &month, &entries, None);
            assert!(indexed.await.unwrap());
        }
        key
    };
    let (interim, last) = (FactsKind::Interim, FactsKind::Final);
    let running = put(1, &[interim]).await;
    let ended = put(2, &[interim, last]).await;
    // The interim facts of a worker that was held up arrive late.
    put(3, &[last, interim]).await;
    let late = put(3, &[last]).await;

    let range = DateRange::last_30_days(day.plus_days(8));
    for (days, is_running_there) in [(6, true), (1, false), (392, false)] {
        table.advance(days * DAY);
        let index = store
            .fact_index(&tenant, &entity, &[range], store::Consistency::Strong)
            .await
            .unwrap();
        assert_eq!(index.contains(running), is_running_there);
        assert!(!index.contains_final(running));
        assert!(index.contains_final(ended) && index.contains_final(late));
        let month = store.month_index(&tenant, &entity, day.month()).await.unwrap();
        assert_eq!(month.entries.contains_key(&running), is_running_there);
        let indexed = index.segments_of(family).unwrap();
        let found = store.segments(&tenant, &entity, family, &indexed).await;
        assert_eq!(found.unwrap().len(), 2 + usize::from(is_running_there));
    }
}
