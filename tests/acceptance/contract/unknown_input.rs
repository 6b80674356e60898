//! Unknown parameters and fields are ignored.

use acceptance::World;
use serde_json::json;

use super::{Fixture, endpoints};

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
