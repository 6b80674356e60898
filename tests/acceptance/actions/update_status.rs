//! `POST /entities/actions/update-status`

use domain::clock::Clock;
use domain::time::{DAY, SECOND};
use serde_json::{Value, json};

use super::BoardFixture;

const COLUMNS: [&str; 4] = ["not_started", "in_progress", "in_review", "done"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_status_a_task_goes_step_by_step_and_not_beyond_done() {
    let fixture = BoardFixture::new(1).await;
    fixture.create_task(1).await;
    for column in &COLUMNS[1..] {
        fixture.advance(1).await.ok();
        assert_eq!(fixture.tasks().await[0]["status"], *column);
    }
    let before = fixture.listed("").await;
    let error = fixture.advance(1).await.error(409);
    assert_eq!(error, "The task is done: without status it has no next step");
    // `null` counts as no status.
    let null = json!({"taskId": fixture.task(1), "status": null});
    assert_eq!(fixture.post("update-status", null).await.status, 409);
    assert_eq!(fixture.listed("").await, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_moves_from_every_column_to_every_column() {
    let fixture = BoardFixture::new(1).await;
    fixture.create_task(1).await;
    for from in COLUMNS {
        for to in COLUMNS {
            fixture.move_to(1, from).await.ok();
            fixture.move_to(1, to).await.ok();
            assert_eq!(fixture.tasks().await[0]["status"], to, "from {from}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_enters_a_column_goes_to_its_end_and_one_that_is_there_stays_where_it_is() {
    let fixture = BoardFixture::new(4).await;
    for actionable in 1..=4 {
        fixture.create_task(actionable).await;
    }
    let order = async || {
        fixture
            .columns()
            .await
            .into_iter()
            .map(|(n, _)| n)
            .collect::<String>()
    };
    assert_eq!(order().await, "1234");
    // A task that leaves its column and returns goes to the end.
    fixture.move_to(2, "in_review").await.ok();
    assert_eq!(order().await, "1342");
    fixture.move_to(2, "not_started").await.ok();
    assert_eq!(order().await, "1342");
    assert!(
        fixture
            .columns()
            .await
            .iter()
            .all(|(_, column)| column == "not_started")
    );
    fixture.move_to(4, "in_progress").await.ok();
    fixture.move_to(1, "in_progress").await.ok();
    assert_eq!(order().await, "3241");
    let before = fixture.listed("").await;
    fixture.move_to(4, "in_progress").await.ok();
    assert_eq!(fixture.listed("").await, before, "to the column that it is in");
    let orders: Vec<Value> = fixture
        .tasks()
        .await
        .iter()
        .map(|t| t["sortOrder"].clone())
        .collect();
    let distinct: std::collections::BTreeSet<u64> = orders.iter().map(|o| o.as_u64().unwrap()).collect();
    assert_eq!(distinct.len(), 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_done_task_and_its_actionable_are_gone_90_days_later_unless_it_left_the_column() {
    let fixture = BoardFixture::new(2).await;
    fixture.create_task(1).await;
    fixture.create_task(2).await;
    fixture.move_to(1, "done").await.ok();
    fixture.move_to(2, "done").await.ok();
    let clock = &fixture.world.host.clock;
    clock.advance_to(clock.now() + 60 * DAY);
    fixture.move_to(2, "in_review").await.ok();
    clock.advance_to(clock.now() + 30 * DAY + SECOND);
    assert_eq!(
        fixture.columns().await,
        [("2".to_owned(), "in_review".to_owned())]
    );
    let actionables = fixture.actionables("").await;
    assert_eq!(actionables.len(), 1);
    assert_eq!(actionables[0]["id"], fixture.actionable(2));
    assert_eq!(fixture.move_to(1, "in_review").await.error(404), "Task not found");
    assert_eq!(fixture.advance(1).await.error(404), "Task not found");

    // Once it is done again, its 90 days start over.
    fixture.advance(2).await.ok();
    clock.advance_to(clock.now() + 89 * DAY);
    assert_eq!(fixture.tasks().await.len(), 1);
    clock.advance_to(clock.now() + DAY + SECOND);
    assert_eq!(fixture.listed("").await, json!({"actionables": [], "tasks": []}));
}
