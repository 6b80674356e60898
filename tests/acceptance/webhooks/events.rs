//! The events of checks.

use acceptance::{Account, FakeOpenAi, ProviderReply, World, answer};
use domain::answer::ResponseState;
use domain::cell::Cell;
use domain::check::{Plan, Response};
use serde_json::{Value, json};

use super::create;
use super::receiver::Receiver;
use crate::analytics::TrackedEntity;
use crate::analytics::recorded_checks::record_check;

/// Runs a check and waits for its end.
async fn run_check(world: &World, account: &Account, entity: &str) {
    world
        .post(account, "/entities/run-check", &json!({"entityId": entity}))
        .await
        .ok();
    world.host.queues.wait_until_idle().await;
}

/// Returns the figures that the query of an event gives.
async fn queried(world: &World, account: &Account, query: &Value) -> Value {
    let mut url = reqwest::Url::parse("http://localhost").unwrap();
    let parameters = query["parameters"].as_object().unwrap();
    for (name, value) in parameters {
        url.query_pairs_mut().append_pair(name, value.as_str().unwrap());
    }
    let path = format!("{}?{}", query["path"].as_str().unwrap(), url.query().unwrap());
    world.get(account, &path).await.ok()
}

#[tokio::test]
async fn a_complete_check_is_told_once_with_the_figures_that_its_query_gives() {
    let provider = FakeOpenAi::start(|body| {
        let text = if body["input"].as_str().unwrap_or_default().contains("first") {
            "Acme is good."
        } else {
            "Others are good."
        };
        ProviderReply::from(answer(text, &[], &[]))
    })
    .await;
    let (world, receiver) = (World::asking(&provider).await, Receiver::start().await);
    let account = world.account().await;
    let body =
        json!({"url": receiver.url, "events": ["check.completed", "recommendation.created", "credits.low"]});
    let (webhook, _) = create(&world, &account, body).await;
    let entity = world
        .entity(
            &account,
            "Acme",
            "acme.com",
            &["The first?", "The second?"],
            json!({}),
        )
        .await;
    world.host.queues.wait_until_idle().await;
    let received = receiver.received();
    let received = received
        .iter()
        .find(|message| message.body()["type"] == "check.completed");
    let received = received.unwrap();
    let body = received.body();
    let data = &body["data"];
    assert_eq!(
        (&data["entityId"], &data["name"], &data["check"]),
        (&json!(entity), &json!("Acme"), &json!(1))
    );
    assert_eq!(data["visibility"]["counts"]["responses"], 2);
    assert_eq!(data["visibility"]["counts"]["mentions"], 1);
    assert_eq!(data["problems"], json!([]));
    let trend = queried(&world, &account, &data["visibility"]["query"]).await;
    let day = &trend["data"][0];
    assert_eq!(day["score"], data["visibility"]["score"]);
    assert_eq!(day["responses"], data["visibility"]["counts"]["responses"]);
    assert!(
        !received.text.contains("is good"),
        "an answer's text is never told"
    );

    // The event of the next check has another id, and nothing is told twice.
    run_check(&world, &account, &entity).await;
    let ids: Vec<String> = receiver
        .received()
        .iter()
        .map(|message| message.header("webhook-id").to_owned())
        .collect();
    let checks: Vec<&String> = ids.iter().filter(|id| id.starts_with("check_")).collect();
    assert_eq!(
        checks,
        [&format!("check_{entity}_1"), &format!("check_{entity}_2")]
    );
    let path = format!("/webhooks/deliveries?webhookId={webhook}");
    let listed = world.get(&account, &path).await.ok();
    assert_eq!(listed["pagination"]["total"], ids.len());
}

#[tokio::test]
async fn a_low_balance_is_told_once_until_it_recovers() {
    let provider = FakeOpenAi::start(|_| ProviderReply::from(answer("Acme.", &[], &[]))).await;
    let (world, receiver) = (World::asking(&provider).await, Receiver::start().await);
    let account = world.account().await;
    let set_credits = async |credits| {
        let change = store::WorkspaceUpdate {
            credits: Some(credits),
            ..store::WorkspaceUpdate::default()
        };
        assert!(
            world
                .host
                .store
                .update_workspace(&account.tenant, change)
                .await
                .unwrap()
        );
    };
    let body = json!({"url": receiver.url, "events": ["credits.low"]});
    create(&world, &account, body).await;
    set_credits(20).await;
    let entity = world
        .entity(&account, "Acme", "acme.com", &["Which?"], json!({}))
        .await;
    world.host.queues.wait_until_idle().await;
    let credits = world.get(&account, "/workspace").await.ok()["data"]["usage"]["credits"].clone();
    let cost = 20 - credits["balance"].as_i64().unwrap();
    assert!(
        cost > 0 && credits["balance"].as_i64().unwrap() >= 7 * cost,
        "{credits}"
    );
    set_credits(7 * cost).await;
    for _ in 0..2 {
        run_check(&world, &account, &entity).await;
    }
    let received = receiver.received();
    assert_eq!(received.len(), 1);
    let data = &received[0].body()["data"];
    assert_eq!(
        data,
        &json!({"balance": 6 * cost, "creditsPerDay": cost, "daysLeft": 6})
    );
    set_credits(1_000).await;
    run_check(&world, &account, &entity).await;
    set_credits(cost).await;
    run_check(&world, &account, &entity).await;
    assert_eq!(receiver.received().len(), 2);
}

#[tokio::test]
async fn a_provider_that_rejects_the_key_itself_or_behind_a_gateway_is_told_once_per_workspace() {
    for reply in [
        ProviderReply::error(401, "invalid_api_key"),
        ProviderReply::page(401, "<title>401 Authorization Required</title>"),
    ] {
        let provider = FakeOpenAi::start(move |_| reply.clone()).await;
        let (world, receiver) = (World::asking(&provider).await, Receiver::start().await);
        let account = world.account().await;
        let body = json!({"url": receiver.url, "events": ["provider.paused"]});
        create(&world, &account, body).await;
        for name in ["one", "two"] {
            world
                .entity(&account, name, &format!("{name}.com"), &["Which?"], json!({}))
                .await;
        }
        world.host.queues.wait_until_idle().await;
        let received = receiver.wait_for(1).await;
        world.host.queues.wait_until_idle().await;
        assert_eq!((received.len(), receiver.received().len()), (1, 1));
        assert_eq!(received[0].body()["data"]["provider"], "openai");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_drop_of_the_visibility_is_told_once_with_the_comparison_that_its_query_gives() {
    let provider = FakeOpenAi::start(|_| ProviderReply::from(answer("Acme.", &[], &[]))).await;
    let receiver = Receiver::start().await;
    let prompts = ["1?", "2?", "3?", "4?", "5?", "6?", "7?", "8?"];
    let tracked = TrackedEntity::in_world(World::asking(&provider).await, 2, &prompts).await;
    let (world, account, entity) = (&tracked.world, &tracked.account, &tracked.entity);
    let body = json!({"url": receiver.url, "events": ["visibility.changed"], "entityIds": [entity]});
    create(world, account, body).await;
    let told_on = async |day: u32, of_ten: u32| {
        let response = |plan: &Plan, cell: Cell, at| {
            let number = 7 * day + 3 * cell.prompt.get() + 5 * cell.model.get();
            let own = plan.brands.iter().find(|brand| brand.name == "Acme").unwrap();
            Response {
                state: ResponseState::Answered,
                brands: (number % 10 < of_ten)
                    .then_some(own.ordinal)
                    .into_iter()
                    .collect(),
                reason: None,
                ..Response::failed(cell.prompt, cell.model, "", at)
            }
        };
        record_check(world, account, entity, response).await;
        world.host.queues.wait_until_idle().await;
        tracked.advance_days(1);
        receiver.received().len()
    };
    for day in 0..20 {
        assert_eq!(told_on(day, 8).await, 0, "nothing has changed");
    }
    let mut days = 1;
    while told_on(19 + days, 3).await == 0 {
        days += 1;
        assert!(days <= 10, "the drop is told");
    }
    for day in 0..22 {
        assert_eq!(told_on(20 + days + day, 3).await, 1, "the drop is told once");
    }
    let body = receiver.received()[0].body();
    assert_eq!(body["type"], "visibility.changed");
    let data = &body["data"];
    assert!(
        data["change"].as_f64().unwrap() < -20.0 && data["pValue"].as_f64().unwrap() <= 0.001,
        "{data}"
    );
    let compared = queried(world, account, &data["query"]).await;
    let visibility = &compared["data"]["comparison"];
    for side in ["window", "base"] {
        assert_eq!(visibility[side]["score"], data[side]["score"], "{side}");
        assert_eq!(
            visibility[side]["mentions"], data[side]["counts"]["mentions"],
            "{side}"
        );
        assert_eq!(
            visibility[side]["responses"], data[side]["counts"]["responses"],
            "{side}"
        );
    }
    assert_eq!(visibility["change"], data["change"]);
    assert_eq!(visibility["changeInterval"], data["changeInterval"]);
    assert_eq!(visibility["verdict"], "down");
}
