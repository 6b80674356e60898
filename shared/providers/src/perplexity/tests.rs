use std::sync::Arc;

use domain::answer::{Citation, FinishReason};
use proptest::prelude::*;

use super::*;
use crate::Provider;
use crate::http::Http;
use crate::http_provider::HttpProvider;
use crate::testing::{
    GENERATION_REQUEST, QUESTION, Request, ServerAction, assert_valid, damaged, settings, start_server,
};

const FIXTURE: &str = include_str!("../../fixtures/perplexity-search.json");

fn provider(base_url: &str) -> HttpProvider {
    HttpProvider::new(PERPLEXITY, settings(base_url), Arc::new(Http::default()))
}

fn cited(url: &str, title: Option<&str>) -> Citation {
    Citation {
        url: url.to_owned(),
        title: title.map(str::to_owned),
    }
}

/// Returns a response with one search and one text, and with the members of `extra`.
fn response(text: &str, extra: Value) -> Vec<u8> {
    let mut body = json!({"status": "completed", "output": [
        {"type": "search_results", "queries": ["q"], "results": [{"id": 1, "url": "https://one.example/", "title": "One"}]},
        {"type": "message", "content": [{"type": "output_text", "text": text, "annotations": []}]}]});
    if let (Some(body), Value::Object(extra)) = (body.as_object_mut(), extra) {
        body.extend(extra);
    }
    body.to_string().into_bytes()
}

#[test]
fn a_response_is_decoded_to_the_byte() {
    let expected = Answer {
        text: "🏡 **Shedwright** is tested [1][2] and [Timberly](https://timberly.example/) too[2]. Delivery takes [5] \
               weeks [3], [99], [4] or [6]. Préfère-t-on du bois? [ 1], [x], [-1], [2"
            .to_owned(),
        finish_reason: FinishReason::Complete,
        citations: vec![
            cited("https://annotated.example/", Some("Annotated")),
            cited("https://forum.example/t/42", Some("Which shed?")),
            cited("https://sheds.example/best", Some("Best sheds – “tested” 🏡")),
            cited("https://delivery.example/a_(b)", None),
        ],
        queries: vec![
            "best garden sheds 2026".to_owned(),
            "Gartenhaus Lieferzeit".to_owned(),
        ],
        searched: Some(true),
        input_tokens: 4321,
        output_tokens: 210,
        cost_micros: Some(6_606),
        model_version: Some("perplexity/sonar".to_owned()),
    };
    assert_eq!(decode(FIXTURE.as_bytes()).unwrap(), expected);
}

#[test]
fn a_marker_cites_only_what_was_found_under_its_number() {
    let cited = |text: &str| decode(&response(text, json!({}))).unwrap().citations.len();
    for text in ["a [1]", "a[1][1].", "[1", "[[1]]", "[1](https://one.example/)"] {
        assert_eq!(cited(text), usize::from(text.contains("1]")), "{text}");
    }
    for text in ["a", "[2]", "[01x]", "[]", "[99999999999999999999]", "1]", "[１]"] {
        assert_eq!(cited(text), 0, "{text}");
    }
}

#[test]
fn a_failure_in_a_successful_response_is_classified_by_its_code() {
    let error =
        |error: Value| decode(&response("", json!({"status": "failed", "error": error}))).unwrap_err();
    for code in [json!(429), json!("rate_limit_exceeded")] {
        let error = error(json!({"code": code, "type": "t", "message": "m"}));
        assert!(matches!(error, AskError::Unavailable { .. }), "{error:?}");
    }
    for body in [
        json!({"code": 500}),
        json!({"code": "internal_error"}),
        json!({}),
        json!(null),
        json!("oh"),
    ] {
        let error = error(body);
        assert!(matches!(error, AskError::AnswerLost { .. }), "{error:?}");
    }
    assert_eq!(error(json!(null)).reason(), "the provider failed");
    let empty = error(json!({"code": 401, "type": "insufficient_quota"}));
    assert!(matches!(empty, AskError::QuotaExhausted { .. }), "{empty:?}");
    let bad = error(json!({"code": 400, "type": "invalid_request"}));
    assert_eq!(
        bad,
        AskError::permanent("the request was refused (400, invalid_request)")
    );
}

#[test]
fn the_cost_is_what_the_usage_says_in_us_dollars() {
    let micros = |cost: Value| {
        decode(&response("x", json!({"usage": {"cost": cost}})))
            .unwrap()
            .cost_micros
    };
    assert_eq!(
        micros(json!({"currency": "USD", "total_cost": 0.0061})),
        Some(6_100)
    );
    assert_eq!(micros(json!({"total_cost": 0})), Some(0));
    for odd in [
        json!({"currency": "EUR", "total_cost": 1}),
        json!({"total_cost": -0.1}),
        json!({"total_cost": 1e300}),
        json!({"total_cost": "0.1"}),
        json!(0.1),
    ] {
        assert_eq!(micros(odd.clone()), None, "{odd}");
    }
}

#[test]
fn an_answer_from_memory_is_not_searched() {
    let message = json!([{"type": "message", "content": [{"type": "output_text", "text": "Well [1]."}]}]);
    let answer = decode(&response("", json!({"output": message}))).unwrap();
    assert_eq!((answer.searched, answer.citations.len()), (Some(false), 0));
}

#[tokio::test]
async fn a_question_is_asked_from_its_country_in_its_language() {
    let mut server = start_server(ServerAction::respond(200, "", FIXTURE)).await;
    provider(&server.origin).ask(&QUESTION).await.unwrap();
    let Request { line, head, body } = server.request().await;
    assert_eq!(line, "POST /v1/responses HTTP/1.1");
    assert!(head.contains("authorization: bearer key-1"));
    assert_eq!(
        body,
        json!({
            "model": "model-1", "input": "Qual é o melhor galpão?", "language_preference": "pt",
            "store": false, "max_output_tokens": 8_192, "max_steps": 3,
            "tools": [{"type": "web_search", "user_location": {"country": "BR"}}],
        })
    );
    let nowhere = Question {
        country: None,
        ..QUESTION
    };
    provider(&server.origin).ask(&nowhere).await.unwrap();
    assert_eq!(
        server.request().await.body["tools"],
        json!([{"type": "web_search"}])
    );
}

#[tokio::test]
async fn prompts_are_generated_by_structured_output_without_a_search() {
    let reply = response(
        "Sure:\n```json\n{\"prompts\": [\"Eins?\", \"Zwei?\", \"Drei?\"]}\n```",
        json!({}),
    );
    let mut server = start_server(ServerAction::respond(200, "", &String::from_utf8(reply).unwrap())).await;
    let prompts = provider(&server.origin)
        .generate_prompts(&GENERATION_REQUEST)
        .await
        .unwrap();
    assert_eq!(prompts, ["Eins?", "Zwei?"]);
    let body = server.request().await.body;
    assert_eq!(body["response_format"]["type"], "json_schema");
    assert_eq!(
        body["response_format"]["json_schema"]["schema"]["required"],
        json!(["prompts"])
    );
    assert!(body.get("tools").is_none() && body.get("preset").is_none());
    assert!(body["input"].as_str().unwrap().contains("Shedwright"));
    assert!(body["instructions"].as_str().unwrap().contains("German (de)"));
}

#[test]
fn the_address_is_the_vendors_bare_origin_and_the_path() {
    let mut provider = provider("");
    provider.endpoint.settings.base_url = None;
    let url = provider.endpoint.url("/v1/responses").unwrap();
    assert_eq!(url.as_str(), "https://api.perplexity.ai/v1/responses");
}

proptest! {
    #[test]
    fn a_damaged_response_is_an_answer_or_an_error(body in damaged(FIXTURE)) {
        assert_valid(decode(&body));
    }

    #[test]
    fn no_text_breaks_the_markers(text in "[\\[\\]0-9a🏡 ]{0,40}") {
        let found: Vec<u64> = markers(&text).collect();
        prop_assert!(found.iter().all(|id| text.contains(['[', ']']) && text.contains(&id.to_string())));
    }
}
