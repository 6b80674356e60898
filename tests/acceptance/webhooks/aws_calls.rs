//! The AWS calls that the notifier makes.

use acceptance::AwsCall;
use domain::limits::DISABLED_AFTER;
use domain::time::DAY;
use store::{ReplyRecorder, WebhookUpdate};

use super::NOBODY;
use super::fixture::NotifierFixture;
use super::receiver::Receiver;

/// Returns the calls of deliveries that are accepted, that fail until their webhook is disabled, that are
/// given up after that, and of a webhook that is deleted while something is pending.
pub(crate) async fn calls() -> Vec<AwsCall> {
    let fixture = NotifierFixture::start().await;
    let (receiver, tenant) = (Receiver::start().await, &fixture.tenant);
    let accepting = fixture.webhook(tenant, &receiver.url).await;
    let failing = fixture.webhook(tenant, NOBODY).await;
    fixture.test(tenant, &accepting).await;
    for _ in 0..=DISABLED_AFTER.as_secs() / DAY.as_secs() {
        fixture.test(tenant, &failing).await;
        fixture.tick().await;
        fixture.table.advance(DAY);
    }
    let disabled = fixture
        .table
        .store
        .webhook(tenant, &failing)
        .await
        .unwrap()
        .unwrap();
    assert!(
        disabled.disabled.is_some(),
        "{:?}",
        fixture.table.store.delivery_queues(tenant).await
    );
    for _ in 0..4 {
        fixture.tick().await;
        fixture.table.advance(DAY);
    }
    let left = fixture.table.store.delivery_queues(tenant).await.unwrap();
    assert!(left.iter().all(|(_, queue)| queue.due_at.is_none()), "{left:?}");
    // The event that the webhook is disabled, and the test.
    assert_eq!(receiver.received().len(), 2);
    // A webhook that is enabled again has five days again.
    let enable = WebhookUpdate {
        is_enabled: Some(true),
        ..WebhookUpdate::default()
    };
    let store = &fixture.table.store;
    store.update_webhook(tenant, &failing, &enable).await.unwrap();
    fixture.test(tenant, &failing).await;
    fixture.tick().await;
    let enabled = store.webhook(tenant, &failing).await.unwrap().unwrap();
    assert_eq!(enabled.disabled, None);

    let third = fixture.webhook(tenant, NOBODY).await;
    fixture.test(tenant, &third).await;
    let store = &fixture.table.store;
    store.pass_on_events(tenant).await.unwrap();
    let queues = store.delivery_queues(tenant).await.unwrap();
    store.delete_webhook(tenant, &third).await.unwrap();
    assert_eq!(
        store.delivery_queues(tenant).await.unwrap().len(),
        queues.len() - 1
    );
    let fourth = fixture.webhook(tenant, NOBODY).await;
    assert!(
        store
            .test_webhook(tenant, &fourth, &ReplyRecorder::disabled())
            .await
            .is_ok()
    );
    fixture.tick().await;
    fixture.faults.take()
}

#[tokio::test]
async fn a_delivery_costs_the_calls_that_the_documents_state() {
    let fixture = NotifierFixture::start().await;
    let (receiver, tenant) = (Receiver::start().await, &fixture.tenant);
    let webhook = fixture.webhook(tenant, &receiver.url).await;
    fixture.test(tenant, &webhook).await;
    fixture.notify(tenant).await;
    assert_eq!(receiver.received().len(), 1);
    let calls = fixture.faults.take();
    let count = |operation: &str| calls.iter().filter(|call| call.operation == operation).count();
    let counts = ["Query", "GetItem", "TransactWriteItems", "UpdateItem"].map(count);
    // Passing on, leasing and releasing each read what they decide on, and write it in one transaction.
    assert_eq!((counts, calls.len()), ([6, 4, 3, 1], 14));
}
