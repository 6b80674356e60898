//! No endpoint answers without a good key.

use acceptance::World;
use serde_json::json;

use super::{Fixture, Sent, endpoints};

/// A key of the right form, its checksum included, that was never issued.
const NEVER_ISSUED: &str = "wsk_111111111111111111111111114dBdFT";

#[test]
fn the_key_that_was_never_issued_is_well_formed() {
    let made = domain::api_key::ApiKey::from_random(&[1; 26]).unwrap();
    assert_eq!(made.reveal(), NEVER_ISSUED);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_endpoint_refuses_a_missing_a_wrong_and_a_deactivated_key() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let account = &fixture.account;
    let store = &world.host.store;
    let now = domain::clock::Clock::now(world.host.clock.as_ref());
    let (key_id, revoked) = store
        .create_key(&account.tenant, "second", store::KeyRates::default(), now)
        .await
        .unwrap()
        .unwrap();
    assert!(store.revoke_key(&account.tenant, &key_id).await.unwrap());

    let before = fixture.state(&world).await;
    for endpoint in endpoints() {
        let good = (endpoint.request)(&fixture);
        // The key comes before everything that is in the request.
        let bad = Sent {
            query: vec![("period".to_owned(), "bad".to_owned())],
            body: good.body.as_ref().map(|_| json!([])),
        };
        for sent in [&good, &bad] {
            for (key, text) in [
                (None, "Missing API key"),
                (Some(NEVER_ISSUED), "Invalid API key"),
                (Some("wsk_"), "Invalid API key"),
                (Some("nonsense"), "Invalid API key"),
                (Some(revoked.reveal()), "API key is deactivated"),
            ] {
                let answer = endpoint.send(&world, key, sent).await;
                assert_eq!(answer.body, json!({"error": text}), "{} {key:?}", endpoint.route);
                assert_eq!(answer.status, 401, "{} {key:?}", endpoint.route);
                assert!(answer.header("x-request-id").is_some(), "{}", endpoint.route);
            }
        }
    }
    assert_eq!(fixture.state(&world).await, before);
}
