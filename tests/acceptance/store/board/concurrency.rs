//! Concurrent changes of one board.

use std::collections::BTreeSet;

use domain::board::{ActionableStatus, TaskStatus};
use store::{CreateTaskError, DismissError, MoveTaskError};
use strum::VariantArray;

use super::BoardFixture;

#[tokio::test]
async fn one_of_many_concurrent_requests_turns_an_actionable_into_a_task() {
    let fixture = BoardFixture::filled(2).await;
    let created = futures::future::join_all((0..8).map(|_| fixture.create_task(1))).await;
    assert_eq!(created.iter().filter(|c| c.is_ok()).count(), 1);
    let refused = CreateTaskError::NotActive(ActionableStatus::InTask);
    assert!(
        created
            .iter()
            .filter_map(|c| c.as_ref().err())
            .all(|r| *r == refused)
    );
    let board = fixture.consistent().await;
    assert_eq!((board.actionables.len(), board.tasks.len()), (2, 1));
}

#[tokio::test]
async fn an_actionable_is_either_dismissed_or_turned_into_a_task() {
    for _ in 0..5 {
        let fixture = BoardFixture::filled(1).await;
        let (created, dismissed) = futures::join!(fixture.create_task(1), fixture.dismiss(1));
        let board = fixture.consistent().await;
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
async fn concurrent_moves_of_a_task_make_as_many_steps_as_there_are_statuses() {
    let fixture = BoardFixture::filled(1).await;
    fixture.create_task(1).await.unwrap();
    let moved = futures::future::join_all((0..8).map(|_| fixture.move_task(1, None))).await;
    let columns: BTreeSet<TaskStatus> = moved.iter().flatten().map(|task| task.status).collect();
    assert_eq!(moved.iter().flatten().count(), 3);
    assert_eq!(columns, TaskStatus::VARIANTS[1..].iter().copied().collect());
    assert!(
        moved
            .iter()
            .filter_map(|m| m.as_ref().err())
            .all(|r| *r == MoveTaskError::Done)
    );
    assert_eq!(fixture.consistent().await.tasks[0].status, TaskStatus::Done);
}
