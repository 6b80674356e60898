//! A valid request succeeds, with exactly the contract's fields.

use acceptance::World;
use serde_json::json;

use super::{Fixture, endpoints};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_endpoint_answers_with_the_fields_and_types_of_the_contract() {
    let world = World::start().await;
    for endpoint in endpoints() {
        let fixture = Fixture::new(&world).await;
        let request = (endpoint.request)(&fixture);
        let answer = endpoint.send(&world, Some(&fixture.account.key), &request).await;
        assert_eq!(answer.header("content-type"), Some("application/json"));
        let body = answer.ok();
        let wrong = endpoint.reply.differences(&body);
        assert!(
            wrong.is_empty(),
            "{}: {}\n{body:#}",
            endpoint.route,
            wrong.join("\n")
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_no_endpoint_knows_is_ignored_in_query_and_body() {
    let world = World::start().await;
    for endpoint in endpoints() {
        let fixture = Fixture::new(&world).await;
        let mut request = (endpoint.request)(&fixture);
        for value in ["1", "2"] {
            request.query.push(("unheardOf".to_owned(), value.to_owned()));
        }
        if let Some(body) = &mut request.body {
            body["unheardOf"] = json!({"deep": [{"er": null}]});
        }
        let answer = endpoint.send(&world, Some(&fixture.account.key), &request).await;
        assert_eq!(answer.status, 200, "{}: {}", endpoint.route, answer.body);
    }
}
