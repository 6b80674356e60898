//! The statistics of each prompt, computed from its answers in a period.

use serde_json::{Value, json};

use crate::analytics::{TrackedEntity, shipped_model};

async fn stats(tracked: &TrackedEntity, more: &str) -> Vec<Value> {
    let path = format!("/entities/prompts?entityId={}&{more}", tracked.entity);
    let listed = tracked.world.get(&tracked.account, &path).await.ok();
    let rows = listed["data"].as_array().unwrap();
    rows.iter().map(|row| row["stats"].clone()).collect()
}

fn none() -> Value {
    json!({"responses": 0, "mentions": 0, "visibilityScore": null, "interval": null, "averagePosition": null,
        "citations": 0})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prompts_stats_are_of_its_answered_responses() {
    // The last prompt mentions the brand in the answers of one model only.
    let tracked = TrackedEntity::new(3, &["yes?", "a no?", "refused?", "failed?", "gpt-6-sol?"]).await;
    assert_eq!(
        stats(&tracked, "").await,
        [none(), none(), none(), none(), none()]
    );
    tracked.run_check().await;
    let some = |responses: u64, mentions: u64, score: f64, interval: [f64; 2], position: Option<f64>| {
        json!({"responses": responses, "mentions": mentions, "visibilityScore": score, "interval": interval,
            "averagePosition": position, "citations": 0})
    };
    let expected = [
        some(3, 3, 100.0, [43.85, 100.0], Some(1.0)),
        some(3, 0, 0.0, [0.0, 56.15], None),
        none(),
        none(),
        some(3, 1, 33.33, [6.15, 79.23], Some(1.0)),
    ];
    assert_eq!(stats(&tracked, "").await, expected);
    let sol = tracked.world.models(&tracked.account).await[2].clone();
    let of_sol = stats(&tracked, &format!("models={sol}")).await;
    assert_eq!(of_sol[4], some(1, 1, 100.0, [20.65, 100.0], Some(1.0)));
    let of_other = stats(&tracked, &format!("models={}", shipped_model("gemini"))).await;
    assert_eq!(of_other[0], none());
    tracked.advance_days(7);
    assert_eq!(stats(&tracked, "period=7d").await[0], none());
    assert_eq!(stats(&tracked, "period=14d").await, expected);
}
