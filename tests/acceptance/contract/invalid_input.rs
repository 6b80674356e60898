//! An invalid request is 400, names the invalid input and changes nothing.

use acceptance::World;
use serde_json::json;

use super::tenants::table_snapshot;
use super::{Fixture, RequestInput, endpoints};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_input_is_refused_by_name_before_the_subject_and_changes_nothing() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let before = table_snapshot(&world).await;
    for endpoint in endpoints() {
        for (name, wrong) in endpoint.wrong(&fixture) {
            let answer = endpoint.send(&world, Some(&fixture.account.key), &wrong).await;
            let shown = format!("{} {wrong:?}: {}", endpoint.route, answer.body);
            assert!(answer.error(400).starts_with(&name), "{shown}");
            if let Some(subject) = endpoint.subject().filter(|subject| *subject != name) {
                let unknown = wrong.with(subject, &json!("0000000000000000"));
                let answer = endpoint.send(&world, Some(&fixture.account.key), &unknown).await;
                assert_eq!(answer.status, 400, "{shown}");
            }
        }
    }
    assert_eq!(table_snapshot(&world).await, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_endpoint_that_takes_a_body_takes_only_a_json_object() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    for endpoint in endpoints().filter(|e| e.takes_body()) {
        let none = endpoint
            .send(&world, Some(&fixture.account.key), &RequestInput::default())
            .await;
        assert!(none.error(400).starts_with("body"), "{}", endpoint.route);
        for body in [json!([]), json!(null), json!("text"), json!(7), json!([{}])] {
            let answer = endpoint
                .send(&world, Some(&fixture.account.key), &RequestInput::body(body))
                .await;
            assert!(answer.error(400).starts_with("body"), "{}", endpoint.route);
        }
    }
}
