//! The first check of a new entity produces its first point.

use acceptance::{FakeOpenAi, World, answer};
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_check_of_a_new_entity_gives_the_point_that_follows_from_its_answers() {
    let provider = FakeOpenAi::start(|body| {
        let text = if body["input"] == "Which tool?" {
            "**Acme** is good."
        } else {
            "I recommend Other."
        };
        answer(text, &["https://acme.com/a?utm_source=openai"], &["best tool"])
    })
    .await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    let entity = world
        .entity(
            &account,
            "Acme",
            "acme.com",
            &["Which tool?", "Which other?"],
            json!({}),
        )
        .await;
    let status = world.checked(&account, &entity).await;
    assert_eq!(status["scheduled"], true);

    let trend = world
        .get(&account, &format!("/trends/visibility?entityId={entity}"))
        .await
        .ok();
    let points = trend["data"].as_array().unwrap();
    assert_eq!(points.len(), 1);
    assert_eq!(points[0]["score"], 50.0);
    assert_eq!(points[0]["mentions"], 1);
    assert_eq!(points[0]["responses"], 2);
    assert!(provider.asked().values().all(|n| *n == 1));
    let workspace = world.get(&account, "/workspace").await.ok();
    assert_eq!(
        workspace["data"]["usage"]["credits"],
        json!({"balance": 9_998, "totalUsed": 2})
    );
}
