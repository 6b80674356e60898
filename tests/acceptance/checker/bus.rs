//! `PutEvents` requests hold up to ten events, and only rejected events are sent again.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use domain::ordinal::CheckNumber;
use events::{Bus, CheckEvent, CheckRef};
use serde_json::{Value, json};
use store::connect;
use tokio::net::TcpListener;

/// Decides whether an entry is rejected, by the number of its request and its shard.
type Rejects = fn(usize, u64) -> bool;

/// An endpoint that implements `PutEvents` and keeps the shards of each request.
#[derive(Clone)]
struct Endpoint {
    requests: Arc<Mutex<Vec<Vec<u64>>>>,
    rejects: Rejects,
}

impl Endpoint {
    async fn start(rejects: Rejects) -> (Self, Bus) {
        let requests = Arc::default();
        let endpoint = Self { requests, rejects };
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let at = format!("http://{}", listener.local_addr().unwrap());
        let app = Router::new().fallback(put).with_state(endpoint.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        (endpoint, Bus::new(&connect::to_endpoint(&at), "bus"))
    }

    fn requests(&self) -> Vec<Vec<u64>> {
        self.requests.lock().unwrap().clone()
    }
}

async fn put(State(endpoint): State<Endpoint>, body: Bytes) -> impl IntoResponse {
    let request: Value = serde_json::from_slice(&body).unwrap();
    let shards: Vec<u64> = request["Entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let detail: Value = serde_json::from_str(entry["Detail"].as_str().unwrap()).unwrap();
            detail["shard"].as_u64().unwrap()
        })
        .collect();
    let mut requests = endpoint.requests.lock().unwrap();
    let refused = |shard: &u64| (endpoint.rejects)(requests.len(), *shard);
    let results: Vec<Value> = shards
        .iter()
        .map(|shard| {
            if refused(shard) {
                json!({"ErrorCode": "ThrottlingException", "ErrorMessage": "Too many."})
            } else {
                json!({"EventId": format!("e-{shard}")})
            }
        })
        .collect();
    let failed = shards.iter().filter(|shard| refused(shard)).count();
    requests.push(shards);
    let answer = json!({"FailedEntryCount": failed, "Entries": results});
    (
        [(header::CONTENT_TYPE, "application/x-amz-json-1.1")],
        answer.to_string(),
    )
}

fn shards(count: u32) -> Vec<CheckEvent> {
    let check = CheckRef {
        workspace_id: "aaaaaaaaaaaaaaaa".parse().unwrap(),
        entity_id: "bbbbbbbbbbbbbbbb".parse().unwrap(),
        check: CheckNumber::new(1),
    };
    (0..count)
        .map(|shard| CheckEvent::ShardReady(check.clone(), shard.into()))
        .collect()
}

fn range(from: u64, to: u64) -> Vec<u64> {
    (from..to).collect()
}

#[tokio::test]
async fn events_are_published_ten_at_a_time() {
    let (endpoint, bus) = Endpoint::start(|_, _| false).await;
    bus.publish::<CheckEvent>(&[]).await.unwrap();
    bus.publish(&shards(23)).await.unwrap();
    assert_eq!(endpoint.requests(), [range(0, 10), range(10, 20), range(20, 23)]);
}

#[tokio::test]
async fn only_rejected_events_are_sent_again() {
    let (endpoint, bus) = Endpoint::start(|request, shard| match request {
        0 => shard % 3 == 1,
        1 => shard == 7,
        _ => false,
    })
    .await;
    bus.publish(&shards(12)).await.unwrap();
    assert_eq!(
        endpoint.requests(),
        [range(0, 10), vec![1, 4, 7], vec![7], vec![10, 11]]
    );
}

#[tokio::test]
async fn events_that_stay_rejected_are_counted_and_do_not_delay_others() {
    let (endpoint, bus) = Endpoint::start(|_, shard| shard == 2 || shard == 10).await;
    let error = bus.publish(&shards(12)).await.unwrap_err();
    assert_eq!(error.unpublished, 2);
    assert!(error.to_string().contains("ThrottlingException"), "{error}");
    let expected = [range(0, 10), vec![2], vec![2], vec![10, 11], vec![10], vec![10]];
    assert_eq!(endpoint.requests(), expected);
}
