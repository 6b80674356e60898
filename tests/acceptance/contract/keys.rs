//! No endpoint responds without a valid key.

use acceptance::World;
use domain::api_key::ApiKey;
use domain::clock::Clock;
use serde_json::json;
use store::KeySettings;

use super::{Fixture, RequestInput, endpoints};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_endpoint_refuses_a_missing_a_wrong_and_a_deactivated_key() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (store, tenant) = (&world.host.store, &fixture.account.tenant);
    let now = world.host.clock.now();
    let made = store
        .create_key(tenant, "second", KeySettings::default(), now)
        .await;
    let (key_id, revoked) = made.unwrap().unwrap();
    assert!(store.revoke_key(tenant, &key_id).await.unwrap());
    // Well-formed, including its checksum.
    let never_issued = ApiKey::from_random(&[1; 26]).unwrap();

    let before = fixture.state(&world).await;
    for endpoint in endpoints() {
        let good = (endpoint.request)(&fixture);
        // The key is checked before the rest of the request.
        let invalid = RequestInput {
            query: vec![("period".to_owned(), "bad".to_owned())],
            body: good.body.as_ref().map(|_| json!([])),
        };
        for sent in [&good, &invalid] {
            for (key, text) in [
                (None, "Missing API key"),
                (Some(never_issued.reveal()), "Invalid API key"),
                (Some("wsk_"), "Invalid API key"),
                (Some("nonsense"), "Invalid API key"),
                (Some(revoked.reveal()), "API key is deactivated"),
            ] {
                let answer = endpoint.send(&world, key, sent).await;
                let shown = format!("{} {key:?}", endpoint.route);
                assert_eq!(answer.body, json!({"error": text}), "{shown}");
                assert_eq!(answer.status, 401, "{shown}");
                assert!(answer.header("x-request-id").is_some(), "{shown}");
            }
        }
    }
    assert_eq!(fixture.state(&world).await, before);
}
