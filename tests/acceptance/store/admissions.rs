//! One admission runs at a time, and others ask it to run once more. Should several run, each shard is
//! published once.

use domain::time::{MILLISECOND, SECOND};
use store::AdmissionRequest;
use uuid::Uuid;

use super::table::Table;

#[tokio::test]
async fn an_admission_runs_once_more_for_all_that_were_requested_meanwhile() {
    let table = Table::start().await;
    let (store, now) = (&table.store, table.now());
    let (first, second) = (Uuid::new_v4(), Uuid::new_v4());
    let until = now + 10 * SECOND;
    assert_eq!(
        store.request_admission(AdmissionRequest::Shards, now).await,
        Ok(false),
        "none is running"
    );
    assert!(store.begin_admission(first, now, until).await.unwrap().is_some());
    assert!(
        store.begin_admission(first, now, until).await.unwrap().is_some(),
        "a repeated call"
    );
    assert!(store.begin_admission(second, now, until).await.unwrap().is_none());
    for request in [
        AdmissionRequest::Shards,
        AdmissionRequest::Tick,
        AdmissionRequest::Shards,
    ] {
        assert_eq!(store.request_admission(request, now).await, Ok(true));
    }
    let again = store.end_admission(first).await.unwrap();
    assert_eq!(again, Some(AdmissionRequest::Tick), "a tick is not forgotten");
    assert!(
        store.begin_admission(second, now, until).await.unwrap().is_none(),
        "it goes on"
    );
    assert!(store.begin_admission(first, now, until).await.unwrap().is_some());
    assert_eq!(store.end_admission(first).await, Ok(None));
    assert!(store.begin_admission(second, now, until).await.unwrap().is_some());
}

#[tokio::test]
async fn an_admission_that_has_crashed_holds_up_others_until_its_lease_ends() {
    let table = Table::start().await;
    let (store, now) = (&table.store, table.now());
    let (crashed, next) = (Uuid::new_v4(), Uuid::new_v4());
    let until = now + 10 * SECOND;
    assert!(
        store
            .begin_admission(crashed, now, until)
            .await
            .unwrap()
            .is_some()
    );
    let before = until - MILLISECOND;
    assert!(
        store
            .begin_admission(next, before, until)
            .await
            .unwrap()
            .is_none()
    );
    assert_eq!(
        store.request_admission(AdmissionRequest::Shards, until).await,
        Ok(false)
    );
    assert!(
        store
            .begin_admission(next, until, until + 10 * SECOND)
            .await
            .unwrap()
            .is_some()
    );
    assert_eq!(
        store.end_admission(crashed).await,
        Ok(None),
        "it was not dead after all"
    );
    store.abandon_admission(crashed).await.unwrap();
    assert!(
        store
            .begin_admission(crashed, until, until)
            .await
            .unwrap()
            .is_none(),
        "the other one goes on"
    );
    store.advance_fair_time(Default::default()).await.unwrap();
    store.abandon_admission(next).await.unwrap();
    assert!(
        store
            .begin_admission(crashed, until, until)
            .await
            .unwrap()
            .is_some()
    );
}
