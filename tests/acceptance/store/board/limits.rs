//! A board has at most 500 live tasks.

use acceptance::{AwsCall, candidate};
use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};
use domain::board::{Actionable, TaskStatus};
use domain::limits::MAX_TASKS;
use domain::time::{DAY, SECOND};
use store::CreateTaskError;

use super::BoardFixture;

impl BoardFixture {
    /// Copies the only task of the board to the tasks 2 to `last`.
    async fn copy_task(&self, last: usize) {
        let items = self.table.items().await;
        let of = |name: &str| items.iter().find(|((_, sk), _)| sk == name).unwrap().1.clone();
        let number = |n: usize| AttributeValue::N(n.to_string());
        let mut copies: Vec<_> = (2..=last)
            .map(|n| {
                let mut task = of("BOARD#T#0000001");
                task.insert("SK".to_owned(), AttributeValue::S(format!("BOARD#T#{n:07}")));
                task.insert("ordinal".to_owned(), number(n));
                task.insert("sortOrder".to_owned(), number(n));
                task
            })
            .collect();
        let mut board = of("BOARD");
        board.insert("taskSeq".to_owned(), number(last));
        board.insert("sortSeq".to_owned(), number(last));
        copies.push(board);
        let db = aws_sdk_dynamodb::Client::new(&self.table.database.client_config());
        for some in copies.chunks(25) {
            let puts = some.iter().map(|item| {
                let item = item.clone().into_iter().collect();
                let put = PutRequest::builder().set_item(Some(item)).build().unwrap();
                WriteRequest::builder().put_request(put).build()
            });
            let batch = db.batch_write_item().request_items("visibility", puts.collect());
            batch.send().await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_board_has_at_most_500_live_tasks_however_many_are_created_at_once() {
    let fixture = BoardFixture::filled(1).await;
    fixture.create_task(1).await.unwrap();
    fixture.copy_task(MAX_TASKS - 2).await;
    let found: Vec<_> = (1..=30).map(|n| candidate(&fixture.entity, 30 + n, 1)).collect();
    fixture.refill(2, &found).await;
    let active = fixture
        .board()
        .await
        .actionables
        .into_iter()
        .filter(Actionable::is_active);
    let active: Vec<u32> = active.map(|a| a.ordinal.get()).collect();

    let created = futures::future::join_all(active[..6].iter().map(|a| fixture.create_task(*a))).await;
    assert_eq!(created.iter().filter(|c| c.is_ok()).count(), 2);
    let limit = CreateTaskError::TaskLimit;
    assert!(
        created
            .iter()
            .filter_map(|c| c.as_ref().err())
            .all(|r| *r == limit)
    );
    assert_eq!(fixture.board().await.tasks.len(), MAX_TASKS);

    // Expired tasks make room, because only live tasks count.
    fixture.move_task(1, Some(TaskStatus::Done)).await.unwrap();
    assert_eq!(fixture.create_task(active[20]).await.unwrap_err(), limit);
    fixture.table.advance(90 * DAY + SECOND);
    fixture.create_task(active[20]).await.unwrap();
    assert_eq!(fixture.create_task(active[21]).await.unwrap_err(), limit);
    assert_eq!(fixture.board().await.tasks.len(), MAX_TASKS);
}

#[tokio::test]
async fn tasks_are_counted_only_when_the_limit_may_be_exceeded() {
    let fixture = BoardFixture::filled(3).await;
    let queries = async |actionable| {
        fixture.table.faults.take();
        fixture.create_task(actionable).await.unwrap();
        let calls = fixture.table.faults.take();
        let is_of_tasks = |call: &&AwsCall| call.request.to_string().contains("\"BOARD#T#\"");
        let queries = calls.iter().filter(|call| call.operation == "Query");
        queries.filter(is_of_tasks).count()
    };
    assert_eq!(queries(1).await, 0);
    fixture.copy_task(MAX_TASKS - 1).await;
    assert_eq!(queries(2).await, 0);
    let first = fixture.board().await.tasks.remove(0).ordinal;
    fixture
        .move_task(first.into(), Some(TaskStatus::Done))
        .await
        .unwrap();
    fixture.table.advance(90 * DAY + SECOND);
    assert_eq!(queries(3).await, 1);
}
