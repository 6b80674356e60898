//! What else a request carries: the key, and the `Idempotency-Key`.

use acceptance::{ApiResponse, World};
use domain::clock::Clock;
use reqwest::Method;
use store::KeySettings;

use super::super::idempotency;
use super::super::{Endpoint, Fixture, RequestInput, endpoints};
use super::foreign_ids::table_snapshot;

async fn repeated(world: &World, fixture: &Fixture, endpoint: &Endpoint, sent: &RequestInput) -> ApiResponse {
    let request = world
        .request(endpoint.method(), endpoint.path())
        .bearer_auth(&fixture.account.key)
        .header("Idempotency-Key", "the same")
        .json(sent.body.as_ref().unwrap());
    World::execute(request).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_answer_kept_for_one_workspace_is_not_given_to_another() {
    let world = World::start().await;
    for endpoint in endpoints().filter(|endpoint| endpoint.method() == Method::POST) {
        let (mine, theirs) = (Fixture::new(&world).await, Fixture::new(&world).await);
        let sent = (endpoint.request)(&theirs);
        let first = repeated(&world, &theirs, endpoint, &sent).await;
        assert_eq!(first.status, 200, "{}", endpoint.route);
        // The same key and body, to the byte, of another workspace: as if the key were new.
        let got = repeated(&world, &mine, endpoint, &sent).await;
        let fresh = Fixture::new(&world).await;
        let expected = endpoint.send(&world, Some(&fresh.account.key), &sent).await;
        assert_eq!(got.status, expected.status, "{}: {}", endpoint.route, got.text);
        if endpoint.subject().is_some() {
            assert!(
                got.status == 404 || got.status == 400,
                "{}: {}",
                endpoint.route,
                got.text
            );
            assert_eq!(got.text, expected.text, "{}", endpoint.route);
        }
        assert_ne!(got.text, first.text, "{}", endpoint.route);
        // Theirs is still theirs.
        assert_eq!(
            repeated(&world, &theirs, endpoint, &sent).await.ok(),
            idempotency::recorded_answer(&first.ok()),
            "{}",
            endpoint.route
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoked_key_opens_neither_its_own_workspace_nor_another() {
    let world = World::start().await;
    let (mine, theirs) = (Fixture::new(&world).await, Fixture::new(&world).await);
    let (store, now) = (&world.host.store, world.host.clock.now());
    let tenant = &theirs.account.tenant;
    let made = store
        .create_key(tenant, "second", KeySettings::default(), now)
        .await;
    let (id, revoked) = made.unwrap().unwrap();
    // A workspace cannot revoke another workspace's key.
    assert!(!store.revoke_key(&mine.account.tenant, &id).await.unwrap());
    let key = Some(revoked.reveal());
    let sent = RequestInput::default();
    let models = endpoints()
        .find(|endpoint| endpoint.route == "GET /models")
        .unwrap();
    models.send(&world, key, &sent).await.ok();
    assert!(store.revoke_key(tenant, &id).await.unwrap());
    let before = table_snapshot(&world).await;
    for endpoint in endpoints() {
        for fixture in [&mine, &theirs] {
            let answer = endpoint.send(&world, key, &(endpoint.request)(fixture)).await;
            assert_eq!(answer.error(401), "API key is deactivated", "{}", endpoint.route);
        }
    }
    assert_eq!(table_snapshot(&world).await, before);
}
