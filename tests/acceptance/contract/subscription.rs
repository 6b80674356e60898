//! With a canceled subscription, writes are refused and reads work.

use acceptance::World;
use serde_json::json;

use super::{Fixture, endpoints};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_canceled_subscription_refuses_writes_and_answers_reads() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let key = Some(fixture.account.key.as_str());
    fixture.cancel(&world).await;
    let before = fixture.state(&world).await;
    assert_eq!(before[0]["data"]["subscription"]["status"], "canceled");

    for endpoint in endpoints() {
        let request = (endpoint.request)(&fixture);
        let answer = endpoint.send(&world, key, &request).await;
        if endpoint.is_read() {
            answer.ok();
            continue;
        }
        assert_eq!(
            answer.error(403),
            "The subscription is canceled",
            "{}",
            endpoint.route
        );
        // Rules are checked after input and subject.
        if let Some(subject) = endpoint.subject {
            let unknown = request.with(subject, &json!("0000000000000000"));
            assert_eq!(
                endpoint.send(&world, key, &unknown).await.status,
                404,
                "{}",
                endpoint.route
            );
        }
        for invalid in endpoint.invalid_inputs {
            for request in invalid.apply(&request).1 {
                let answer = endpoint.send(&world, key, &request).await;
                assert_eq!(answer.status, 400, "{} {invalid:?}", endpoint.route);
            }
        }
    }
    assert_eq!(fixture.state(&world).await, before);
}
