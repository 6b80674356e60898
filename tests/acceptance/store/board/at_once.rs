//! Concurrent changes of one board.

use std::collections::BTreeSet;

use domain::board::{ActionableStatus, TaskStatus};
use store::{CreateTaskError, DismissError, MoveTaskError};

use super::Boarded;

#[tokio::test]
async fn of_many_who_make_one_actionable_a_task_one_does() {
    let boarded = Boarded::filled(2).await;
    let created = futures::future::join_all((0..8).map(|_| boarded.create_task(1))).await;
    assert_eq!(created.iter().filter(|c| c.is_ok()).count(), 1);
    let refused = CreateTaskError::NotActive(ActionableStatus::InTask);
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
                assert_eq!(dismissed.unwrap_err(), DismissError::InTask);
            }
            ActionableStatus::Dismissed => {
                assert!(dismissed.is_ok());
                let refused = CreateTaskError::NotActive(ActionableStatus::Dismissed);
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
            .all(|r| *r == MoveTaskError::Done)
    );
    assert_eq!(boarded.consistent().await.tasks[0].status, TaskStatus::Done);
}
