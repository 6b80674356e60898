//! The keys of a workspace. `attacks/headers.rs` has the headers that carry them.

use acceptance::{Account, World};
use domain::clock::Clock;
use reqwest::Method;
use store::KeySettings;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_in_the_query_is_no_key() {
    let world = World::start().await;
    let account = world.account().await;
    for name in ["api_key", "apiKey", "x-api-key", "Authorization"] {
        let path = format!("/models?{name}={}", account.key);
        let answer = world.send(None, Method::GET, &path, None).await;
        assert_eq!(answer.error(401), "Missing API key");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoked_key_stops_at_once_and_the_others_go_on() {
    let world = World::start().await;
    let account = world.account().await;
    let store = &world.host.store;
    let now = world.host.clock.now();
    let made = store
        .create_key(&account.tenant, "second", KeySettings::default(), now)
        .await;
    let (key_id, key) = made.unwrap().unwrap();
    let second = Account {
        tenant: account.tenant.clone(),
        key: key.reveal().to_owned(),
    };
    world.get(&second, "/models").await.ok();
    assert!(store.revoke_key(&account.tenant, &key_id).await.unwrap());
    assert_eq!(
        world.get(&second, "/models").await.error(401),
        "API key is deactivated"
    );
    world.get(&account, "/models").await.ok();
}
