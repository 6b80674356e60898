//! Refused, failed and delayed questions are recorded as what they are, and only answers cost credits.

use std::sync::Mutex;
use std::time::Instant;

use acceptance::ProviderReply;
use domain::answer::ResponseState;
use domain::check::{CheckState, Response};
use domain::limits::{LOST_QUESTION_BACKOFF, PAUSE_JITTER, PROVIDER_PAUSE};
use domain::time::{MILLISECOND, MINUTE, SECOND};
use serde_json::{Value, json};

use super::fixture::{CheckerFixture, FIRST_CHECK, default_answer, prompt_number};

fn refusal() -> Value {
    let mut answer = acceptance::answer("", &[], &[]);
    answer["output"][0]["content"] = json!([{"type": "refusal", "refusal": "I cannot say."}]);
    answer
}

fn states(responses: &[Response], model: u32) -> Vec<ResponseState> {
    let of = responses.iter().filter(|r| r.model.get() == model);
    of.map(|r| r.state).collect()
}

#[tokio::test]
async fn refused_and_failed_questions_are_recorded_as_such_and_cost_nothing() {
    let fixture = CheckerFixture::start(4, |model: &str, input: &str| {
        match (model, prompt_number(input)) {
            ("small", 1) => refusal().into(),
            ("small", 2) => ProviderReply::error(400, "invalid_prompt"),
            ("small", 3) => ProviderReply::error(500, "server_error"),
            _ => default_answer(model, input).into(),
        }
    })
    .await;
    fixture.tick().await;
    fixture.deliver_published().await;
    let responses = fixture.audit().await;
    let expected = [
        ResponseState::Refused,
        ResponseState::Failed,
        ResponseState::Failed,
        ResponseState::Answered,
    ];
    assert_eq!(states(&responses, 0), expected);
    assert_eq!(states(&responses, 1), [ResponseState::Answered; 4]);
    assert_eq!(fixture.table.credits(&fixture.tenant).await.2, 1 + 4 * 3);
    assert_eq!(fixture.check_state().await, CheckState::Complete);

    let asked = fixture.provider.asked();
    let times = |n: usize| asked[&("small".to_owned(), format!("Question {n}?"))];
    assert_eq!([1, 2, 3, 4].map(times), [1, 1, 3, 1]);
    let again = {
        let asks = fixture.asks.lock().unwrap();
        let lost = asks
            .iter()
            .filter(|(_, m, i)| m == "small" && prompt_number(i) == 3);
        let at: Vec<Instant> = lost.map(|(at, ..)| *at).collect();
        [at[1] - at[0], at[2] - at[1]]
    };
    let least = LOST_QUESTION_BACKOFF.delay(0, 1.0);
    assert!(again[0] >= least && again[1] >= least * 2, "{again:?}");
    let problems = fixture.read_entity().await.problems;
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].provider.as_deref(), Some("openai"));
    assert!(
        problems[0].reason.starts_with("2 of 4 questions"),
        "{}",
        problems[0].reason
    );
}

#[tokio::test]
async fn an_answer_without_a_word_is_asked_for_once_more_and_every_reason_has_the_providers_word() {
    let asked = std::sync::Arc::new(Mutex::new(0));
    let times = asked.clone();
    let fixture = CheckerFixture::start(4, move |model: &str, input: &str| {
        let mut answer = default_answer(model, input);
        let silent = json!([{"type": "reasoning", "summary": []}]);
        match prompt_number(input) {
            1 if model == "small" => answer["output"] = silent,
            2 if model == "small" => {
                *times.lock().unwrap() += 1;
                if *times.lock().unwrap() == 1 {
                    answer["output"] = silent;
                }
            }
            3 if model == "small" => {
                answer["output"] = silent;
                answer["status"] = "incomplete".into();
                answer["incomplete_details"] = json!({"reason": "max_output_tokens"});
            }
            4 if model == "small" => return ProviderReply::error(500, "server_error"),
            _ => {}
        }
        answer.into()
    })
    .await;
    fixture.tick().await;
    fixture.deliver_published().await;
    let responses = fixture.audit().await;
    let of_small = responses.iter().filter(|response| response.model.get() == 0);
    let reasons: Vec<Option<&str>> = of_small.map(|response| response.reason.as_deref()).collect();
    let expected = [
        Some("the answer is empty"),
        None,
        Some("the answer was cut off before its first word (max_output_tokens)"),
        Some("No answer after 3 requests: the provider failed (500, server_error)"),
    ];
    assert_eq!(reasons, expected);
    let asked = fixture.provider.asked();
    let times = |n: usize| asked[&("small".to_owned(), format!("Question {n}?"))];
    assert_eq!([1, 2, 3, 4].map(times), [2, 2, 1, 3]);
}

#[tokio::test]
async fn a_provider_that_requests_a_long_delay_is_not_asked_until_then() {
    let calm = std::sync::Arc::new(Mutex::new(false));
    let is_calm = calm.clone();
    let fixture = CheckerFixture::start(5, move |model: &str, input: &str| {
        if model == "small" && !*is_calm.lock().unwrap() {
            let mut busy = ProviderReply::error(429, "rate_limit_exceeded");
            busy.retry_after = Some(90);
            // Nobody waits in real time for a start at the rate that this teaches.
            busy.requests_per_minute = Some(u32::MAX);
            return busy;
        }
        default_answer(model, input).into()
    })
    .await;
    fixture.tick().await;
    fixture.deliver_published().await;
    let shards = fixture
        .table
        .store
        .shards(&fixture.tenant, &fixture.entity, FIRST_CHECK)
        .await
        .unwrap();
    let waiting = &shards[0];
    assert_eq!(waiting.not_before, Some(fixture.table.now() + 90 * SECOND));
    assert!(
        waiting.asks.values().all(|n| *n == 0),
        "what was not taken does not count as asked"
    );
    let problem = waiting.problem.as_ref().unwrap();
    assert!(problem.reason.contains("rate limit"), "{}", problem.reason);

    *calm.lock().unwrap() = true;
    fixture.table.advance(90 * SECOND - MILLISECOND);
    fixture.tick().await;
    assert!(fixture.take_published().await.is_empty(), "not yet");
    fixture.table.advance(MILLISECOND);
    fixture.tick().await;
    fixture.deliver_published().await;
    let responses = fixture.audit().await;
    assert!(responses.iter().all(|r| r.state == ResponseState::Answered));
    assert!(fixture.read_entity().await.problems.is_empty(), "it is over");
}

#[tokio::test]
async fn a_used_up_quota_pauses_open_questions_and_keeps_answers() {
    let paid = std::sync::Arc::new(Mutex::new(false));
    let is_paid = paid.clone();
    let fixture = CheckerFixture::start(3, move |model: &str, input: &str| {
        if model == "large" && prompt_number(input) == 3 && !*is_paid.lock().unwrap() {
            return ProviderReply::error(429, "insufficient_quota");
        }
        default_answer(model, input).into()
    })
    .await;
    fixture.tick().await;
    fixture.deliver_published().await;
    assert_eq!(fixture.responses().await.len(), 5);
    fixture.table.advance(MINUTE);
    fixture.tick().await;
    fixture.deliver_published().await;
    assert_eq!(fixture.responses().await.len(), 5, "it is left alone");
    *paid.lock().unwrap() = true;
    fixture.table.advance(PROVIDER_PAUSE - MINUTE + PAUSE_JITTER);
    fixture.tick().await;
    fixture.deliver_published().await;
    fixture.audit().await;
    let asked = fixture.provider.asked();
    for ((model, input), times) in asked {
        let expected = if model == "large" && prompt_number(&input) == 3 {
            2
        } else {
            1
        };
        assert_eq!(times, expected, "{model} {input}");
    }
}
