//! With a subscription that is canceled or has ended, writes are refused and reads work.

use acceptance::World;
use domain::clock::Clock;
use domain::time::HOUR;
use serde_json::json;
use store::WorkspaceUpdate;

use super::{Fixture, endpoints};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_canceled_subscription_refuses_writes_and_answers_reads() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    fixture.cancel(&world).await;
    let workspace = world.get(&fixture.account, "/workspace").await.ok();
    assert_eq!(workspace["data"]["subscription"]["status"], "canceled");
    assert_only_reads(&world, &fixture, "The subscription is canceled").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_subscription_that_has_ended_refuses_writes_and_answers_reads() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let now = world.host.clock.now();
    let ends = |at| WorkspaceUpdate {
        subscription_ends_at: Some(at),
        ..WorkspaceUpdate::default()
    };
    let (store, tenant) = (&world.host.store, &fixture.account.tenant);
    assert!(store.update_workspace(tenant, ends(now + HOUR)).await.unwrap());
    let check = json!({"entityId": fixture.entity});
    world
        .post(&fixture.account, "/entities/run-check", &check)
        .await
        .ok();
    fixture.quiet_state(&world).await;
    assert!(store.update_workspace(tenant, ends(now)).await.unwrap());
    assert_only_reads(&world, &fixture, "The subscription has ended").await;
}

/// Sends every request, and asserts that reads succeed and that writes get this error and change nothing.
async fn assert_only_reads(world: &World, fixture: &Fixture, error: &str) {
    let key = Some(fixture.account.key.as_str());
    let before = fixture.state(world).await;
    for endpoint in endpoints() {
        let request = (endpoint.request)(fixture);
        let answer = endpoint.send(world, key, &request).await;
        if endpoint.is_read() {
            answer.ok();
            continue;
        }
        assert_eq!(answer.error(403), error, "{}", endpoint.route);
        // Rules are checked after the subject.
        if let Some(subject) = endpoint.subject() {
            let unknown = request.with(subject, &json!("0000000000000000"));
            assert_eq!(
                endpoint.send(world, key, &unknown).await.status,
                404,
                "{}",
                endpoint.route
            );
        }
    }
    assert_eq!(fixture.state(world).await, before);
}
