//! A check fills a board.

use acceptance::{cause, causes};
use domain::limits::ACTIVE_ACTIONABLES;
use domain::recommend::Refill;
use domain::time::DAY;

use super::Boarded;

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
