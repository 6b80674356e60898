//! Refused, failed and overloaded: each is what it is, and only answers cost.

use std::sync::Mutex;
use std::time::Instant;

use acceptance::ProviderReply;
use domain::answer::State;
use domain::check::{CheckState, Response};
use domain::limits::{LOST_QUESTION_BACKOFF, PAUSE_JITTER, PROVIDER_PAUSE};
use domain::time::{MILLISECOND, MINUTE, SECOND};
use serde_json::{Value, json};

use super::bench::{Bench, number, plain};

fn refusal() -> Value {
    let mut answer = acceptance::answer("", &[], &[]);
    answer["output"][0]["content"] = json!([{"type": "refusal", "refusal": "I cannot say."}]);
    answer
}

fn states(responses: &[Response], model: u32) -> Vec<State> {
    let of = responses.iter().filter(|r| r.model == model);
    of.map(|r| r.state).collect()
}

#[tokio::test]
async fn refused_and_failed_questions_are_recorded_as_such_and_cost_nothing() {
    let bench = Bench::start(4, |model: &str, input: &str| match (model, number(input)) {
        ("small", 1) => refusal().into(),
        ("small", 2) => ProviderReply::error(400, "invalid_prompt"),
        ("small", 3) => ProviderReply::error(500, "server_error"),
        _ => plain(model, input).into(),
    })
    .await;
    bench.tick().await;
    bench.run().await;
    let responses = bench.audit().await;
    let expected = [State::Refused, State::Failed, State::Failed, State::Answered];
    assert_eq!(states(&responses, 0), expected);
    assert_eq!(states(&responses, 1), [State::Answered; 4]);
    assert_eq!(bench.table.credits(&bench.tenant).await.2, 1 + 4 * 3);
    assert_eq!(bench.check_state().await, CheckState::Complete);

    let asked = bench.provider.asked();
    let times = |n: usize| asked[&("small".to_owned(), format!("Question {n}?"))];
    assert_eq!([1, 2, 3, 4].map(times), [1, 1, 3, 1]);
    let again = {
        let asks = bench.asks.lock().unwrap();
        let lost = asks.iter().filter(|(_, m, i)| m == "small" && number(i) == 3);
        let at: Vec<Instant> = lost.map(|(at, ..)| *at).collect();
        [at[1] - at[0], at[2] - at[1]]
    };
    let least = LOST_QUESTION_BACKOFF.delay(0, 1.0);
    assert!(again[0] >= least && again[1] >= least * 2, "{again:?}");
    let problems = bench.seen().await.problems;
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].provider.as_deref(), Some("openai"));
    assert!(
        problems[0].reason.starts_with("2 of 4 questions"),
        "{}",
        problems[0].reason
    );
}

#[tokio::test]
async fn a_provider_that_asks_for_a_long_wait_is_left_alone_until_then() {
    let calm = std::sync::Arc::new(Mutex::new(false));
    let is_calm = calm.clone();
    let bench = Bench::start(5, move |model: &str, input: &str| {
        if model == "small" && !*is_calm.lock().unwrap() {
            let mut busy = ProviderReply::error(429, "rate_limit_exceeded");
            busy.retry_after = Some(90);
            return busy;
        }
        plain(model, input).into()
    })
    .await;
    bench.tick().await;
    bench.run().await;
    let shards = bench
        .table
        .store
        .shards(&bench.tenant, &bench.entity, 1)
        .await
        .unwrap();
    let waiting = &shards[0];
    assert_eq!(waiting.not_before, Some(bench.table.now() + 90 * SECOND));
    assert!(
        waiting.asks.values().all(|n| *n == 0),
        "what was not taken does not count as asked"
    );
    let problem = waiting.problem.as_ref().unwrap();
    assert!(problem.reason.contains("rate limit"), "{}", problem.reason);

    *calm.lock().unwrap() = true;
    bench.table.pass(90 * SECOND - MILLISECOND);
    bench.tick().await;
    assert!(bench.published().await.is_empty(), "not yet");
    bench.table.pass(MILLISECOND);
    bench.tick().await;
    bench.run().await;
    let responses = bench.audit().await;
    assert!(responses.iter().all(|r| r.state == State::Answered));
    assert!(bench.seen().await.problems.is_empty(), "it is over");
}

#[tokio::test]
async fn a_used_up_quota_pauses_what_is_open_and_keeps_what_is_answered() {
    let paid = std::sync::Arc::new(Mutex::new(false));
    let is_paid = paid.clone();
    let bench = Bench::start(3, move |model: &str, input: &str| {
        if model == "large" && number(input) == 3 && !*is_paid.lock().unwrap() {
            return ProviderReply::error(429, "insufficient_quota");
        }
        plain(model, input).into()
    })
    .await;
    bench.tick().await;
    bench.run().await;
    assert_eq!(bench.responses().await.len(), 5);
    bench.table.pass(MINUTE);
    bench.tick().await;
    bench.run().await;
    assert_eq!(bench.responses().await.len(), 5, "it is left alone");
    *paid.lock().unwrap() = true;
    bench.table.pass(PROVIDER_PAUSE - MINUTE + PAUSE_JITTER);
    bench.tick().await;
    bench.run().await;
    bench.audit().await;
    let asked = bench.provider.asked();
    for ((model, input), times) in asked {
        let expected = if model == "large" && number(&input) == 3 {
            2
        } else {
            1
        };
        assert_eq!(times, expected, "{model} {input}");
    }
}
