//! Updates of a board by checks.

use acceptance::{candidate, candidates, largest_outcome};
use domain::board::{BoardUpdate, CheckFindings, TaskStatus};
use domain::limits::MAX_ACTIVE_ACTIONABLES;
use domain::time::DAY;

use super::BoardFixture;

#[tokio::test]
async fn a_check_updates_a_board_once_however_often_and_late_it_is_finished() {
    let fixture = BoardFixture::new().await;
    let found = candidates(&fixture.entity, 40);
    let refills = futures::future::join_all((0..6).map(|_| fixture.refill(5, &found))).await;
    let created: Vec<usize> = refills
        .iter()
        .map(|r| r.created.len())
        .filter(|n| *n > 0)
        .collect();
    assert_eq!(created, [MAX_ACTIVE_ACTIONABLES]);
    let board = fixture.consistent().await;
    assert_eq!(board.actionables.len(), MAX_ACTIVE_ACTIONABLES);

    // An actionable that becomes free now is filled by the next check. An older check that ends late changes
    // nothing.
    fixture.dismiss(1).await.unwrap();
    let before = fixture.table.items().await;
    let other = [
        candidate(&fixture.entity, 99, 9_999),
        candidate(&fixture.entity, 2, 1),
    ];
    assert_eq!(fixture.refill(5, &found).await, BoardUpdate::default());
    assert_eq!(fixture.refill(4, &other).await, BoardUpdate::default());
    assert_eq!(fixture.table.items().await, before);
    let next = fixture.refill(6, &other).await;
    assert_eq!((next.created.len(), next.changed.len()), (1, 1));
    fixture.consistent().await;
}

#[tokio::test]
async fn a_check_with_the_findings_of_the_previous_one_leaves_every_actionable_unchanged() {
    let fixture = BoardFixture::filled(10).await;
    let before = fixture.board().await;
    fixture.table.advance(DAY);
    let again = fixture.refill(2, &candidates(&fixture.entity, 10)).await;
    assert_eq!(again, BoardUpdate::default());
    assert_eq!(fixture.consistent().await, before);
}

#[tokio::test]
async fn an_outcome_is_recorded_once_and_only_while_its_task_is_done() {
    let fixture = BoardFixture::filled(1).await;
    fixture.create_task(1).await.unwrap();
    let done = fixture
        .move_task(1, Some(TaskStatus::Done))
        .await
        .unwrap()
        .done_at;
    let found = CheckFindings {
        outcomes: vec![largest_outcome(&fixture.entity, 1, done.unwrap())],
        ..CheckFindings::default()
    };
    // The task is moved back after the outcome was computed and before it is written.
    fixture.move_task(1, Some(TaskStatus::InReview)).await.unwrap();
    assert_eq!(fixture.refill_with(2, &found).await, BoardUpdate::default());
    fixture.table.advance(DAY);
    let again = fixture
        .move_task(1, Some(TaskStatus::Done))
        .await
        .unwrap()
        .done_at;
    assert_eq!(fixture.refill_with(3, &found).await, BoardUpdate::default());

    let found = CheckFindings {
        outcomes: vec![largest_outcome(&fixture.entity, 1, again.unwrap())],
        ..CheckFindings::default()
    };
    let refills = futures::future::join_all((0..6).map(|_| fixture.refill_with(4, &found))).await;
    assert_eq!(
        refills.iter().map(|refill| refill.changed.len()).sum::<usize>(),
        1
    );
    let board = fixture.consistent().await;
    assert_eq!(
        board.actionables[0].outcome.as_ref(),
        Some(&found.outcomes[0].outcome)
    );
    // The cause of a done task can return beside the task.
    assert_eq!(
        fixture
            .refill(5, &candidates(&fixture.entity, 1))
            .await
            .created
            .len(),
        1
    );
    fixture.consistent().await;
}
