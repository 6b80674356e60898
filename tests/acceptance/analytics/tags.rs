//! The tag filter: it selects all answers of the prompts that have a tag now.

use serde_json::json;

use super::TrackedEntity;
use crate::tags;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tags_choose_prompts_for_all_history_at_once() {
    let tracked = TrackedEntity::new(1, &["yes?", "a no?", "yes again?"]).await;
    let (world, account) = (&tracked.world, &tracked.account);
    tracked.run_check().await;
    tracked.advance_days(1);
    tracked.run_check().await;
    let prompts = tracked.prompt_ids().await;
    let (a, b) = (
        &tags::create(world, account, "A").await,
        &tags::create(world, account, "B").await,
    );
    let tag = async |prompt: &str, tags: &[&String]| {
        let body = json!({"promptId": prompt, "tags": tags});
        let path = "/entities/updateprompt";
        let patch = reqwest::Method::PATCH;
        world.send(Some(account), patch, path, Some(&body)).await.ok();
    };
    let (on_a, on_b, on_both) = (
        format!("tags={a}"),
        format!("tags={b}"),
        format!("tags={b},{a},unheard-of"),
    );
    assert_eq!(tracked.counts(&on_a).await, []);

    tag(&prompts[0], &[a]).await;
    tag(&prompts[1], &[b]).await;
    assert_eq!(tracked.counts(&on_a).await, [(1, 1), (1, 1)]);
    assert_eq!(tracked.counts(&on_b).await, [(0, 1), (0, 1)]);
    assert_eq!(tracked.counts(&on_both).await, [(1, 2), (1, 2)]);
    let and = format!("{on_both}&promptIds={},{}", prompts[1], prompts[2]);
    assert_eq!(tracked.counts(&and).await, [(0, 1), (0, 1)]);

    // Once another prompt has the tag, its earlier answers count too.
    tag(&prompts[0], &[]).await;
    tag(&prompts[2], &[a, b]).await;
    tag(&prompts[1], &[a]).await;
    assert_eq!(tracked.counts(&on_a).await, [(1, 2), (1, 2)]);
    assert_eq!(tracked.counts(&on_b).await, [(1, 1), (1, 1)]);

    // A deleted tag selects nothing.
    tags::delete(world, account, b).await.ok();
    assert_eq!(tracked.counts(&on_b).await, []);
    assert_eq!(tracked.counts(&on_both).await, [(1, 2), (1, 2)]);
}
