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

const FIXTURE: &str = include_str!("../../fixtures/xai-search.json");

fn provider(base_url: &str) -> HttpProvider {
    HttpProvider::new(XAI, settings(base_url), Arc::new(Http::default()))
}

/// Decodes a response with one text after the items of `output`.
fn decoded(mut output: Vec<Value>, usage: &Value) -> Answer {
    output.push(json!({"type": "message", "content": [{"type": "output_text", "text": "Well."}]}));
    decode(
        json!({"status": "completed", "output": output, "usage": usage})
            .to_string()
            .as_bytes(),
    )
    .unwrap()
}

#[test]
fn a_response_is_decoded_to_the_byte() {
    let cited = |url: &str| Citation {
        url: url.to_owned(),
        title: None,
        ..Default::default()
    };
    let expected = Answer {
        text: "🏡 **Shedwright** is tested.[[1]](https://sheds.example/best) Préfère-t-on du \
               bois?[[2]](https://forum.example/t/42#post-7)"
            .to_owned(),
        narration: Vec::new(),
        finish_reason: FinishReason::Complete,
        citations: vec![
            cited("https://sheds.example/best"),
            cited("https://forum.example/t/42#post-7"),
        ],
        unresolved_citations: 0,
        queries: [
            "best garden sheds 2026",
            "Gartenhäuser Vergleich 🏡",
            "shed delivery times",
            "best garden sheds 2026",
        ]
        .map(str::to_owned)
        .to_vec(),
        searched: Some(true),
        input_tokens: 1941,
        output_tokens: 583,
        cost_micros: Some(26_194),
        model_version: Some("grok-4.3".to_owned()),
    };
    assert_eq!(decode(FIXTURE.as_bytes()).unwrap(), expected);
}

/// Decodes an answer whose text has these annotations, and returns its citations.
fn citations(annotations: &Value) -> Vec<(String, Option<String>)> {
    let content = json!([{"type": "output_text", "text": "Well.[[1]](https://a.example/)", "annotations": annotations}]);
    let body = json!({"status": "completed", "output": [{"type": "message", "content": content}]});
    let answer = decode(body.to_string().as_bytes()).unwrap();
    answer
        .citations
        .into_iter()
        .map(|cited| (cited.url, cited.title))
        .collect()
}

#[test]
fn a_title_that_is_only_a_number_is_none() {
    for title in [
        json!("1"),
        json!("12"),
        json!(" 3 "),
        json!(""),
        json!(4),
        Value::Null,
    ] {
        let annotation = json!({"type": "url_citation", "url": "https://a.example/", "title": title,
            "start_index": 5, "end_index": 31});
        assert_eq!(
            citations(&json!([annotation])),
            [("https://a.example/".to_owned(), None)]
        );
    }
    for title in ["Top 10", "1.", "7-Eleven"] {
        let annotation = json!({"type": "url_citation", "url": "https://a.example/", "title": title});
        assert_eq!(
            citations(&json!([annotation])),
            [("https://a.example/".to_owned(), Some(title.to_owned()))]
        );
    }
}

#[test]
fn a_page_keeps_its_title_when_another_mark_only_numbers_it() {
    let annotations = json!([
        {"type": "url_citation", "url": "https://a.example/", "title": "1"},
        {"type": "url_citation", "url": "https://a.example/", "title": "A page"},
        {"type": "url_citation", "url": "https://a.example/", "title": "2"},
    ]);
    assert_eq!(
        citations(&annotations),
        [("https://a.example/".to_owned(), Some("A page".to_owned()))]
    );
}

#[test]
fn annotations_without_titles_and_positions_are_citations() {
    let annotations = json!([
        {"type": "url_citation", "url": "https://a.example/"},
        {"type": "url_citation", "url": "https://b.example/%28c%29"},
    ]);
    assert_eq!(
        citations(&annotations),
        [
            ("https://a.example/".to_owned(), None),
            ("https://b.example/%28c%29".to_owned(), None)
        ]
    );
}

#[test]
fn a_search_is_distinguished_from_a_page_that_is_opened() {
    let searched = |call: Value| decoded(vec![call], &json!({})).searched;
    for call in [
        json!({"type": "web_search_call", "name": "web_search", "arguments": "{\"query\":\"q\"}"}),
        json!({"type": "web_search_call", "name": "web_search", "arguments": "not JSON"}),
        json!({"type": "web_search_call", "arguments": ""}),
        json!({"type": "web_search_call", "action": {"type": "search"}}),
        json!({"type": "web_search_call", "name": "new", "arguments": {"query": "q"}}),
    ] {
        assert_eq!(searched(call.clone()), Some(true), "{call}");
    }
    for call in [
        json!({"type": "web_search_call", "name": "browse_page", "arguments": "{\"url\":\"https://a.example\"}"}),
        json!({"type": "web_search_call", "name": "browse_page", "arguments": "{\"query\":\" \"}"}),
        json!({"type": "web_search_call", "action": {"type": "open_page", "url": "https://a.example"}}),
        json!({"type": "web_search_call", "name": "web_search", "status": "failed", "arguments": "{\"query\":\"q\"}"}),
        json!({"type": "x_search_call", "name": "web_search", "arguments": "{\"query\":\"q\"}"}),
    ] {
        assert_eq!(searched(call.clone()), Some(false), "{call}");
    }
}

#[test]
fn the_cost_is_rounded_from_ticks() {
    let micros = |ticks: Value| decoded(Vec::new(), &json!({"cost_in_usd_ticks": ticks})).cost_micros;
    assert_eq!(micros(json!(10_000_000_000_u64)), Some(1_000_000));
    assert_eq!(micros(json!(4_999)), Some(0));
    assert_eq!(micros(json!(5_000)), Some(1));
    assert_eq!(micros(json!(u64::MAX)), Some(u64::MAX / TICKS_PER_MICRO));
    assert_eq!(micros(json!("5000")), None);
    assert_eq!(micros(Value::Null), None);
}

#[tokio::test]
async fn a_question_is_asked_with_search_from_its_country() {
    let mut server = start_server(ServerAction::respond(200, "", FIXTURE)).await;
    provider(&format!("{}/v1", server.origin))
        .ask(&QUESTION)
        .await
        .unwrap();
    let Request { line, head, body } = server.request().await;
    assert_eq!(line, "POST /v1/responses HTTP/1.1");
    assert!(head.contains("authorization: bearer key-1"));
    assert_eq!(
        body,
        json!({
            "model": "model-1", "store": false, "max_output_tokens": 12_288,
            "input": [
                {"role": "system", "content": "The user's language is pt-BR."},
                {"role": "user", "content": "Qual é o melhor galpão?"},
            ],
            "tools": [{"type": "web_search", "user_location": {"type": "approximate", "country": "BR"}}],
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
async fn prompts_are_generated_by_structured_output_without_tools() {
    let text = r#"{"prompts": ["Eins?", "Zwei?"]}"#;
    let reply = json!({"status": "completed", "output": [
        {"type": "message", "content": [{"type": "output_text", "text": text}]}]});
    let mut server = start_server(ServerAction::respond(200, "", &reply.to_string())).await;
    let prompts = provider(&server.origin)
        .generate_prompts(&GENERATION_REQUEST)
        .await
        .unwrap();
    assert_eq!(prompts, ["Eins?", "Zwei?"]);
    let body = server.request().await.body;
    assert_eq!(body["text"]["format"]["type"], "json_schema");
    assert_eq!(body["text"]["format"]["schema"]["required"], json!(["prompts"]));
    assert!(body.get("tools").is_none());
    assert!(
        body["input"][0]["content"]
            .as_str()
            .unwrap()
            .contains("German (de)")
    );
    assert!(
        body["input"][1]["content"]
            .as_str()
            .unwrap()
            .contains("Shedwright")
    );
}

#[test]
fn the_address_is_the_vendors_unless_another_is_given() {
    let mut provider = provider("http://127.0.0.1:1/v1/");
    let url = |provider: &HttpProvider| provider.endpoint.url("/responses").unwrap().to_string();
    assert_eq!(url(&provider), "http://127.0.0.1:1/v1/responses");
    provider.endpoint.settings.base_url = None;
    assert_eq!(url(&provider), "https://api.x.ai/v1/responses");
}

proptest! {
    #[test]
    fn a_damaged_response_is_an_answer_or_an_error(body in damaged(FIXTURE)) {
        assert_valid(decode(&body));
    }
}
