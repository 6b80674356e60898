use std::sync::Arc;
use std::time::Duration;

use domain::answer::{Answer, Citation, CitationKind, FinishReason};
use proptest::prelude::*;

use super::answer::decode;
use super::*;
use crate::http::Http;
use crate::http_provider::HttpProvider;
use crate::testing::{
    GENERATION_REQUEST, QUESTION, Request, ServerAction, assert_valid, damaged, settings, start_server,
};
use crate::{AskError, Provider};

const FIXTURE: &str = include_str!("../../fixtures/gemini-search.json");

fn provider(base_url: &str) -> HttpProvider {
    HttpProvider::new(GEMINI, settings(base_url), Arc::new(Http::default()))
}

fn decoded(body: &Value) -> Result<Answer, AskError> {
    decode(body.to_string().as_bytes())
}

/// Returns a response with this text and finish reason.
fn response(text: &str, finish_reason: &Value) -> Value {
    json!({"candidates": [{"finishReason": finish_reason, "content": {"parts": [{"text": text}]}}]})
}

#[tokio::test]
async fn a_question_is_asked_with_search_and_its_countrys_coordinates() {
    let mut server = start_server(ServerAction::respond(200, "", FIXTURE)).await;
    provider(&server.origin).ask(&QUESTION).await.unwrap();
    let Request { line, head, body } = server.request().await;
    assert_eq!(line, "POST /v1beta/models/model-1:generateContent HTTP/1.1");
    assert!(head.contains("\r\nx-goog-api-key: key-1\r\n") && !head.contains("authorization"));
    let mut expected = json!({
        "contents": [{"role": "user", "parts": [{"text": "Qual é o melhor galpão?"}]}],
        "tools": [{"googleSearch": {}}],
        "toolConfig": {"retrievalConfig": {
            "languageCode": "pt-BR", "latLng": {"latitude": -15.79, "longitude": -47.88}}},
        "generationConfig": {"maxOutputTokens": 12_288},
    });
    assert_eq!(body, expected);

    expected["toolConfig"] = json!({"retrievalConfig": {"languageCode": "pt-BR"}});
    for country in [None, Some("zz")] {
        let question = Question { country, ..QUESTION };
        provider(&server.origin).ask(&question).await.unwrap();
        assert_eq!(server.request().await.body, expected);
    }
}

#[tokio::test]
async fn a_models_name_stays_within_its_segment_of_the_path() {
    let mut server = start_server(ServerAction::respond(200, "", FIXTURE)).await;
    for (model, segment) in [
        ("../../v1/files", "..%2F..%2Fv1%2Ffiles"),
        ("..", ".."),
        ("%2e%2e/x", "%252e%252e%2Fx"),
        ("a?b#c\\d é", "a%3Fb%23c%5Cd%20%C3%A9"),
        ("gemini-3.8_flash~1", "gemini-3.8_flash~1"),
    ] {
        let question = Question { model, ..QUESTION };
        provider(&server.origin).ask(&question).await.unwrap();
        let line = server.request().await.line;
        assert_eq!(
            line,
            format!("POST /v1beta/models/{segment}:generateContent HTTP/1.1")
        );
    }
}

#[test]
fn a_response_is_decoded_to_the_byte() {
    let cited = |url: &str| Citation {
        url: url.to_owned(),
        title: None,
        ..Default::default()
    };
    let expected = Answer {
        text: "🏡 **Shedwright** is tested. Préfère-t-on du bois?\u{a0}Oui.".to_owned(),
        narration: Vec::new(),
        finish_reason: FinishReason::Complete,
        citations: vec![
            cited("https://forum.example"),
            cited("https://sheds.example"),
            cited("https://en.xn--grten-gra.example"),
        ],
        // Two redirects without a domain, and a place on a map.
        unresolved_citations: 3,
        queries: ["best garden sheds 2026", "Gartenhäuser Vergleich 🏡"]
            .map(str::to_owned)
            .to_vec(),
        searched: Some(true),
        input_tokens: 102,
        output_tokens: 540,
        cost_micros: None,
        model_version: Some("gemini-3.8-flash-001".to_owned()),
    };
    assert_eq!(decode(FIXTURE.as_bytes()).unwrap(), expected);
}

/// Returns the citations of an answer that cites one chunk.
fn citations(web: &Value) -> Vec<Citation> {
    let mut body = response("Well.", &json!("STOP"));
    body["candidates"][0]["groundingMetadata"] = json!({
        "webSearchQueries": ["q"],
        "groundingChunks": [{"web": web}],
        "groundingSupports": [{"segment": {"endIndex": 5, "text": "Well."}, "groundingChunkIndices": [0]}],
    });
    decoded(&body).unwrap().citations
}

fn cited(url: &str, title: Option<&str>) -> Vec<Citation> {
    vec![Citation {
        url: url.to_owned(),
        title: title.map(str::to_owned),
        ..Default::default()
    }]
}

#[test]
fn a_chunk_with_googles_redirect_is_cited_by_its_domain() {
    let redirect = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AAA";
    for web in [
        json!({"uri": redirect, "title": "sheds.example"}),
        json!({"uri": redirect, "title": "www.sheds.example"}),
        json!({"uri": redirect, "title": "Best sheds", "domain": "sheds.example"}),
        json!({"title": "sheds.example"}),
        json!({"uri": "ftp://sheds.example/a", "title": "sheds.example"}),
    ] {
        assert_eq!(citations(&web), cited("https://sheds.example", None), "{web}");
    }
    for web in [
        json!({"uri": redirect, "title": "Best sheds"}),
        json!({"uri": redirect, "title": "vertexaisearch.cloud.google.com"}),
        json!({"uri": redirect.to_uppercase(), "title": "Best sheds"}),
        json!({"uri": "sheds", "title": "Best sheds"}),
        json!({}),
    ] {
        assert_eq!(citations(&web), [], "{web}");
    }
}

#[test]
fn a_chunk_without_googles_redirect_is_cited_by_its_uri() {
    let uri = "https://www.sheds.example/best?year=2026#top";
    assert_eq!(
        citations(&json!({"uri": uri, "title": "Best sheds – tested"})),
        cited(uri, Some("Best sheds – tested"))
    );
    assert_eq!(
        citations(&json!({"uri": uri, "title": "sheds.example"})),
        cited(uri, None)
    );
    assert_eq!(citations(&json!({"uri": uri})), cited(uri, None));
    assert_eq!(
        citations(&json!({"uri": uri, "title": "Best sheds", "domain": "sheds.example"})),
        cited(uri, Some("Best sheds"))
    );
}

#[test]
fn chunks_are_the_sources_of_the_whole_answer_if_nothing_tells_what_they_support() {
    let redirect = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/A";
    let urls = |text: &str, supports: Value| {
        let mut body = response(text, &json!("STOP"));
        body["candidates"][0]["groundingMetadata"] = json!({
            "webSearchQueries": ["q"],
            "groundingChunks": [
                {"web": {"uri": redirect, "title": "sheds.example"}},
                {"web": {"uri": redirect, "title": "forum.example"}},
            ],
            "groundingSupports": supports,
        });
        let citations = decoded(&body).unwrap().citations.into_iter();
        citations.map(|cited| (cited.url, cited.kind)).collect::<Vec<_>>()
    };
    let site = |host: &str| (format!("https://{host}"), CitationKind::Reported);
    let both = [site("sheds.example"), site("forum.example")];
    for supports in [
        json!([]),
        Value::Null,
        json!({}),
        json!([{}]),
        json!([{"groundingChunkIndices": []}]),
        json!([{"groundingChunkIndices": [7, -1, "0"]}]),
    ] {
        assert_eq!(urls("Well.", supports.clone()), both, "{supports}");
    }
    assert_eq!(
        urls("Well.", json!([{"groundingChunkIndices": [1, 7]}])),
        both[1..]
    );
    // A link to a page of a site whose page is not told can be that page.
    let text = "See https://sheds.example/best and https://other.example/a.";
    let in_text = ("https://other.example/a".to_owned(), CitationKind::InText);
    assert_eq!(urls(text, json!([])), [both[0].clone(), both[1].clone(), in_text]);
}

#[test]
fn a_response_without_queries_is_not_searched() {
    for grounding in [
        Value::Null,
        json!({"groundingChunks": []}),
        json!({"webSearchQueries": ["", " "]}),
        json!({"webSearchQueries": "q"}),
    ] {
        let mut body = response("Well.", &json!("STOP"));
        body["candidates"][0]["groundingMetadata"] = grounding;
        let answer = decoded(&body).unwrap();
        assert_eq!((answer.searched, answer.queries.len()), (Some(false), 0));
    }
}

#[test]
fn each_finish_reason_has_its_meaning() {
    for (reason, end) in [
        (json!("STOP"), FinishReason::Complete),
        (json!("FINISH_REASON_UNSPECIFIED"), FinishReason::Complete),
        (Value::Null, FinishReason::Complete),
        (json!("MAX_TOKENS"), FinishReason::Truncated),
        (json!("CONTINUATION"), FinishReason::Truncated),
        (json!("TOO_MANY_TOOL_CALLS"), FinishReason::Truncated),
        (json!("NEW"), FinishReason::Truncated),
        (json!("SAFETY"), FinishReason::Refused),
        (json!("RECITATION"), FinishReason::Refused),
        (json!("PROHIBITED_CONTENT"), FinishReason::Refused),
        (json!("MODEL_ARMOR"), FinishReason::Refused),
    ] {
        assert_eq!(
            decoded(&response("Well.", &reason)).unwrap().finish_reason,
            end,
            "{reason}"
        );
        let silent = decoded(&response(" ", &reason));
        assert_eq!(silent.is_ok(), end == FinishReason::Refused, "{reason}");
    }
    let broken_off = decoded(&response("", &json!("MALFORMED_RESPONSE"))).unwrap_err();
    assert!(broken_off.was_accepted());
    assert!(
        !decoded(&response("", &json!("MAX_TOKENS")))
            .unwrap_err()
            .was_accepted()
    );
}

#[test]
fn a_blocked_prompt_is_refused() {
    for blocked in [
        json!({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 7}}),
        json!({"promptFeedback": {"blockReason": "NEW"}, "candidates": [], "usageMetadata": {"promptTokenCount": 7}}),
    ] {
        let answer = decoded(&blocked).unwrap();
        assert_eq!(
            (answer.finish_reason, answer.text.as_str(), answer.input_tokens),
            (FinishReason::Refused, "", 7)
        );
    }
    for empty in [
        json!({}),
        json!({"candidates": []}),
        json!({"promptFeedback": {"safetyRatings": []}}),
    ] {
        assert_eq!(
            decoded(&empty).unwrap_err(),
            AskError::Empty {
                reason: "the answer is empty".to_owned()
            }
        );
    }
}

#[tokio::test]
async fn an_answer_that_never_arrives_is_lost() {
    let server = start_server(ServerAction::Hang(Vec::new())).await;
    let mut provider = provider(&server.origin);
    provider.endpoint.answer_timeout = Duration::from_millis(100);
    let error = provider.ask(&QUESTION).await.unwrap_err();
    assert_eq!(error, AskError::answer_lost("no answer within 0.1 s"));
}

#[tokio::test]
async fn prompts_are_generated_by_structured_output_without_tools() {
    let good = response(r#"{"prompts": [" Eins? ", "Zwei?", "Drei?"]}"#, &json!("STOP"));
    let mut server = start_server(ServerAction::respond(200, "", &good.to_string())).await;
    let prompts = provider(&server.origin)
        .generate_prompts(&GENERATION_REQUEST)
        .await
        .unwrap();
    assert_eq!(prompts, ["Eins?", "Zwei?"]);
    let Request { line, body, .. } = server.request().await;
    assert_eq!(line, "POST /v1beta/models/model-1:generateContent HTTP/1.1");
    let config = &body["generationConfig"];
    assert_eq!(config["responseMimeType"], "application/json");
    assert_eq!(config["responseJsonSchema"], generation::schema());
    assert!(body.get("tools").is_none());
    let text = |content: &Value| content["parts"][0]["text"].as_str().unwrap().to_owned();
    assert!(text(&body["systemInstruction"]).contains("German (de)"));
    assert!(text(&body["contents"][0]).contains("shedwright.example"));

    let refusal = json!({"promptFeedback": {"blockReason": "SAFETY"}});
    let server = start_server(ServerAction::respond(200, "", &refusal.to_string())).await;
    let error = provider(&server.origin)
        .generate_prompts(&GENERATION_REQUEST)
        .await
        .unwrap_err();
    assert!(matches!(error, AskError::Permanent { .. }));
}

#[test]
fn a_redirect_in_the_text_cites_no_page() {
    let redirect = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AAA";
    for text in [
        format!("See {redirect} about sheds."),
        format!("See [sheds]({redirect})."),
    ] {
        let mut body = response(&text, &json!("STOP"));
        body["candidates"][0]["groundingMetadata"] = json!({"webSearchQueries": ["q"]});
        let answer = decoded(&body).unwrap();
        assert_eq!(
            (answer.citations, answer.unresolved_citations),
            (Vec::new(), 0),
            "{text}"
        );
    }
}

proptest! {
    #[test]
    fn a_damaged_response_is_an_answer_or_an_error(body in damaged(FIXTURE)) {
        let decoded = decode(&body);
        if let Ok(answer) = &decoded {
            let redirects = "https://vertexaisearch.cloud.google.com/";
            prop_assert!(answer.citations.iter().all(|cited| !cited.url.starts_with(redirects)));
        }
        assert_valid(decoded);
    }

    #[test]
    fn no_models_name_leaves_its_segment(model in "\\PC{0,20}|[./%a-z]{0,12}") {
        let mut provider = provider("https://google.example/base?v=1");
        provider.endpoint.settings.api_key = None;
        let url = provider.endpoint.url(&path(&model)).unwrap();
        prop_assert_eq!(url.path_segments().unwrap().count(), 4);
        prop_assert_eq!(url.query(), Some("v=1"));
        prop_assert!(url.path().starts_with("/base/v1beta/models/") && url.path().ends_with(":generateContent"));
    }
}
