//! `DELETE /entities/prompts`.

use acceptance::World;
use serde_json::json;

use super::{add, delete, ids, used};
use crate::contract::Fixture;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_prompt_is_not_listed_and_frees_its_slot_once() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (account, entity) = (&fixture.account, &fixture.entity);
    let body = json!({"entityId": entity, "prompt": "Which second?"});
    let second = add(&world, account, body.clone()).await.ok()["promptId"].clone();
    let second = second.as_str().unwrap();
    assert_eq!(used(&world, account).await, 3);

    let answer = delete(&world, account, &fixture.prompt).await.ok();
    assert_eq!(answer["data"]["promptId"], fixture.prompt);
    assert_eq!(used(&world, account).await, 2);
    assert_eq!(ids(&world, account, entity, "").await, [second]);
    let named = format!("promptIds={}", fixture.prompt);
    assert_eq!(ids(&world, account, entity, &named).await, [""; 0]);

    let again = delete(&world, account, &fixture.prompt).await;
    assert_eq!(again.error(404), "Prompt not found");
    assert_eq!(used(&world, account).await, 2);
    // Its id is never assigned again.
    let third = add(&world, account, body).await.ok()["promptId"].clone();
    assert_ne!(third, fixture.prompt);
    assert_eq!(used(&world, account).await, 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_concurrent_deletions_succeeds() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let all = (0..8).map(|_| delete(&world, &fixture.account, &fixture.prompt));
    let answers = futures::future::join_all(all).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 404, 404, 404, 404, 404, 404, 404]);
    assert_eq!(used(&world, &fixture.account).await, 1);
}
