//! Entities and subscriptions that end between the read of a board and its update.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use acceptance::{Fault, candidates};
use domain::board::BoardUpdate;
use domain::workspace::SubscriptionStatus;
use store::{Refusal, Resource, Store, WorkspaceUpdate};

use super::BoardFixture;

impl BoardFixture {
    /// Holds all transactions back until the returned function is called. The state that they are based on is
    /// outdated by then.
    fn hold_transactions(&self) -> impl Fn() + use<> {
        let released = Arc::new(AtomicBool::new(false));
        let seen = released.clone();
        self.table.faults.script(move |call| {
            let waits = call.operation == "TransactWriteItems" && !seen.load(Ordering::SeqCst);
            waits.then_some(Fault::Conflict)
        });
        move || released.store(true, Ordering::SeqCst)
    }

    /// Returns a store with a connection of its own that has no faults.
    fn other_store(&self) -> Store {
        let aws = self.table.database.client_config();
        Store::new(&aws, "visibility", self.table.clock.clone())
    }
}

#[tokio::test]
async fn the_board_of_an_entity_is_unchanged_after_its_deletion_or_if_it_is_deleted_during_the_update() {
    let fixture = BoardFixture::filled(2).await;
    fixture.create_task(2).await.unwrap();
    let before = fixture.board().await;
    let release = fixture.hold_transactions();
    let delete = async {
        tokio::time::sleep(Duration::from_millis(60)).await;
        let store = fixture.other_store();
        let deleted = store.delete_entity(&fixture.tenant, &fixture.entity).await;
        deleted.unwrap();
        release();
    };
    let found = candidates(&fixture.entity, 9);
    let (refill, created, dismissed, moved, ()) = futures::join!(
        fixture.refill(2, &found),
        fixture.create_task(1),
        fixture.dismiss(1),
        fixture.move_task(1, None),
        delete
    );
    assert_eq!(refill, BoardUpdate::default());
    let unknown = Refusal::NotFound(Resource::Actionable);
    assert_eq!(created.unwrap_err(), unknown.clone().into());
    assert_eq!(dismissed.unwrap_err(), unknown.into());
    assert_eq!(moved.unwrap_err(), Refusal::NotFound(Resource::Task).into());
    assert_eq!(fixture.consistent().await, before);
}

#[tokio::test]
async fn no_board_changes_if_the_subscription_is_canceled_during_the_update() {
    let fixture = BoardFixture::filled(2).await;
    fixture.create_task(2).await.unwrap();
    let before = fixture.board().await;
    let release = fixture.hold_transactions();
    let cancel = async {
        tokio::time::sleep(Duration::from_millis(60)).await;
        let change = WorkspaceUpdate {
            status: Some(SubscriptionStatus::Canceled),
            ..WorkspaceUpdate::default()
        };
        let store = fixture.other_store();
        assert!(store.update_workspace(&fixture.tenant, change).await.unwrap());
        release();
    };
    let (created, dismissed, moved, ()) = futures::join!(
        fixture.create_task(1),
        fixture.dismiss(1),
        fixture.move_task(1, None),
        cancel
    );
    assert_eq!(created.unwrap_err(), Refusal::Canceled.into());
    assert_eq!(dismissed.unwrap_err(), Refusal::Canceled.into());
    assert_eq!(moved.unwrap_err(), Refusal::Canceled.into());
    assert_eq!(fixture.consistent().await, before);
}
