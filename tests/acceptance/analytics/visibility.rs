//! `GET /trends/visibility`: the counts of its points.

use serde_json::json;

use super::TrackedEntity;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_point_is_the_share_of_answers_that_mention_the_brand() {
    let tracked = TrackedEntity::new(1, &["yes?", "a no?"]).await;
    tracked.run_check().await;
    let day = tracked.today().to_string();
    let points = tracked.points("").await;
    assert_eq!(
        points,
        [json!({"date": day, "score": 50.0, "mentions": 1, "responses": 2, "interval": [9.45, 90.55]})]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_workspace_measures_another_does_not_see() {
    let tracked = TrackedEntity::new(1, &["yes?"]).await;
    tracked.run_check().await;
    let other = tracked.world.account().await;
    let path = format!("/trends/visibility?entityId={}", tracked.entity);
    assert_eq!(
        tracked.world.get(&other, &path).await.error(404),
        "Entity not found"
    );
    let quiet = json!({"startTracking": false});
    let theirs = tracked
        .world
        .entity(&other, "Acme", "acme.com", &["yes?"], quiet)
        .await;
    let path = format!("/trends/visibility?entityId={theirs}");
    assert_eq!(tracked.world.get(&other, &path).await.ok()["data"], json!([]));
}
