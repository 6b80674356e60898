//! The demo provider's HTTP side: `POST /v1/responses`.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use domain::clock::Clock;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::answer::{self, Asked};
use super::prompts;

const BODY_BYTES: usize = 1024 * 1024;

/// Serves the demo provider until `shutdown`. Its base URL is `http://<listener's address>/v1`.
pub async fn serve(
    listener: TcpListener,
    clock: Arc<dyn Clock>,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let router = Router::new()
        .route("/v1/responses", post(respond))
        .route("/responses", post(respond))
        .fallback(unknown_path)
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .with_state(clock);
    axum::serve(listener, router)
        .with_graceful_shutdown(shutdown)
        .await
}

async fn respond(State(clock): State<Arc<dyn Clock>>, body: Bytes) -> Response {
    match answer_to(&body, clock.as_ref()) {
        Ok(answer) => reply(StatusCode::OK, &answer),
        Err(Bad { message, param }) => reply(StatusCode::BAD_REQUEST, &error(&message, param)),
    }
}

async fn unknown_path() -> Response {
    reply(StatusCode::NOT_FOUND, &error("Unknown request URL.", None))
}

/// What is wrong with a request, and with which parameter.
#[derive(Debug)]
struct Bad {
    message: String,
    param: Option<&'static str>,
}

fn answer_to(body: &[u8], clock: &dyn Clock) -> Result<Value, Bad> {
    let body: Value = serde_json::from_slice(body)
        .ok()
        .filter(Value::is_object)
        .ok_or_else(|| Bad {
            message: "We could not parse the JSON body of your request.".to_owned(),
            param: None,
        })?;
    let missing = |param| Bad {
        message: format!("Missing required parameter: '{param}'."),
        param: Some(param),
    };
    let model = body["model"]
        .as_str()
        .filter(|m| !m.is_empty())
        .ok_or_else(|| missing("model"))?;
    let input = input(&body["input"]).ok_or_else(|| missing("input"))?;
    let tools = body["tools"].as_array().map_or(&[][..], Vec::as_slice);
    let asked = Asked {
        model,
        input: &input,
        day: clock.now().day(),
        search: tools.iter().any(|tool| {
            tool["type"]
                .as_str()
                .is_some_and(|name| name.starts_with("web_search"))
        }),
    };
    Ok(if body["text"]["format"]["type"] == "json_schema" {
        answer::plain(&asked, &prompts::answer(&input))
    } else {
        answer::response(&asked)
    })
}

/// The input's text: a string, or messages whose content is a string or a list of parts with text.
fn input(value: &Value) -> Option<String> {
    let texts: Vec<&str> = match value {
        Value::String(text) => vec![text],
        Value::Array(messages) => messages.iter().flat_map(|m| content(&m["content"])).collect(),
        _ => return None,
    };
    let text = texts.join("\n");
    (!text.trim().is_empty()).then_some(text)
}

fn content(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => Vec::new(),
    }
}

/// An error as OpenAI writes it.
fn error(message: &str, param: Option<&str>) -> Value {
    json!({"error": {"message": message, "type": "invalid_request_error", "param": param, "code": null}})
}

fn reply(status: StatusCode, body: &Value) -> Response {
    (
        status,
        [(header::CONTENT_TYPE, "application/json")],
        body.to_string(),
    )
        .into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::time::Millis;

    struct Epoch;

    impl Clock for Epoch {
        fn now(&self) -> Millis {
            Millis(0)
        }

        fn real(&self) -> Millis {
            Millis(0)
        }

        fn stretch(&self, ms: i64) -> i64 {
            ms
        }
    }

    fn refused(body: &str) -> Value {
        let bad = answer_to(body.as_bytes(), &Epoch).unwrap_err();
        error(&bad.message, bad.param)
    }

    #[test]
    fn a_bad_request_is_refused_in_openais_shape() {
        let missing = refused(r#"{"model": "demo-atlas", "input": 7}"#);
        assert_eq!(
            missing,
            json!({"error": {
                "message": "Missing required parameter: 'input'.", "type": "invalid_request_error",
                "param": "input", "code": null,
            }})
        );
        assert_eq!(refused(r#"{"input": "x"}"#)["error"]["param"], "model");
        for body in ["", "[]", "{", "\u{fffd}", r#"{"model": "a", "input": "\ud800"}"#] {
            let message = &refused(body)["error"]["message"];
            assert_eq!(
                message, "We could not parse the JSON body of your request.",
                "{body}"
            );
        }
    }

    #[test]
    fn messages_are_read_like_a_plain_input() {
        let of = |input: Value| {
            let body = json!({"model": "demo-atlas", "input": input}).to_string();
            answer_to(body.as_bytes(), &Epoch).unwrap()
        };
        let plain = of(json!("Which bank?"));
        assert_eq!(plain, of(json!([{"role": "user", "content": "Which bank?"}])));
        assert_eq!(
            plain,
            of(json!([{"content": [{"type": "input_text", "text": "Which bank?"}]}]))
        );
    }
}
