//! `POST /entities/actions/dismiss`

use acceptance::candidates;
use domain::clock::Clock;
use domain::id::EntityId;
use domain::time::{DAY, SECOND};

use super::{BoardFixture, numbers};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dismissed_actionable_leaves_the_feed_and_stays_dismissed() {
    let fixture = BoardFixture::new(2).await;
    fixture.dismiss(1).await.ok();
    assert_eq!(numbers(&fixture.actionables("status=active").await), [2]);
    let dismissed = fixture.actionables("status=dismissed").await;
    assert_eq!(numbers(&dismissed), [1]);

    // Dismissing again succeeds and changes nothing.
    fixture.dismiss(1).await.ok();
    assert_eq!(fixture.actionables("status=dismissed").await, dismissed);
    assert_eq!(fixture.dismiss(3).await.error(404), "Actionable not found");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_a_task_cannot_be_dismissed_not_even_when_it_is_done() {
    let fixture = BoardFixture::new(1).await;
    fixture.create_task(1).await;
    for _ in 0..2 {
        let error = fixture.dismiss(1).await.error(409);
        assert_eq!(
            error,
            "The actionable is a task on the board: it cannot be dismissed"
        );
        fixture.move_to(1, "done").await.ok();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_freed_slot_is_filled_by_the_next_check_and_the_dismissed_cause_stays_away_for_90_days() {
    let fixture = BoardFixture::new(30).await;
    let id: EntityId = fixture.entity.parse().unwrap();
    let found = candidates(&id, 32);
    fixture.dismiss(1).await.ok();
    assert_eq!(fixture.actionables("status=active").await.len(), 29);
    fixture.refill(2, &found).await;
    let active = fixture.actionables("status=active").await;
    assert_eq!(active.len(), 30);
    let has = |title: &str| active.iter().any(|row| row["title"] == title);
    assert!(!has("Title 1") && has("Title 31") && !has("Title 32"));

    let clock = &fixture.world.host.clock;
    clock.advance_to(clock.now() + 90 * DAY + SECOND);
    assert_eq!(fixture.actionables("status=dismissed").await.len(), 0);
    assert_eq!(fixture.dismiss(1).await.error(404), "Actionable not found");
    fixture.dismiss(2).await.ok();
    fixture.refill(3, &found).await;
    let active = fixture.actionables("status=active").await;
    assert!(active.iter().any(|row| row["title"] == "Title 1"));
    assert_eq!(active.len(), 30);
}
