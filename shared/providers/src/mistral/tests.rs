use std::sync::Arc;
use std::time::Duration;

use domain::answer::{Answer, Citation, FinishReason};
use proptest::prelude::*;

use super::answer::decode;
use super::*;
use crate::http::Http;
use crate::http_provider::HttpProvider;
use crate::testing::{
    GENERATION_REQUEST, QUESTION, Request, ServerAction, assert_valid, damaged, settings, start_server,
};
use crate::{AskError, Provider};

const FIXTURE: &str = include_str!("../../fixtures/mistral-search.json");

fn provider(base_url: &str) -> HttpProvider {
    HttpProvider::new(MISTRAL, settings(base_url), Arc::new(Http::default()))
}

/// Returns a conversation with one message.
fn response(content: &Value) -> Value {
    json!({"outputs": [{"type": "message.output", "model": "m-1", "content": content}]})
}

fn decoded(body: &Value) -> Result<Answer, AskError> {
    decode(body.to_string().as_bytes())
}

#[tokio::test]
async fn a_question_is_asked_with_search_and_the_users_language_and_country() {
    let mut server = start_server(ServerAction::respond(200, "", FIXTURE)).await;
    provider(&server.origin).ask(&QUESTION).await.unwrap();
    let Request { line, head, body } = server.request().await;
    assert_eq!(line, "POST /v1/conversations HTTP/1.1");
    assert!(head.contains("\r\nauthorization: bearer key-1\r\n"));
    let mut expected = json!({
        "model": "model-1", "inputs": "Qual é o melhor galpão?", "stream": false, "store": false,
        "instructions": "The user's language is pt-BR. The user is in the country BR.",
        "tools": [{"type": "web_search"}], "completion_args": {"max_tokens": 8_192},
    });
    assert_eq!(body, expected);

    let nowhere = Question {
        country: None,
        ..QUESTION
    };
    provider(&server.origin).ask(&nowhere).await.unwrap();
    expected["instructions"] = json!("The user's language is pt-BR.");
    assert_eq!(server.request().await.body, expected);
}

#[test]
fn a_response_is_decoded_to_the_byte() {
    let cited = |url: &str, title: &str| Citation {
        url: url.to_owned(),
        title: Some(title.to_owned()),
        ..Default::default()
    };
    let expected = Answer {
        text: "🏡 **Shedwright** is tested.\n\nPréfère-t-on du bois?\u{a0}Oui.".to_owned(),
        narration: vec!["I will search.".to_owned()],
        finish_reason: FinishReason::Complete,
        citations: vec![
            cited(
                "https://sheds.example/best?utm_source=x",
                "Best sheds – “tested” 🏡",
            ),
            cited("https://forum.example/t/42#post-7", "Which shed?"),
        ],
        unresolved_citations: 0,
        queries: [
            "best garden sheds 2026",
            "Gartenhäuser Vergleich 🏡",
            "best garden sheds 2026",
        ]
        .map(str::to_owned)
        .to_vec(),
        searched: Some(true),
        input_tokens: 7300,
        output_tokens: 55,
        cost_micros: None,
        model_version: Some("mistral-medium-2604".to_owned()),
    };
    assert_eq!(decode(FIXTURE.as_bytes()).unwrap(), expected);
}

#[test]
fn a_message_is_a_text_or_chunks() {
    let chunks = json!([{"type": "text", "text": "One "}, {"type": "text", "text": "text."}]);
    for content in [json!("One text."), chunks] {
        let answer = decoded(&response(&content)).unwrap();
        assert_eq!(
            (answer.text.as_str(), answer.searched),
            ("One text.", Some(false))
        );
        assert_eq!(answer.model_version.as_deref(), Some("m-1"));
    }
    for content in [
        json!(""),
        json!([]),
        Value::Null,
        json!({"type": "text", "text": "x"}),
    ] {
        let error = decoded(&response(&content)).unwrap_err();
        assert!(matches!(error, AskError::Empty { .. }), "{content}");
    }
}

#[test]
fn an_answer_of_all_the_tokens_is_truncated() {
    for (tokens, end) in [
        (json!(MAX_OUTPUT_TOKENS - 1), FinishReason::Complete),
        (json!(MAX_OUTPUT_TOKENS), FinishReason::Truncated),
        (json!(u64::MAX), FinishReason::Truncated),
        (json!("many"), FinishReason::Complete),
    ] {
        let mut body = response(&json!("Well."));
        body["usage"] = json!({"completion_tokens": tokens});
        assert_eq!(decoded(&body).unwrap().finish_reason, end, "{tokens}");
    }
}

#[tokio::test]
async fn refusals_and_silence_are_errors() {
    let rule =
        json!({"object": "error", "message": "m", "type": "invalid_request", "code": 3000}).to_string();
    for (status, body, kind) in [
        (422, r#"{"detail": []}"#, "Permanent"),
        (400, &rule, "Permanent"),
        (503, "", "Unavailable"),
    ] {
        let server = start_server(ServerAction::respond(status, "", body)).await;
        let error = provider(&server.origin).ask(&QUESTION).await.unwrap_err();
        assert!(format!("{error:?}").starts_with(kind), "{status}: {error:?}");
    }
    let server = start_server(ServerAction::Hang(Vec::new())).await;
    let mut provider = provider(&server.origin);
    provider.endpoint.answer_timeout = Duration::from_millis(100);
    let error = provider.ask(&QUESTION).await.unwrap_err();
    assert_eq!(error, AskError::answer_lost("no answer within 0.1 s"));
}

#[tokio::test]
async fn prompts_are_generated_by_structured_output_without_tools() {
    let good = response(&json!(r#"{"prompts": [" Eins? ", "Zwei?", "Drei?"]}"#));
    let mut server = start_server(ServerAction::respond(200, "", &good.to_string())).await;
    let prompts = provider(&server.origin)
        .generate_prompts(&GENERATION_REQUEST)
        .await
        .unwrap();
    assert_eq!(prompts, ["Eins?", "Zwei?"]);
    let body = server.request().await.body;
    let format = &body["completion_args"]["response_format"];
    assert_eq!(format["type"], "json_schema");
    assert_eq!(
        format["json_schema"],
        json!({"name": "prompts", "strict": true, "schema": generation::schema()})
    );
    assert!(body.get("tools").is_none() && body["instructions"].as_str().unwrap().contains("German (de)"));
    assert!(body["inputs"].as_str().unwrap().contains("shedwright.example"));

    let server = start_server(ServerAction::respond(
        200,
        "",
        &response(&json!("Sorry, no.")).to_string(),
    ))
    .await;
    let error = provider(&server.origin)
        .generate_prompts(&GENERATION_REQUEST)
        .await
        .unwrap_err();
    assert!(error.was_accepted());
}

proptest! {
    #[test]
    fn a_damaged_response_is_an_answer_or_an_error(body in damaged(FIXTURE)) {
        assert_valid(decode(&body));
    }
}
