use std::time::Duration;

use domain::answer::FinishReason;

use super::*;
use crate::testing::{
    GENERATION_REQUEST, QUESTION, Request, ServerAction, settings, start_server, start_server_with,
};

const FIXTURE: &str = include_str!("../../fixtures/anthropic-search.json");

fn provider(base_url: &str) -> Anthropic {
    Anthropic::new(settings(base_url), Arc::new(Http::default()))
}

/// Returns a response with this stop reason and these blocks.
fn response(stop_reason: &str, content: &Value) -> ServerAction {
    let body = json!({"type": "message", "model": "m-1", "stop_reason": stop_reason, "content": content,
        "usage": {"input_tokens": 10, "output_tokens": 3}});
    ServerAction::respond(200, "", &body.to_string())
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

#[tokio::test]
async fn a_question_is_asked_with_search_from_its_country() {
    let mut server = start_server(ServerAction::respond(200, "", FIXTURE)).await;
    provider(&server.origin).ask(&QUESTION).await.unwrap();
    let Request { line, head, body } = server.request().await;
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
    provider(&server.origin).ask(&nowhere).await.unwrap();
    expected["tools"][0]
        .as_object_mut()
        .unwrap()
        .remove("user_location");
    assert_eq!(server.request().await.body, expected);
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
    let mut server = start_server_with(vec![
        response("pause_turn", &first),
        response("pause_turn", &second),
        response("end_turn", &json!([cited])),
    ])
    .await;
    let answer = provider(&server.origin).ask(&QUESTION).await.unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.finish_reason),
        ("Yes, it is.", FinishReason::Complete)
    );
    assert_eq!(answer.narration, ["Well, "]);
    assert_eq!(answer.queries, ["q1", "q3"]);
    assert_eq!(answer.citations.len(), 1);
    assert_eq!((answer.input_tokens, answer.output_tokens), (30, 9));

    let start = server.request().await.body;
    for content in [
        first.clone(),
        Value::Array([first, second].map(|c| c.as_array().unwrap().clone()).concat()),
    ] {
        let mut expected = start.clone();
        let turn = json!({"role": "assistant", "content": content});
        expected["messages"].as_array_mut().unwrap().push(turn);
        assert_eq!(server.request().await.body, expected);
    }
}

#[tokio::test]
async fn a_turn_that_pauses_for_ever_is_truncated_after_three_continuations() {
    let paused = response("pause_turn", &json!([text("More. ")]));
    let mut server = start_server(paused).await;
    let answer = provider(&server.origin).ask(&QUESTION).await.unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.finish_reason),
        ("More. More. More. More. ", FinishReason::Truncated)
    );
    assert_eq!(answer.output_tokens, 12);
    for _ in 0..4 {
        server.request().await;
    }
    assert!(server.requests.try_recv().is_err());
    let nothing = start_server(response("pause_turn", &json!([]))).await;
    assert!(provider(&nothing.origin).ask(&QUESTION).await.is_err());
}

#[tokio::test]
async fn a_turn_that_cannot_be_continued_is_lost_and_its_time_is_one() {
    let paused = response("pause_turn", &json!([text("More.")]));
    let after = async |act: ServerAction| {
        let server = start_server_with(vec![paused.clone(), act]).await;
        let mut provider = provider(&server.origin);
        provider.endpoint.answer_timeout = Duration::from_millis(300);
        provider.ask(&QUESTION).await.unwrap_err()
    };
    let busy = after(ServerAction::respond(429, "retry-after: 9\r\n", "{}")).await;
    assert!(busy.was_accepted() && busy.reason().contains("429"), "{busy:?}");
    assert!(matches!(
        after(ServerAction::respond(401, "", "{}")).await,
        AskError::Forbidden { .. }
    ));
    let refused = r#"{"type": "error", "error": {"type": "authentication_error", "message": "m"}}"#;
    assert!(matches!(
        after(ServerAction::respond(401, "", refused)).await,
        AskError::InvalidKey { .. }
    ));
    assert_eq!(
        after(ServerAction::Hang(Vec::new())).await,
        AskError::answer_lost("no answer within 0.3 s")
    );

    // Each request alone is in time.
    let ServerAction::Send(bytes) = paused.clone() else {
        unreachable!()
    };
    let server = start_server(ServerAction::SendAfter(Duration::from_millis(200), bytes)).await;
    let mut provider = provider(&server.origin);
    provider.endpoint.answer_timeout = Duration::from_millis(500);
    let error = provider.ask(&QUESTION).await.unwrap_err();
    assert_eq!(error, AskError::answer_lost("no answer within 0.5 s"));
}

#[tokio::test]
async fn prompts_are_generated_by_structured_output_without_tools() {
    let good = response(
        "end_turn",
        &json!([text(r#"{"prompts": [" Eins? ", "Zwei?", "Drei?"]}"#)]),
    );
    let mut server = start_server(good).await;
    let prompts = provider(&server.origin)
        .generate_prompts(&GENERATION_REQUEST)
        .await
        .unwrap();
    assert_eq!(prompts, ["Eins?", "Zwei?"]);
    let body = server.request().await.body;
    assert_eq!(
        body["output_config"],
        json!({"format": {"type": "json_schema", "schema": generation::schema()}})
    );
    assert!(body.get("tools").is_none() && body["system"].as_str().unwrap().contains("German (de)"));
    assert!(
        body["messages"][0]["content"]
            .as_str()
            .unwrap()
            .contains("shedwright.example")
    );

    let server = start_server(response("refusal", &json!([]))).await;
    let error = provider(&server.origin)
        .generate_prompts(&GENERATION_REQUEST)
        .await
        .unwrap_err();
    assert!(matches!(error, AskError::Permanent { .. }));
}
