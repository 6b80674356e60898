//! The effect of prompt updates on the next checks.

use acceptance::{Account, FakeOpenAi, World, answer};
use domain::clock::Clock;
use serde_json::{Value, json};

use super::{delete, list, update, used};

/// Starts a service whose provider recommends Acme, with an entity that is checked only on request.
async fn quiet(prompts: &[&str]) -> (FakeOpenAi, World, Account, String) {
    let provider = FakeOpenAi::start(|_| answer("I recommend Acme.", &[], &[])).await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    let more = json!({"startTracking": false});
    let entity = world.entity(&account, "Acme", "acme.com", prompts, more).await;
    (provider, world, account, entity)
}

async fn check(world: &World, account: &Account, entity: &str) {
    let body = json!({"entityId": entity});
    world.post(account, "/entities/run-check", &body).await.ok();
    world.checked(account, entity).await;
}

/// Returns how often the provider was asked each text.
fn asked(provider: &FakeOpenAi, texts: &[&str]) -> Vec<u32> {
    let asked = provider.asked();
    let times = |text: &&str| {
        asked
            .iter()
            .filter(|((_, input), _)| input == text)
            .map(|(_, n)| n)
            .sum()
    };
    texts.iter().map(times).collect()
}

/// Returns the number of responses that the trend counts with these additional parameters.
async fn responses(world: &World, account: &Account, entity: &str, more: &str) -> u64 {
    let path = format!("/trends/visibility?entityId={entity}&{more}");
    let trend = world.get(account, &path).await.ok();
    let points = trend["data"].as_array().unwrap();
    points
        .iter()
        .map(|point| point["responses"].as_u64().unwrap())
        .sum()
}

async fn set_active(world: &World, account: &Account, prompts: &[&Value], is_active: bool) {
    let entry = |id: &&Value| json!({"promptId": id, "isActive": is_active});
    let updates: Vec<Value> = prompts.iter().map(entry).collect();
    update(world, account, json!({"updates": updates})).await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_paused_prompt_is_not_asked_but_counts_and_keeps_its_answers() {
    let (provider, world, account, entity) = quiet(&["Which a?", "Which b?"]).await;
    let prompt = list(&world, &account, &entity).await.remove(0)["id"].clone();
    let named = format!("promptIds={}", prompt.as_str().unwrap());
    let texts = ["Which a?", "Which b?"];
    check(&world, &account, &entity).await;
    assert_eq!(asked(&provider, &texts), [1, 1]);

    set_active(&world, &account, &[&prompt], false).await;
    check(&world, &account, &entity).await;
    assert_eq!(asked(&provider, &texts), [1, 2]);
    assert_eq!(used(&world, &account).await, 2);
    assert_eq!(responses(&world, &account, &entity, &named).await, 1);
    assert_eq!(responses(&world, &account, &entity, "").await, 3);

    set_active(&world, &account, &[&prompt], true).await;
    check(&world, &account, &entity).await;
    assert_eq!(asked(&provider, &texts), [2, 3]);
    assert_eq!(responses(&world, &account, &entity, &named).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edited_prompt_is_asked_anew_and_keeps_its_answers() {
    let (provider, world, account, entity) = quiet(&["Which a?"]).await;
    let prompt = list(&world, &account, &entity).await.remove(0)["id"].clone();
    check(&world, &account, &entity).await;
    let body = json!({"promptId": prompt, "prompt": "Welche a?", "language": "de"});
    update(&world, &account, body).await.ok();
    check(&world, &account, &entity).await;
    assert_eq!(asked(&provider, &["Which a?", "Welche a?"]), [1, 1]);
    let named = format!("promptIds={}", prompt.as_str().unwrap());
    assert_eq!(responses(&world, &account, &entity, &named).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_prompts_answers_stay_in_every_figure() {
    let (provider, world, account, entity) = quiet(&["Which a?", "Which b?"]).await;
    let prompt = list(&world, &account, &entity).await.remove(0)["id"].clone();
    let prompt = prompt.as_str().unwrap();
    let tag = crate::tags::create(&world, &account, "Launch").await;
    update(&world, &account, json!({"promptId": prompt, "tags": [tag]}))
        .await
        .ok();
    check(&world, &account, &entity).await;
    delete(&world, &account, prompt).await.ok();
    check(&world, &account, &entity).await;
    assert_eq!(asked(&provider, &["Which a?", "Which b?"]), [1, 2]);
    for (parameters, count) in [
        (String::new(), 3),
        (format!("promptIds={prompt}"), 1),
        (format!("tags={tag}"), 1),
    ] {
        assert_eq!(
            responses(&world, &account, &entity, &parameters).await,
            count,
            "{parameters}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_prompt_that_is_asked_again_makes_the_entity_due() {
    let provider = FakeOpenAi::start(|_| answer("I recommend Acme.", &[], &[])).await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    let entity = world
        .entity(&account, "Acme", "acme.com", &["a?", "b?"], json!({}))
        .await;
    let first = world.checked(&account, &entity).await;
    let next = &first["nextCheckScheduledAt"];
    let is_due = async || {
        let path = format!("/entities/tracking-status?entityId={entity}");
        let now = world.host.clock.now().iso();
        let status = world.get(&account, &path).await.ok()["data"].clone();
        let due = status["nextCheckScheduledAt"]
            .as_str()
            .map(|at| at <= now.as_str());
        // A tick may already have claimed the check.
        (due == Some(true) || status["isProcessing"] == true, status)
    };
    let rows = list(&world, &account, &entity).await;
    let (a, b) = (&rows[0]["id"], &rows[1]["id"]);

    // The schedule stays unchanged while another prompt is active.
    set_active(&world, &account, &[a], false).await;
    set_active(&world, &account, &[a], true).await;
    let (due, status) = is_due().await;
    assert_eq!((due, &status["nextCheckScheduledAt"]), (false, next));

    set_active(&world, &account, &[a, b], false).await;
    let (due, status) = is_due().await;
    assert!(!due && status["nextCheckScheduledAt"].is_null() && status["scheduled"] == false);

    set_active(&world, &account, &[b], true).await;
    assert!(is_due().await.0);
}
