use lambda_runtime::LambdaEvent;
use serde_json::json;

use super::*;

#[tokio::test]
async fn a_function_gets_the_event_and_a_deadline_in_real_time() {
    let clock = clock();
    clock.set_real(Timestamp::from_millis(5_000));
    let function = |event: LambdaEvent<Value>| {
        let recorded = json!({"payload": event.payload, "deadline": event.context.deadline});
        std::future::ready(Ok::<_, String>(recorded))
    };
    let handler = handler(function, clock, Duration::from_secs(60));
    let recorded = handler(json!({"a": 1})).await;
    assert_eq!(recorded, Ok(json!({"payload": {"a": 1}, "deadline": 65_000})));
}

#[tokio::test]
async fn an_error_of_a_function_is_the_invocations_error() {
    let handler = handler(|_| std::future::ready(Err("no")), clock(), TIMEOUT);
    assert_eq!(handler(json!([1])).await, Err("no".to_owned()));
}

#[tokio::test]
async fn an_invocation_that_takes_too_long_is_dropped() {
    let function = |_| std::future::pending::<Result<Value, String>>();
    let handler = handler(function, clock(), Duration::from_millis(10));
    assert_eq!(
        handler(Value::Null).await,
        Err("timed out after 0.01 seconds".to_owned())
    );
}

#[test]
fn an_invocation_without_a_timeout_has_a_distant_deadline() {
    let context = crate::invocation::context("r", None);
    assert_eq!(
        (context.request_id.as_str(), context.deadline),
        ("r", 253_402_300_799_999)
    );
}
