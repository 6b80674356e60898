//! Prompts that a provider generates.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use acceptance::{
    Account, ApiResponse, FakeOpenAi, FakeSecretsManager, FaultInjector, ProviderReply, SecretReply, World,
    answer,
};
use domain::workspace::Limits;
use serde_json::{Value, json};
use store::connect;

use super::{listed, usage};

/// Returns whether the request asks for prompts, which it does with structured output.
fn is_brief(body: &Value) -> bool {
    body["text"]["format"]["type"] == "json_schema"
}

fn written(prompts: &[String]) -> Value {
    answer(&json!({"prompts": prompts}).to_string(), &[], &[])
}

/// Starts a provider that generates the prompts that `write` returns, and keeps the briefs.
async fn writing<R: Into<ProviderReply>>(
    write: impl Fn() -> R + Send + Sync + 'static,
) -> (FakeOpenAi, Arc<Mutex<Vec<Value>>>) {
    let briefs = Arc::new(Mutex::new(Vec::new()));
    let kept = briefs.clone();
    let provider = FakeOpenAi::start(move |body| {
        if is_brief(body) {
            kept.lock().unwrap().push(body.clone());
            write().into()
        } else {
            ProviderReply::from(answer("Acme.", &[], &[]))
        }
    })
    .await;
    (provider, briefs)
}

fn questions(n: usize) -> Vec<String> {
    (1..=n).map(|n| format!("Which tool is number {n}?")).collect()
}

async fn generate(world: &World, account: &Account, more: Value) -> ApiResponse {
    let model = world.model(account).await;
    let mut body = json!({"name": "Acme", "domain": "acme.com", "models": [model], "startTracking": false});
    for (field, value) in more.as_object().unwrap() {
        body[field] = value.clone();
    }
    world.post(account, "/entities", &body).await
}

fn limits(entities: u32, prompts: u32, creates_per_hour: u32) -> Limits {
    Limits {
        entities,
        prompts,
        creates_per_hour,
        reads_per_minute: 100_000,
        writes_per_minute: 100_000,
        ..Limits::default()
    }
}

fn texts(created: &Value) -> Vec<String> {
    let prompts = created["prompts"].as_array().unwrap();
    prompts
        .iter()
        .map(|p| p["prompt"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_prompts_are_generated_in_the_language_and_for_the_location_of_the_entity() {
    let (provider, briefs) = writing(|| written(&questions(30))).await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    let more = json!({"language": "pt_br", "geolocation": "br", "description": "Shelves for boats"});
    let created = generate(&world, &account, more).await.ok();
    assert_eq!(created["promptsGenerated"], 10);
    assert_eq!(texts(&created), questions(10));
    for prompt in created["prompts"].as_array().unwrap() {
        assert_eq!([&prompt["language"], &prompt["geolocation"]], ["pt-BR", "br"]);
    }
    let briefs = briefs.lock().unwrap().clone();
    assert_eq!(briefs.len(), 1);
    let board_contents = briefs[0].to_string();
    for part in [
        "Acme",
        "acme.com",
        "Shelves for boats",
        "Portuguese",
        "pt-BR",
        "BR",
    ] {
        assert!(board_contents.contains(part), "{part} is not in {board_contents}");
    }
    assert_eq!(briefs[0]["text"]["format"]["strict"], true);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prompt_that_names_the_brand_or_cannot_be_stored_is_dropped() {
    let (provider, _) = writing(|| {
        written(&[
            "Is ACME any good?".to_owned(),
            "What do people say about acme's prices?".to_owned(),
            "Why is there no information about Acme?".to_owned(),
            " Which tool? ".to_owned(),
            "Which tool?".to_owned(),
            String::new(),
            "x".repeat(1_001),
            "Which\u{0}tool?".to_owned(),
            "Which acmeist poets are good?".to_owned(),
        ])
    })
    .await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    let created = generate(&world, &account, json!({})).await.ok();
    assert_eq!(texts(&created), ["Which tool?", "Which acmeist poets are good?"]);
    assert_eq!(created["promptsGenerated"], 2);
    assert_eq!(usage(&world, &account).await["prompts"]["used"], 2);
}

/// Asserts that the response is 503 with a retry delay, and that nothing was created or counted.
async fn assert_nothing_came_of(world: &World, account: &Account, answer: ApiResponse) {
    let wait = answer.body["retryAfter"].as_u64().unwrap();
    assert!(wait > 0);
    assert_eq!(answer.header("retry-after"), Some(wait.to_string().as_str()));
    let error = answer.error(503);
    assert!(error.contains("rompts"), "{error}");
    assert_eq!(listed(world, account).await, [""; 0]);
    let usage = usage(world, account).await;
    assert_eq!(
        (&usage["entities"]["used"], &usage["prompts"]["used"]),
        (&json!(0), &json!(0))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_fails_is_503_and_the_creation_can_be_tried_again() {
    let failing = Arc::new(AtomicBool::new(true));
    let fails = failing.clone();
    let (provider, _) = writing(move || match fails.load(Ordering::Relaxed) {
        true => ProviderReply::error(500, "server_error"),
        false => written(&questions(10)).into(),
    })
    .await;
    let world = World::asking(&provider).await;
    // The workspace may create one entity per hour, and a failed creation must not count.
    let account = world.account_with(limits(1, 10, 1), 10_000).await;
    for _ in 0..2 {
        let failed = generate(&world, &account, json!({})).await;
        assert_nothing_came_of(&world, &account, failed).await;
    }
    failing.store(false, Ordering::Relaxed);
    assert_eq!(
        generate(&world, &account, json!({})).await.ok()["promptsGenerated"],
        10
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_without_a_usable_prompt_is_503() {
    let answers: [fn() -> ProviderReply; 7] = [
        || answer("I would rather not.", &[], &[]).into(),
        || answer("{\"prompts\": ", &[], &[]).into(),
        || written(&[]).into(),
        || written(&["Is Acme good?".to_owned(), "Acme or not?".to_owned()]).into(),
        || json!({"output": 7}).into(),
        || json!({"status": "failed", "error": {"code": "server_error"}}).into(),
        || ProviderReply::error(400, "invalid_prompt"),
    ];
    for write in answers {
        let (provider, _) = writing(write).await;
        let world = World::asking(&provider).await;
        let account = world.account().await;
        let failed = generate(&world, &account, json!({})).await;
        // The response does not contain the provider's text.
        let shown = failed.body.to_string();
        assert!(!shown.contains("quota") && !shown.contains("api_key"), "{shown}");
        assert_nothing_came_of(&world, &account, failed).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_refuses_the_key_or_the_account_is_named_and_no_retry_is_suggested() {
    let refused = "the provider refuses the service's API key";
    let blocked = "the request was blocked on its way to the provider";
    for (status, code, reason) in [
        (401, "invalid_api_key", refused),
        (401, "unheard_of", blocked),
        (403, "unheard_of", blocked),
        (
            429,
            "insufficient_quota",
            "the service's account at the provider has no quota left",
        ),
    ] {
        let (provider, _) = writing(move || ProviderReply::error(status, code)).await;
        let world = World::asking(&provider).await;
        let account = world.account().await;
        let failed = generate(&world, &account, json!({})).await;
        assert_eq!(failed.header("retry-after"), None);
        assert!(failed.body.get("retryAfter").is_none(), "{}", failed.body);
        let shown = failed.body.to_string();
        assert!(
            !shown.contains("invalid_api_key") && !shown.contains("insufficient_quota"),
            "{shown}"
        );
        let error = failed.error(502);
        let expected = format!("Prompts could not be generated: {reason}, which the operator must ");
        assert!(error.starts_with(&expected), "{error}");
        assert!(
            error.ends_with("give prompts, or set generatePrompts to false"),
            "{error}"
        );
        assert_eq!(listed(&world, &account).await, [""; 0]);
        let own = json!({"prompts": ["Which?"]});
        assert_eq!(generate(&world, &account, own).await.ok()["promptsGenerated"], 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prompts_are_generated_with_the_key_in_the_secret_and_a_secret_that_cannot_be_read_has_two_causes() {
    let (provider, _) = writing(|| written(&questions(10))).await;
    provider.accept_only("key-1");
    let secret = FakeSecretsManager::start(SecretReply::Error(400, "ThrottlingException")).await;
    let mut world = World::asking(&provider).await;
    let mut dependencies = world.host.dependencies.clone();
    let aws = FaultInjector::default().inject_into(&connect::to_endpoint(&secret.endpoint));
    let clock = world.host.clock.clone();
    dependencies.providers = Arc::new(providers::from_environment(&aws, clock, secret.lookup()));
    let routes = local::functions::routes(&dependencies);
    world
        .serve(routes, local::functions::fallback(&dependencies))
        .await;
    let account = world.account().await;

    let throttled = generate(&world, &account, json!({})).await;
    assert_nothing_came_of(&world, &account, throttled).await;
    for reply in [
        SecretReply::Error(400, "AccessDeniedException"),
        SecretReply::Text("hidden".to_owned()),
    ] {
        secret.set(reply);
        let refused = generate(&world, &account, json!({})).await;
        assert!(!refused.body.to_string().contains("hidden"), "{}", refused.body);
        let error = refused.error(502);
        assert!(
            error.contains("the provider refuses the service's API key"),
            "{error}"
        );
    }
    let text = json!({"OPENAI_API_KEY": "key-1", "OPENAI_BASE_URL": provider.base_url});
    secret.set(SecretReply::Text(text.to_string()));
    assert_eq!(
        generate(&world, &account, json!({})).await.ok()["promptsGenerated"],
        10
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_hangs_is_503_before_the_gateway_gives_up() {
    let (provider, _) =
        writing(|| ProviderReply::from(written(&questions(10))).after(Duration::from_secs(90))).await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    let failed = generate(&world, &account, json!({})).await;
    assert_nothing_came_of(&world, &account, failed).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fewer_free_slots_mean_fewer_generated_prompts_and_no_free_slot_is_403() {
    let (provider, briefs) = writing(|| written(&questions(30))).await;
    let world = World::asking(&provider).await;
    let account = world.account_with(limits(5, 13, 100), 10_000).await;
    let made = |domain: &str| json!({"domain": domain});
    for (domain, count) in [("a.example", 10), ("b.example", 3)] {
        let created = generate(&world, &account, made(domain)).await.ok();
        assert_eq!(created["promptsGenerated"], count);
    }
    let before = usage(&world, &account).await;
    assert_eq!(before["prompts"], json!({"used": 13, "limit": 13}));
    let error = generate(&world, &account, made("c.example")).await.error(403);
    assert!(error.contains("prompts"), "{error}");
    assert_eq!(usage(&world, &account).await, before);
    assert_eq!(briefs.lock().unwrap().len(), 2, "the provider was asked in vain");
    // Without prompts the creation is within the limit.
    let none = json!({"domain": "c.example", "generatePrompts": false});
    generate(&world, &account, none).await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_creation_costs_nothing() {
    let (provider, briefs) = writing(|| written(&questions(10))).await;
    let world = World::asking(&provider).await;
    let account = world.account_with(limits(2, 100, 3), 10_000).await;
    generate(&world, &account, json!({})).await.ok();
    assert_eq!(generate(&world, &account, json!({})).await.status, 409);
    generate(&world, &account, json!({"domain": "b.example"}))
        .await
        .ok();
    assert_eq!(
        generate(&world, &account, json!({"domain": "c.example"}))
            .await
            .status,
        403
    );
    assert_eq!(
        generate(&world, &account, json!({"domain": "localhost"}))
            .await
            .status,
        400
    );
    assert_eq!(briefs.lock().unwrap().len(), 2);
}
