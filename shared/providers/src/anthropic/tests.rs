use std::time::Duration;

use domain::answer::End;

use super::*;
use crate::testing::{Act, BRIEF, QUESTION, Request, play, play_in_turn, settings};

const FIXTURE: &str = include_str!("../../fixtures/anthropic-search.json");

fn provider(base_url: &str) -> Anthropic {
    Anthropic::new(settings(base_url), Arc::new(Http::default()))
}

/// A response that ends so and has these blocks.
fn reply(stop_reason: &str, content: &Value) -> Act {
    let body = json!({"type": "message", "model": "m-1", "stop_reason": stop_reason, "content": content,
        "usage": {"input_tokens": 10, "output_tokens": 3}});
    Act::reply(200, "", &body.to_string())
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

#[tokio::test]
async fn a_question_is_asked_with_search_from_its_country() {
    let mut script = play(Act::reply(200, "", FIXTURE)).await;
    provider(&script.origin).ask(&QUESTION).await.unwrap();
    let Request { line, head, body } = script.request().await;
    assert_eq!(line, "POST /v1/messages HTTP/1.1");
    assert!(
        head.contains("\r\nx-api-key: key-1\r\n") && head.contains("\r\nanthropic-version: 2023-06-01\r\n")
    );
    assert!(!head.contains("authorization"));
    let mut expected = json!({
        "model": "model-1", "max_tokens": 8_192, "system": "The user's language is pt-BR.",
        "messages": [{"role": "user", "content": "Qual é o melhor galpão?"}],
        "tools": [{"type": "web_search_20250305", "name": "web_search", "allowed_callers": ["direct"], "max_uses": 4,
            "user_location": {"type": "approximate", "country": "BR"}}],
    });
    assert_eq!(body, expected);

    let nowhere = Question {
        country: None,
        ..QUESTION
    };
    provider(&script.origin).ask(&nowhere).await.unwrap();
    expected["tools"][0]
        .as_object_mut()
        .unwrap()
        .remove("user_location");
    assert_eq!(script.request().await.body, expected);
}

#[tokio::test]
async fn a_paused_turn_is_continued_from_its_own_words_and_summed() {
    let call =
        |id: &str| json!({"type": "server_tool_use", "id": id, "name": "web_search", "input": {"query": id}});
    let found = |id: &str| {
        json!({"type": "web_search_tool_result", "tool_use_id": id,
            "content": [{"type": "web_search_result", "url": "https://a.example", "encrypted_content": "b3Bh"}]})
    };
    let failed = json!({"type": "web_search_tool_result", "tool_use_id": "q2",
        "content": {"type": "web_search_tool_result_error", "error_code": "unavailable"}});
    let cited = json!({"type": "text", "text": "it is.", "citations": [
        {"type": "web_search_result_location", "url": "https://a.example", "title": "A", "encrypted_index": "eA"}]});
    let first = json!([text("Well, "), call("q1"), found("q1"), call("q2")]);
    let second = json!([failed, call("q3"), found("q3"), text("Yes, ")]);
    let mut script = play_in_turn(vec![
        reply("pause_turn", &first),
        reply("pause_turn", &second),
        reply("end_turn", &json!([cited])),
    ])
    .await;
    let answer = provider(&script.origin).ask(&QUESTION).await.unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.end),
        ("Well, \n\nYes, it is.", End::Complete)
    );
    assert_eq!(answer.queries, ["q1", "q3"]);
    assert_eq!(answer.citations.len(), 1);
    assert_eq!((answer.input_tokens, answer.output_tokens), (30, 9));

    let start = script.request().await.body;
    for content in [
        first.clone(),
        Value::Array([first, second].map(|c| c.as_array().unwrap().clone()).concat()),
    ] {
        let mut expected = start.clone();
        let turn = json!({"role": "assistant", "content": content});
        expected["messages"].as_array_mut().unwrap().push(turn);
        assert_eq!(script.request().await.body, expected);
    }
}

#[tokio::test]
async fn a_turn_that_pauses_for_ever_is_truncated_after_three_continuations() {
    let paused = reply("pause_turn", &json!([text("More. ")]));
    let mut script = play(paused).await;
    let answer = provider(&script.origin).ask(&QUESTION).await.unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.end),
        ("More. More. More. More. ", End::Truncated)
    );
    assert_eq!(answer.output_tokens, 12);
    for _ in 0..4 {
        script.request().await;
    }
    assert!(script.requests.try_recv().is_err());
    let nothing = play(reply("pause_turn", &json!([]))).await;
    assert!(provider(&nothing.origin).ask(&QUESTION).await.is_err());
}

#[tokio::test]
async fn a_turn_that_cannot_be_continued_is_lost_and_its_time_is_one() {
    let paused = reply("pause_turn", &json!([text("More.")]));
    let after = async |act: Act| {
        let script = play_in_turn(vec![paused.clone(), act]).await;
        let mut provider = provider(&script.origin);
        provider.endpoint.answer_timeout = Duration::from_millis(300);
        provider.ask(&QUESTION).await.unwrap_err()
    };
    let busy = after(Act::reply(429, "retry-after: 9\r\n", "{}")).await;
    assert!(busy.taken() && busy.reason().contains("429"), "{busy:?}");
    assert!(matches!(
        after(Act::reply(401, "", "{}")).await,
        AskError::BadKey { .. }
    ));
    assert_eq!(
        after(Act::Hang(Vec::new())).await,
        AskError::lost("no answer within 0.3 s")
    );

    // Each request alone is in time.
    let Act::Send(bytes) = paused.clone() else {
        unreachable!()
    };
    let script = play(Act::SendLater(Duration::from_millis(200), bytes)).await;
    let mut provider = provider(&script.origin);
    provider.endpoint.answer_timeout = Duration::from_millis(500);
    let error = provider.ask(&QUESTION).await.unwrap_err();
    assert_eq!(error, AskError::lost("no answer within 0.5 s"));
}

#[tokio::test]
async fn prompts_are_generated_by_structured_output_without_tools() {
    let good = reply(
        "end_turn",
        &json!([text(r#"{"prompts": [" Eins? ", "Zwei?", "Drei?"]}"#)]),
    );
    let mut script = play(good).await;
    let prompts = provider(&script.origin).generate(&BRIEF).await.unwrap();
    assert_eq!(prompts, ["Eins?", "Zwei?"]);
    let body = script.request().await.body;
    assert_eq!(
        body["output_config"],
        json!({"format": {"type": "json_schema", "schema": brief::schema()}})
    );
    assert!(body.get("tools").is_none() && body["system"].as_str().unwrap().contains("German (de)"));
    assert!(
        body["messages"][0]["content"]
            .as_str()
            .unwrap()
            .contains("shedwright.example")
    );

    let script = play(reply("refusal", &json!([]))).await;
    let error = provider(&script.origin).generate(&BRIEF).await.unwrap_err();
    assert!(matches!(error, AskError::Fatal { .. }));
}
