use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::*;
use crate::http::{Http, MAX_BODY_BYTES};
use crate::http_provider::HttpProvider;
use crate::testing::{Request, ServerAction, start_server};
use crate::{Provider, ProviderSettings};

const FIXTURE: &str = include_str!("../../fixtures/openai-search.json");
const KEY: &str = "sk-hidden-1234";

fn provider(base_url: &str) -> HttpProvider {
    let settings = ProviderSettings {
        api_key: Some(KEY.to_owned()),
        base_url: Some(base_url.to_owned()),
    };
    HttpProvider::new(OPENAI, settings, Arc::new(Http::default()))
}

const QUESTION: Question<'static> = Question {
    model: "gpt-6-luna",
    prompt: "Qual é o melhor galpão?",
    language: "pt-BR",
    country: Some("BR"),
};

/// Asks a question of a server that performs `action`, with a timeout of 300 ms.
async fn ask(action: ServerAction) -> Result<Answer, AskError> {
    let server = start_server(action).await;
    let mut provider = provider(&server.origin);
    provider.endpoint.answer_timeout = Duration::from_millis(300);
    provider.ask(&QUESTION).await
}

async fn error_of(status: u16, headers: &str, body: &str) -> AskError {
    ask(ServerAction::respond(status, headers, body))
        .await
        .unwrap_err()
}

#[tokio::test]
async fn a_question_is_asked_with_search_from_its_country() {
    let mut server = start_server(ServerAction::respond(200, "", FIXTURE)).await;
    let answer = provider(&format!("{}/v1/", server.origin))
        .ask(&QUESTION)
        .await
        .unwrap();
    assert_eq!(answer.queries.len(), 4);
    let Request { line, head, body } = server.request().await;
    assert_eq!(line, "POST /v1/responses HTTP/1.1");
    assert!(head.contains("authorization: bearer sk-hidden-1234"));
    assert!(head.contains("content-type: application/json"));
    assert_eq!(
        body,
        json!({
            "model": "gpt-6-luna", "input": "Qual é o melhor galpão?", "store": false,
            "instructions": "The user's language is pt-BR.",
            "max_output_tokens": 12_288, "max_tool_calls": 4,
            "tools": [{"type": "web_search", "user_location": {"type": "approximate", "country": "BR"}}],
        })
    );
}

#[tokio::test]
async fn a_question_without_a_country_has_a_location_and_needs_no_key() {
    let mut server = start_server(ServerAction::respond(200, "", FIXTURE)).await;
    let mut provider = provider(&server.origin);
    provider.endpoint.settings.api_key = None;
    let question = Question {
        country: None,
        ..QUESTION
    };
    provider.ask(&question).await.unwrap();
    let Request { head, body, .. } = server.request().await;
    assert!(!head.contains("authorization"));
    assert_eq!(body["tools"][0]["user_location"], json!({"type": "approximate"}));
}

#[tokio::test]
async fn each_status_has_its_meaning() {
    for (status, kind) in [
        (400, "Permanent"),
        (401, "Forbidden"),
        (402, "Forbidden"),
        (403, "Forbidden"),
        (404, "Permanent"),
        (408, "AnswerLost"),
        (409, "AnswerLost"),
        (413, "Permanent"),
        (418, "Permanent"),
        (422, "Permanent"),
        (429, "Unavailable"),
        (500, "AnswerLost"),
        (502, "AnswerLost"),
        (503, "Unavailable"),
        (504, "AnswerLost"),
        (529, "Unavailable"),
        (307, "Permanent"),
    ] {
        let headers = if status == 307 {
            "location: /elsewhere\r\n"
        } else {
            ""
        };
        let error = error_of(status, headers, "<html>oh</html>").await;
        assert!(format!("{error:?}").starts_with(kind), "{status}: {error:?}");
        assert!(error.reason().contains(&status.to_string()), "{error}");
        assert_eq!(error.was_accepted(), kind == "AnswerLost");
    }
}

#[tokio::test]
async fn a_busy_providers_retry_hint_is_parsed() {
    let after = |error| match error {
        AskError::Unavailable { retry_after, .. } => retry_after,
        other => panic!("{other:?}"),
    };
    let both = "retry-after: 9\r\nretry-after-ms: 250\r\n";
    assert_eq!(
        after(error_of(429, both, "{}").await),
        Some(Duration::from_millis(250))
    );
    assert_eq!(
        after(error_of(503, "retry-after: 9\r\n", "").await),
        Some(Duration::from_secs(9))
    );
    assert_eq!(after(error_of(529, "", "").await), None);
}

#[tokio::test]
async fn an_unreachable_provider_accepted_no_request() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let closed = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let error = provider(&closed).ask(&QUESTION).await.unwrap_err();
    assert!(
        matches!(
            error,
            AskError::Unavailable {
                retry_after: None,
                ..
            }
        ),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_missing_and_a_partial_answer_are_lost() {
    let half = b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n{\"status\":".to_vec();
    for (action, reason) in [
        (ServerAction::Hang(Vec::new()), "no answer within 0.3 s"),
        (ServerAction::Hang(half.clone()), "no answer within 0.3 s"),
        (ServerAction::Send(half), "the connection broke"),
        (ServerAction::Send(Vec::new()), "the connection broke"),
        (
            ServerAction::Send(b"SSH-2.0-x\r\n".to_vec()),
            "the connection broke",
        ),
        (ServerAction::respond(200, "", "<html>hello</html>"), "unreadable"),
        (ServerAction::respond(200, "", "[]"), "unreadable"),
        (ServerAction::respond(200, "", ""), "unreadable"),
    ] {
        let error = ask(action).await.unwrap_err();
        assert!(
            error.was_accepted() && error.reason().contains(reason),
            "{error:?}, not {reason}"
        );
    }
}

#[tokio::test]
async fn an_endless_body_is_not_read_to_its_end() {
    let mut endless = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    endless.resize(endless.len() + MAX_BODY_BYTES + 1, b' ');
    let server = start_server(ServerAction::Hang(endless)).await;
    let error = provider(&server.origin).ask(&QUESTION).await.unwrap_err();
    assert_eq!(error, AskError::answer_lost("the answer is larger than 8 MiB"));
}

#[tokio::test]
async fn neither_key_nor_payload_nor_address_is_in_an_error() {
    let body = json!({"error": {"message": format!("Incorrect API key: {KEY}"), "code": KEY, "type": KEY}})
        .to_string();
    for status in [400, 401, 429, 500] {
        let error = error_of(status, "", &body).await;
        assert!(!format!("{error} {error:?}").contains("hidden"), "{error:?}");
    }
    let closed = provider("http://user:hidden@127.0.0.1:1/v1")
        .ask(&QUESTION)
        .await
        .unwrap_err();
    assert!(!format!("{closed} {closed:?}").contains("hidden"), "{closed:?}");
}

#[tokio::test]
async fn unusable_settings_are_errors_without_a_request() {
    for base_url in ["nonsense", "ftp://127.0.0.1/v1", "http://"] {
        let error = provider(base_url).ask(&QUESTION).await.unwrap_err();
        assert_eq!(
            error,
            AskError::permanent("the provider's address is not usable"),
            "{base_url}"
        );
    }
    let mut provider = provider("http://127.0.0.1:1");
    provider.endpoint.settings.api_key = Some("two\nlines".to_owned());
    assert!(matches!(
        provider.ask(&QUESTION).await,
        Err(AskError::InvalidKey { .. })
    ));
}

#[test]
fn the_address_is_openais_unless_another_is_given() {
    let url = |base_url: Option<&str>| {
        let mut provider = provider("");
        provider.endpoint.settings.base_url = base_url.map(str::to_owned);
        provider.endpoint.url("/responses").unwrap().to_string()
    };
    assert_eq!(url(None), "https://api.openai.com/v1/responses");
    assert_eq!(
        url(Some("http://127.0.0.1:1/v1/")),
        "http://127.0.0.1:1/v1/responses"
    );
    assert_eq!(
        url(Some("https://proxy.example/a?v=1")),
        "https://proxy.example/a/responses?v=1"
    );
}

#[tokio::test]
async fn prompts_are_generated_by_structured_output_without_tools() {
    let request = GenerationRequest {
        model: "gpt-6-luna",
        name: "Shedwright",
        domain: Some("shedwright.example"),
        description: "Garden sheds",
        language: "de",
        language_name: "German",
        country: Some("DE"),
        count: 2,
    };
    let reply = |content: Value| json!({"status": "completed", "output": [{"type": "message", "content": [content]}]});
    let good = reply(json!({"type": "output_text", "text": r#"{"prompts": [" Eins? ", "Zwei?", "Drei?"]}"#}));
    let mut server = start_server(ServerAction::respond(200, "", &good.to_string())).await;
    let prompts = provider(&server.origin).generate_prompts(&request).await.unwrap();
    assert_eq!(prompts, ["Eins?", "Zwei?"]);
    let body = server.request().await.body;
    let format = &body["text"]["format"];
    assert_eq!(
        (&format["type"], &format["strict"]),
        (&json!("json_schema"), &json!(true))
    );
    assert_eq!(format["schema"]["required"], json!(["prompts"]));
    assert!(body.get("tools").is_none());
    assert!(body["input"].as_str().unwrap().contains("shedwright.example"));

    let refusal = reply(json!({"type": "refusal", "refusal": "No."})).to_string();
    let server = start_server(ServerAction::respond(200, "", &refusal)).await;
    let error = provider(&server.origin)
        .generate_prompts(&request)
        .await
        .unwrap_err();
    assert!(matches!(error, AskError::Permanent { .. }));

    let server = start_server(ServerAction::Hang(Vec::new())).await;
    let mut slow = provider(&server.origin);
    slow.endpoint.generation_timeout = Duration::from_millis(100);
    assert!(slow.generate_prompts(&request).await.unwrap_err().was_accepted());
}
