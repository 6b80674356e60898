//! Boards: whatever happens at once or goes wrong, a board's items fit together.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use acceptance::{Dice, Fault, cause, causes};
use domain::board::{Actionable, ActionableStatus, Board, Task, TaskStatus};
use domain::id::{ActionableId, EntityId, TaskId};
use domain::limits::{ACTIVE_ACTIONABLES, TASKS};
use domain::recommend::{Cause, Refill};
use domain::time::{DAY, Millis, SECOND};
use domain::workspace::Status;
use futures::StreamExt;
use proptest::prelude::*;
use store::{CreateTaskRefused, DismissRefused, MoveRefused, Once, Store, Tenant, WorkspaceChange, connect};

use super::table::Table;

/// A table with one entity.
struct Boarded {
    table: Table,
    tenant: Tenant,
    entity: EntityId,
}

impl Boarded {
    async fn new() -> Self {
        let table = Table::start().await;
        let tenant = table.tenant(0).await;
        let entity = table.entity(&tenant, "acme.com", 1, 1).await.id;
        Self {
            table,
            tenant,
            entity,
        }
    }

    /// With so many active actionables, filled by check 1.
    async fn filled(actionables: u32) -> Self {
        let boarded = Self::new().await;
        let found = causes(&boarded.entity, actionables);
        let refill = boarded.refill(1, &found).await;
        assert_eq!(refill.created.len(), actionables as usize);
        boarded
    }

    fn actionable(&self, ordinal: u32) -> ActionableId {
        let entity = self.entity.clone();
        ActionableId { entity, ordinal }
    }

    fn task(&self, ordinal: u32) -> TaskId {
        let entity = self.entity.clone();
        TaskId { entity, ordinal }
    }

    async fn refill(&self, check: u32, found: &[Cause]) -> Refill {
        let store = &self.table.store;
        store
            .refill_board(&self.tenant, &self.entity, check, found)
            .await
            .unwrap()
    }

    async fn create_task(&self, actionable: u32) -> Result<Task, CreateTaskRefused> {
        let id = self.actionable(actionable);
        let store = &self.table.store;
        store
            .create_task(&self.tenant, &id, &[], &Once::none())
            .await
            .unwrap()
    }

    async fn dismiss(&self, actionable: u32) -> Result<Actionable, DismissRefused> {
        let id = self.actionable(actionable);
        let store = &self.table.store;
        store
            .dismiss_actionable(&self.tenant, &id, &Once::none())
            .await
            .unwrap()
    }

    async fn move_task(&self, task: u32, to: Option<TaskStatus>) -> Result<Task, MoveRefused> {
        let store = &self.table.store;
        let id = self.task(task);
        store
            .move_task(&self.tenant, &id, to, &Once::none())
            .await
            .unwrap()
    }

    async fn board(&self) -> Board {
        self.table.store.board(&self.tenant, &self.entity).await.unwrap()
    }

    /// The board, which fits together.
    async fn consistent(&self) -> Board {
        let board = self.board().await;
        let active: Vec<_> = board.actionables.iter().filter(|a| a.is_active()).collect();
        assert!(active.len() <= ACTIVE_ACTIONABLES);
        let causes: BTreeSet<_> = active.iter().map(|a| &a.fingerprint).collect();
        assert_eq!(causes.len(), active.len(), "one active actionable per cause");

        let in_task = board
            .actionables
            .iter()
            .filter(|a| a.status == ActionableStatus::InTask);
        let in_task: BTreeMap<u32, _> = in_task.map(|a| (a.ordinal, a.closed_at)).collect();
        let tasks: BTreeMap<u32, _> = board.tasks.iter().map(|t| (t.actionable, t.done_at)).collect();
        assert_eq!(tasks, in_task, "a task per actionable in one, with the same end");
        assert_eq!(tasks.len(), board.tasks.len(), "one task per actionable");
        for task in &board.tasks {
            assert_eq!(task.done_at.is_some(), task.status == TaskStatus::Done);
        }
        let places: BTreeSet<u32> = board.tasks.iter().map(|t| t.sort_order).collect();
        assert_eq!(places.len(), board.tasks.len(), "one task per place");

        // What expires is what the items say.
        let items = self.table.items().await;
        let ends = |prefix: &str, ordinal: u32| {
            let (_, item) = items
                .iter()
                .find(|((_, sk), _)| *sk == format!("{prefix}{ordinal:07}"))
                .unwrap();
            item.get("expiresAt")
                .map(|end| end.as_n().unwrap().parse::<i64>().unwrap())
        };
        let seconds = |end: Option<Millis>| end.map(Millis::ttl_seconds);
        for actionable in &board.actionables {
            assert_eq!(
                ends("BOARD#A#", actionable.ordinal),
                seconds(actionable.expires_at())
            );
        }
        for task in &board.tasks {
            assert_eq!(ends("BOARD#T#", task.ordinal), seconds(task.expires_at()));
        }
        board
    }

    /// From now on every transaction waits until the function is called: what it was decided from is old by then.
    fn hold_transactions(&self) -> impl Fn() + use<> {
        let released = Arc::new(AtomicBool::new(false));
        let seen = released.clone();
        self.table.faults.script(move |call| {
            let waits = call.operation == "TransactWriteItems" && !seen.load(Ordering::SeqCst);
            waits.then_some(Fault::Conflict)
        });
        move || released.store(true, Ordering::SeqCst)
    }

    /// Another way to the table, on which nothing goes wrong.
    fn other_store(&self) -> Store {
        let aws = connect::to_endpoint(&self.table.endpoint);
        Store::new(&aws, "visibility", self.table.clock.clone())
    }
}

#[tokio::test]
async fn of_many_who_make_one_actionable_a_task_one_does() {
    let boarded = Boarded::filled(2).await;
    let created = futures::future::join_all((0..8).map(|_| boarded.create_task(1))).await;
    assert_eq!(created.iter().filter(|c| c.is_ok()).count(), 1);
    let refused = CreateTaskRefused::NotActive(ActionableStatus::InTask);
    assert!(
        created
            .iter()
            .filter_map(|c| c.as_ref().err())
            .all(|r| *r == refused)
    );
    let board = boarded.consistent().await;
    assert_eq!((board.actionables.len(), board.tasks.len()), (2, 1));
}

#[tokio::test]
async fn an_actionable_is_dismissed_or_a_task_whoever_comes_first() {
    for _ in 0..5 {
        let boarded = Boarded::filled(1).await;
        let (created, dismissed) = futures::join!(boarded.create_task(1), boarded.dismiss(1));
        let board = boarded.consistent().await;
        match board.actionables[0].status {
            ActionableStatus::InTask => {
                assert!(created.is_ok());
                assert_eq!(dismissed.unwrap_err(), DismissRefused::InTask);
            }
            ActionableStatus::Dismissed => {
                assert!(dismissed.is_ok());
                let refused = CreateTaskRefused::NotActive(ActionableStatus::Dismissed);
                assert_eq!(created.unwrap_err(), refused);
            }
            ActionableStatus::Active => panic!("one of them came first"),
        }
    }
}

#[tokio::test]
async fn a_task_goes_as_many_steps_as_there_are_however_many_push_it_at_once() {
    let boarded = Boarded::filled(1).await;
    boarded.create_task(1).await.unwrap();
    let moved = futures::future::join_all((0..8).map(|_| boarded.move_task(1, None))).await;
    let columns: BTreeSet<TaskStatus> = moved.iter().flatten().map(|task| task.status).collect();
    assert_eq!(moved.iter().flatten().count(), 3);
    assert_eq!(columns, TaskStatus::ALL[1..].iter().copied().collect());
    assert!(
        moved
            .iter()
            .filter_map(|m| m.as_ref().err())
            .all(|r| *r == MoveRefused::Done)
    );
    assert_eq!(boarded.consistent().await.tasks[0].status, TaskStatus::Done);
}

#[tokio::test]
async fn a_check_fills_a_board_once_however_often_and_late_it_is_finished() {
    let boarded = Boarded::new().await;
    let found = causes(&boarded.entity, 40);
    let refills = futures::future::join_all((0..6).map(|_| boarded.refill(5, &found))).await;
    let created: Vec<usize> = refills
        .iter()
        .map(|r| r.created.len())
        .filter(|n| *n > 0)
        .collect();
    assert_eq!(created, [ACTIVE_ACTIONABLES]);
    let board = boarded.consistent().await;
    assert_eq!(board.actionables.len(), ACTIVE_ACTIONABLES);

    // What is freed meanwhile is for the next check; an older one that ends late has nothing to say.
    boarded.dismiss(1).await.unwrap();
    let before = boarded.table.items().await;
    let other = [cause(&boarded.entity, 99, 9_999), cause(&boarded.entity, 2, 1)];
    assert_eq!(boarded.refill(5, &found).await, Refill::default());
    assert_eq!(boarded.refill(4, &other).await, Refill::default());
    assert_eq!(boarded.table.items().await, before);
    let next = boarded.refill(6, &other).await;
    assert_eq!((next.created.len(), next.refreshed.len()), (1, 1));
    boarded.consistent().await;
}

#[tokio::test]
async fn a_check_that_finds_the_same_as_the_one_before_leaves_every_actionable_as_it_is() {
    let boarded = Boarded::filled(10).await;
    let before = boarded.board().await;
    boarded.table.pass(DAY);
    let again = boarded.refill(2, &causes(&boarded.entity, 10)).await;
    assert_eq!(again, Refill::default());
    assert_eq!(boarded.consistent().await, before);
}

#[tokio::test]
async fn a_board_has_at_most_500_live_tasks_however_many_are_made_at_once() {
    let boarded = Boarded::new().await;
    let (mut check, mut made) = (0, 0u32);
    while (made as usize) < TASKS - 2 {
        check += 1;
        let found: Vec<_> = (1..=30)
            .map(|n| cause(&boarded.entity, 30 * check + n, 1))
            .collect();
        let refill = boarded.refill(check, &found).await;
        for actionable in refill.created {
            if (made as usize) < TASKS - 2 {
                boarded.create_task(actionable.ordinal).await.unwrap();
                made += 1;
            }
        }
    }
    let found: Vec<_> = (1..=30).map(|n| cause(&boarded.entity, 30_000 + n, 1)).collect();
    boarded.refill(check + 1, &found).await;
    let active = boarded
        .board()
        .await
        .actionables
        .into_iter()
        .filter(Actionable::is_active);
    let active: Vec<u32> = active.map(|a| a.ordinal).collect();
    let created = futures::future::join_all(active[..6].iter().map(|a| boarded.create_task(*a))).await;
    assert_eq!(created.iter().filter(|c| c.is_ok()).count(), 2);
    let limit = CreateTaskRefused::TaskLimit;
    assert!(
        created
            .iter()
            .filter_map(|c| c.as_ref().err())
            .all(|r| *r == limit)
    );
    assert_eq!(boarded.consistent().await.tasks.len(), TASKS);

    // What expires makes room: only live tasks count.
    boarded.move_task(1, Some(TaskStatus::Done)).await.unwrap();
    assert_eq!(boarded.create_task(active[20]).await.unwrap_err(), limit);
    boarded.table.pass(90 * DAY + SECOND);
    boarded.create_task(active[20]).await.unwrap();
    assert_eq!(boarded.create_task(active[21]).await.unwrap_err(), limit);
    assert_eq!(boarded.consistent().await.tasks.len(), TASKS);
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
        deleted.unwrap().unwrap();
        release();
    };
    let found = causes(&boarded.entity, 9);
    let (refill, created, dismissed, moved, ()) = futures::join!(
        boarded.refill(2, &found),
        boarded.create_task(1),
        boarded.dismiss(1),
        boarded.move_task(1, None),
        delete
    );
    assert_eq!(refill, Refill::default());
    assert_eq!(created.unwrap_err(), CreateTaskRefused::UnknownActionable);
    assert_eq!(dismissed.unwrap_err(), DismissRefused::UnknownActionable);
    assert_eq!(moved.unwrap_err(), MoveRefused::UnknownTask);
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
        let change = WorkspaceChange {
            status: Some(Status::Canceled),
            ..WorkspaceChange::default()
        };
        let store = boarded.other_store();
        assert!(store.change_workspace(&boarded.tenant, change).await.unwrap());
        release();
    };
    let (created, dismissed, moved, ()) = futures::join!(
        boarded.create_task(1),
        boarded.dismiss(1),
        boarded.move_task(1, None),
        cancel
    );
    assert_eq!(created.unwrap_err(), CreateTaskRefused::Canceled);
    assert_eq!(dismissed.unwrap_err(), DismissRefused::Canceled);
    assert_eq!(moved.unwrap_err(), MoveRefused::Canceled);
    assert_eq!(boarded.consistent().await, before);
}

/// Everything that can be done to a board, four at a time, with a fault on every fifth call.
async fn change_under_faults(seed: u64) {
    let boarded = Boarded::filled(12).await;
    boarded.table.faults.random(seed, 200, &Fault::PASSING);
    let mut dice = Dice::new(seed);
    let jobs: Vec<_> = (0..40)
        .map(|_| (dice.below(10), 1 + dice.below(12), dice.below(5) as usize))
        .collect();
    let results: Vec<_> = futures::stream::iter(jobs)
        .map(|(kind, ordinal, column)| {
            let (boarded, store, tenant) = (&boarded, &boarded.table.store, &boarded.tenant);
            async move {
                let (actionable, task) = (boarded.actionable(ordinal), boarded.task(ordinal));
                match kind {
                    0..=2 => {
                        let created = store.create_task(tenant, &actionable, &[], &Once::none()).await;
                        created.map(|c| c.ok().map(|task| (task.actionable, ActionableStatus::InTask)))
                    }
                    3 => {
                        let found = causes(&boarded.entity, 10 + ordinal);
                        store
                            .refill_board(tenant, &boarded.entity, ordinal, &found)
                            .await
                            .map(|_| None)
                    }
                    4 => {
                        let dismissed = store.dismiss_actionable(tenant, &actionable, &Once::none()).await;
                        dismissed.map(|d| d.ok().map(|a| (a.ordinal, ActionableStatus::Dismissed)))
                    }
                    _ => {
                        let to = TaskStatus::ALL.get(column).copied();
                        store
                            .move_task(tenant, &task, to, &Once::none())
                            .await
                            .map(|_| None)
                    }
                }
            }
        })
        .buffer_unordered(4)
        .collect()
        .await;
    boarded.table.faults.none();

    let board = boarded.consistent().await;
    let states: BTreeMap<u32, _> = board.actionables.iter().map(|a| (a.ordinal, a.status)).collect();
    for result in &results {
        match result {
            Ok(Some((ordinal, status))) => assert_eq!(states[ordinal], *status, "a success that is lost"),
            Ok(None) => {}
            Err(error) => assert!(error.is_transient(), "{error}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_board_fits_together_whatever_calls_fail(seed: u64) {
        tokio::runtime::Runtime::new().unwrap().block_on(change_under_faults(seed));
    }
}
