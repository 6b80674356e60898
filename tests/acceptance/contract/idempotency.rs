//! Every POST is idempotent: a retry with its key and body gets the first response and changes nothing.

use acceptance::{ApiResponse, World};
use reqwest::Method;
use serde_json::{Value, json};

use super::{Endpoint, Fixture, RequestInput, endpoints};

fn posts() -> impl Iterator<Item = &'static Endpoint> {
    endpoints().filter(|endpoint| endpoint.method() == Method::POST)
}

async fn send(
    world: &World,
    fixture: &Fixture,
    endpoint: &Endpoint,
    sent: &RequestInput,
    key: &str,
) -> ApiResponse {
    let request = world
        .request(endpoint.method(), endpoint.path())
        .bearer_auth(&fixture.account.key)
        .header("Idempotency-Key", key)
        .json(sent.body.as_ref().unwrap());
    World::execute(request).await
}

/// Returns what a repeated request gets: the first answer, but no secret, because secrets are not recorded.
pub(crate) fn recorded_answer(first: &Value) -> Value {
    let mut answer = first.clone();
    if let Some(secret) = answer.get_mut("secret") {
        *secret = Value::Null;
    }
    answer
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repeated_post_gets_the_first_answer_and_changes_nothing() {
    let world = World::start().await;
    for endpoint in posts() {
        let fixture = Fixture::new(&world).await;
        let good = (endpoint.request)(&fixture);
        let first = send(&world, &fixture, endpoint, &good, "key 1").await.ok();
        let after = fixture.quiet_state(&world).await;
        // White space and the order of fields do not make a different body.
        let mut fields: Vec<_> = good
            .body
            .clone()
            .unwrap()
            .as_object()
            .unwrap()
            .clone()
            .into_iter()
            .collect();
        fields.reverse();
        let turned = Value::Object(fields.into_iter().collect());
        for body in [good.body.clone().unwrap(), turned] {
            let again = send(&world, &fixture, endpoint, &RequestInput::body(body), "key 1").await;
            assert_eq!(again.ok(), recorded_answer(&first), "{}", endpoint.route);
        }
        assert_eq!(fixture.quiet_state(&world).await, after, "{}", endpoint.route);

        let mut other = good.clone();
        other.body.as_mut().unwrap()["unheardOf"] = json!(1);
        let refused = send(&world, &fixture, endpoint, &other, "key 1").await;
        assert!(
            refused.error(409).starts_with("Idempotency-Key"),
            "{}",
            endpoint.route
        );
        assert_eq!(fixture.quiet_state(&world).await, after, "{}", endpoint.route);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_posts_sent_at_once_with_one_key_one_acts_and_all_get_its_answer() {
    let world = World::start().await;
    for endpoint in posts() {
        let fixture = Fixture::new(&world).await;
        let good = (endpoint.request)(&fixture);
        let all = (0..6).map(|_| send(&world, &fixture, endpoint, &good, "at once"));
        let answers = futures::future::join_all(all).await;
        let answers: Vec<Value> = answers.into_iter().map(ApiResponse::ok).collect();
        let again = send(&world, &fixture, endpoint, &good, "at once").await.ok();
        for answer in &answers {
            assert_eq!(recorded_answer(answer), again, "{}", endpoint.route);
        }
        // One of them has acted, and it alone knows the secret, unless its response was lost.
        let secrets = answers.iter().filter(|answer| answer["secret"].is_string());
        assert!(secrets.count() <= 1, "{}", endpoint.route);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_post_is_not_recorded() {
    let world = World::start().await;
    for endpoint in posts() {
        let fixture = Fixture::new(&world).await;
        let good = (endpoint.request)(&fixture);
        for (name, sent) in endpoint.wrong(&fixture) {
            let refused = send(&world, &fixture, endpoint, &sent, "key").await;
            assert_eq!(refused.status, 400, "{} {name}", endpoint.route);
        }
        send(&world, &fixture, endpoint, &good, "key").await.ok();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_means_one_request_of_one_workspace_and_has_1_to_255_characters() {
    let world = World::start().await;
    let (mine, theirs) = (Fixture::new(&world).await, Fixture::new(&world).await);
    for endpoint in posts() {
        // All endpoints and both workspaces use one key.
        for fixture in [&mine, &theirs] {
            let good = (endpoint.request)(fixture);
            let answer = send(&world, fixture, endpoint, &good, "the same").await;
            assert!(answer.status == 200 || answer.status == 409, "{}", answer.body);
            assert!(
                !answer.body.to_string().contains("Idempotency-Key"),
                "{}",
                endpoint.route
            );
        }
        let good = (endpoint.request)(&mine);
        for key in ["", &"k".repeat(256)] {
            let refused = send(&world, &mine, endpoint, &good, key).await;
            assert_eq!(refused.error(400), "Idempotency-Key must be 1 to 255 characters");
        }
    }
}
