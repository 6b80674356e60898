//! Entities and subscriptions that end between the read of a board and its update.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use acceptance::{Fault, candidates};
use domain::recommend::BoardUpdate;
use domain::workspace::Status;
use store::{Refusal, Resource, Store, WorkspaceUpdate, connect};

use super::Boarded;

impl Boarded {
    /// Holds all transactions back until the returned function is called. The state that they are based on is outdated
    /// by then.
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
        let aws = connect::to_endpoint(&self.table.endpoint);
        Store::new(&aws, "visibility", self.table.clock.clone())
    }
}

#[tokio::test]
async fn the_board_of_a_deleted_entity_is_left_alone_also_when_it_is_deleted_meanwhile() {
    let boarded = Boarded::filled(2).await;
    boarded.create_task(2).await.unwrap();
    let before = boarded.board().await;
    let release = boarded.hold_transactions();
    let delete = async {
        tokio::time::sleep(Duration::from_millis(60)).await;
        let store = boarded.other_store();
        let deleted = store.delete_entity(&boarded.tenant, &boarded.entity).await;
        deleted.unwrap();
        release();
    };
    let found = candidates(&boarded.entity, 9);
    let (refill, created, dismissed, moved, ()) = futures::join!(
        boarded.refill(2, &found),
        boarded.create_task(1),
        boarded.dismiss(1),
        boarded.move_task(1, None),
        delete
    );
    assert_eq!(refill, BoardUpdate::default());
    let unknown = Refusal::NotFound(Resource::Actionable);
    assert_eq!(created.unwrap_err(), unknown.clone().into());
    assert_eq!(dismissed.unwrap_err(), unknown.into());
    assert_eq!(moved.unwrap_err(), Refusal::NotFound(Resource::Task).into());
    assert_eq!(boarded.consistent().await, before);
}

#[tokio::test]
async fn a_subscription_that_is_canceled_meanwhile_changes_no_board() {
    let boarded = Boarded::filled(2).await;
    boarded.create_task(2).await.unwrap();
    let before = boarded.board().await;
    let release = boarded.hold_transactions();
    let cancel = async {
        tokio::time::sleep(Duration::from_millis(60)).await;
        let change = WorkspaceUpdate {
            status: Some(Status::Canceled),
            ..WorkspaceUpdate::default()
        };
        let store = boarded.other_store();
        assert!(store.update_workspace(&boarded.tenant, change).await.unwrap());
        release();
    };
    let (created, dismissed, moved, ()) = futures::join!(
        boarded.create_task(1),
        boarded.dismiss(1),
        boarded.move_task(1, None),
        cancel
    );
    assert_eq!(created.unwrap_err(), Refusal::Canceled.into());
    assert_eq!(dismissed.unwrap_err(), Refusal::Canceled.into());
    assert_eq!(moved.unwrap_err(), Refusal::Canceled.into());
    assert_eq!(boarded.consistent().await, before);
}
