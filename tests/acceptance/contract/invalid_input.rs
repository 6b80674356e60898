//! An invalid request is 400, names the invalid input and changes nothing.

use acceptance::World;
use serde_json::json;

use super::{Fixture, InvalidInput, RequestInput, endpoints};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_input_is_refused_by_name_and_changes_nothing() {
    let world = World::start().await;
    for endpoint in endpoints() {
        let fixture = Fixture::new(&world).await;
        let good = (endpoint.request)(&fixture);
        let before = fixture.state(&world).await;
        for invalid in endpoint.invalid_inputs {
            let (name, requests) = invalid.apply(&good);
            for request in requests {
                let answer = endpoint.send(&world, Some(&fixture.account.key), &request).await;
                let shown = format!("{} {request:?}: {}", endpoint.route, answer.body);
                assert_eq!(answer.status, 400, "{shown}");
                assert!(answer.error(400).starts_with(name), "{shown}");
            }
        }
        assert_eq!(fixture.state(&world).await, before, "{}", endpoint.route);
        // The unchanged request succeeds, so the invalid input alone was refused.
        let answer = endpoint.send(&world, Some(&fixture.account.key), &good).await;
        assert_eq!(answer.status, 200, "{}: {}", endpoint.route, answer.body);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn input_is_checked_before_the_subject() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    for endpoint in endpoints() {
        let Some(subject) = endpoint.subject else {
            continue;
        };
        let unknown = (endpoint.request)(&fixture).with(subject, &json!("0000000000000000"));
        let about_others = endpoint.invalid_inputs.iter().filter(|invalid| {
            let (InvalidInput::Parameter(name, _)
            | InvalidInput::Repeated(name)
            | InvalidInput::Field(name, _)
            | InvalidInput::Missing(name)) = invalid;
            *name != subject
        });
        for invalid in about_others {
            for request in invalid.apply(&unknown).1 {
                let answer = endpoint.send(&world, Some(&fixture.account.key), &request).await;
                assert_eq!(answer.status, 400, "{} {request:?}", endpoint.route);
            }
        }
    }
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
