use std::net::SocketAddr;

use serde_json::json;
use tokio::net::TcpListener;

use super::*;
use crate::bus::queue::Settings;
use crate::test_client::{HttpResponse, send};

const PUT_EVENTS: &str = "X-Amz-Target: AWSEvents.PutEvents";

async fn bus() -> (SocketAddr, Queue, RecordedEvents) {
    let (handler, recorded) = recording(|_| Ok(Value::Null));
    let queue = Queue::start(handler, clock(), Settings::default());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let rule = Rule::source("ours");
    let events = EventsEndpoint::new([(rule, queue.clone())], clock());
    tokio::spawn(events.serve(listener, std::future::pending()));
    (at, queue, recorded)
}

async fn put(at: SocketAddr, body: &Value) -> HttpResponse {
    let headers = [PUT_EVENTS, "Content-Type: application/x-amz-json-1.1"];
    send(at, "POST /", &headers, body.to_string().as_bytes()).await
}

fn entry(source: &str, detail: &str) -> Value {
    json!({"Source": source, "DetailType": "Done", "Detail": detail, "EventBusName": "any"})
}

#[tokio::test]
async fn an_entry_that_matches_the_rule_reaches_the_handler_through_the_queue() {
    let (at, queue, recorded) = bus().await;
    let entries = [entry("ours", r#"{"checkId":"c1"}"#), entry("others", "{}")];
    let reply = put(at, &json!({ "Entries": entries })).await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), Some("application/x-amz-json-1.1"));
    let answer = reply.json();
    assert_eq!(answer["FailedEntryCount"], 0);
    assert_eq!(answer["Entries"].as_array().unwrap().len(), 2);

    in_time(queue.wait_until_idle()).await;
    let bodies = bodies(&recorded);
    assert_eq!(bodies.len(), 1);
    let envelope: Value = serde_json::from_str(&bodies[0][0]).unwrap();
    let expected = json!({
        "version": "0",
        "id": answer["Entries"][0]["EventId"],
        "detail-type": "Done",
        "source": "ours",
        "account": "000000000000",
        "time": "2025-12-05T19:20:01.005Z",
        "region": "us-east-1",
        "resources": [],
        "detail": {"checkId": "c1"},
    });
    assert_eq!(envelope, expected);
    let read: aws_lambda_events::eventbridge::EventBridgeEvent = serde_json::from_value(envelope).unwrap();
    assert_eq!(read.detail_type, "Done");
}

#[tokio::test]
async fn an_entry_goes_to_the_queue_of_each_rule_that_it_matches() {
    let queue = || {
        let (handler, recorded) = recording(|_| Ok(Value::Null));
        (Queue::start(handler, clock(), Settings::default()), recorded)
    };
    let [(short, of_short), (long, of_long), (all, of_all)] = [queue(), queue(), queue()];
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let rules = [
        (Rule::detail_types("ours", vec!["Plan", "Done"]), short.clone()),
        (Rule::detail_types("ours", vec!["Ask"]), long.clone()),
        (Rule::source("ours"), all.clone()),
    ];
    tokio::spawn(EventsEndpoint::new(rules, clock()).serve(listener, std::future::pending()));
    let entries = [
        ("ours", "Plan"),
        ("ours", "Ask"),
        ("ours", "Done"),
        ("ours", "Other"),
        ("others", "Plan"),
    ];
    let entries = entries.map(|(source, kind)| json!({"Source": source, "DetailType": kind, "Detail": "{}"}));
    let answer = put(at, &json!({ "Entries": entries })).await.json();
    assert_eq!(answer["FailedEntryCount"], 0);
    in_time(Queue::wait_until_all_idle(&[&short, &long, &all])).await;
    let kinds = |recorded: &RecordedEvents| {
        let bodies = bodies(recorded).into_iter().flatten();
        let mut kinds: Vec<Value> = bodies
            .map(|body| serde_json::from_str::<Value>(&body).unwrap()["detail-type"].take())
            .collect();
        kinds.sort_by_key(Value::to_string);
        kinds
    };
    assert_eq!(kinds(&of_short), ["Done", "Plan"]);
    assert_eq!(kinds(&of_long), ["Ask"]);
    assert_eq!(kinds(&of_all), ["Ask", "Done", "Other", "Plan"]);
}

#[tokio::test]
async fn a_bad_entry_fails_alone() {
    let (at, queue, recorded) = bus().await;
    let entries = [entry("ours", "[]"), entry("ours", "{}"), entry("", "{}")];
    let answer = put(at, &json!({ "Entries": entries })).await.json();
    assert_eq!(answer["FailedEntryCount"], 2);
    assert_eq!(
        answer["Entries"][0],
        json!({"ErrorCode": "MalformedDetail", "ErrorMessage": "Detail is malformed."})
    );
    assert!(answer["Entries"][1]["EventId"].is_string());
    assert_eq!(answer["Entries"][2]["ErrorCode"], "InvalidArgument");
    in_time(queue.wait_until_idle()).await;
    assert_eq!(recorded.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_request_holds_one_to_ten_entries() {
    let (at, queue, recorded) = bus().await;
    let several = |n: usize| json!({ "Entries": vec![entry("ours", "{}"); n] });
    for body in [several(0), several(11), json!({}), json!({"Entries": null})] {
        let reply = put(at, &body).await;
        assert_eq!(
            (reply.status, &reply.json()["__type"]),
            (400, &json!("ValidationException"))
        );
    }
    assert_eq!(put(at, &several(1)).await.status, 200);
    assert_eq!(put(at, &several(10)).await.status, 200);
    in_time(queue.wait_until_idle()).await;
    assert_eq!(recorded.lock().unwrap().len(), 11);
}

#[tokio::test]
async fn the_entries_of_a_request_are_bounded_together() {
    let (at, _, _) = bus().await;
    let sized = |bytes: usize| {
        let detail = format!("{{\"a\":\"{}\"}}", "x".repeat(bytes - 8 - "oursDone".len()));
        json!({"Entries": [entry("ours", &detail)]})
    };
    assert_eq!(put(at, &sized(256 * 1024)).await.status, 200);
    let reply = put(at, &sized(256 * 1024 + 1)).await;
    assert_eq!(
        (reply.status, &reply.json()["__type"]),
        (400, &json!("ValidationException"))
    );
}

#[tokio::test]
async fn requests_other_than_put_events_are_refused() {
    let (at, _, _) = bus().await;
    let body = json!({"Entries": [entry("ours", "{}")]}).to_string();
    for (line, target) in [
        ("POST /", "X-Amz-Target: AWSEvents.PutRule"),
        ("POST /", "X-Other: none"),
        ("POST /events", PUT_EVENTS),
        ("PUT /", PUT_EVENTS),
    ] {
        let reply = send(at, line, &[target], body.as_bytes()).await;
        assert_eq!(
            (reply.status, &reply.json()["__type"]),
            (400, &json!("UnknownOperationException")),
            "{line} {target}"
        );
    }
    for body in ["{", "", "{\"Entries\":1}"] {
        let reply = send(at, "POST /", &[PUT_EVENTS], body.as_bytes()).await;
        assert_eq!(
            (reply.status, &reply.json()["__type"]),
            (400, &json!("SerializationException"))
        );
    }
}
