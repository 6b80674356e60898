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
async fn every_model_answers_every_prompt_and_the_score_has_two_decimals() {
    // Only one model's answers to the last prompt name the brand.
    let tracked = TrackedEntity::new(3, &["yes?", "a no?", "gpt-6-sol?"]).await;
    tracked.run_check().await;
    let points = tracked.points("").await;
    assert_eq!(points.len(), 1);
    assert_eq!(
        (&points[0]["mentions"], &points[0]["responses"]),
        (&json!(4), &json!(9))
    );
    assert_eq!(points[0]["score"], 44.44);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_but_mentions_is_a_hundred_and_none_is_nought() {
    for (prompt, score, interval) in [("yes?", 100.0, [20.65, 100.0]), ("a no?", 0.0, [0.0, 79.35])] {
        let tracked = TrackedEntity::new(1, &[prompt]).await;
        tracked.run_check().await;
        let points = tracked.points("").await;
        assert_eq!(
            (&points[0]["score"], &points[0]["interval"]),
            (&json!(score), &json!(interval))
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_and_failed_answers_are_in_no_denominator() {
    let tracked = TrackedEntity::new(1, &["yes?", "a no?", "refused?", "failed?"]).await;
    tracked.run_check().await;
    assert_eq!(tracked.counts("").await, [(1, 2)]);
    // Neither costs credits.
    let workspace = tracked.world.get(&tracked.account, "/workspace").await.ok();
    assert_eq!(
        workspace["data"]["usage"]["credits"],
        json!({"balance": 9_998, "totalUsed": 2})
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn checks_of_one_day_add_up() {
    let tracked = TrackedEntity::new(1, &["yes?", "a no?"]).await;
    tracked.run_check().await;
    assert_eq!(tracked.counts("").await, [(1, 2)]);
    tracked.add_prompt("yes, again?").await;
    tracked.run_check().await;
    assert_eq!(tracked.counts("").await, [(3, 5)]);
    tracked.run_check().await;
    let points = tracked.points("").await;
    assert_eq!(
        (&points[0]["mentions"], &points[0]["responses"]),
        (&json!(5), &json!(8))
    );
    assert_eq!(points[0]["score"], 62.5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_the_first_check_there_is_no_point() {
    let tracked = TrackedEntity::new(1, &["yes?"]).await;
    assert_eq!(tracked.counts("").await, []);
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
