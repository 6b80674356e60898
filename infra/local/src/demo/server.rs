//! The demo provider's HTTP side: one path per vendor's API.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use domain::clock::Clock;
use domain::time::Day;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::answer::{self, Asked};
use super::composed::Composed;
use super::fault::{self, Fault};
use super::prompts;
use super::wire::{ANTHROPIC, Failure, Format, GEMINI, MISTRAL, OPENAI, PERPLEXITY, Request, XAI};

const MAX_BODY_BYTES: usize = 1024 * 1024;

/// Serves the demo provider until `shutdown`. Its origin is every vendor's base URL, with `/v1` behind it for OpenAI and xAI.
pub async fn serve(
    listener: TcpListener,
    clock: Arc<dyn Clock>,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let router = Router::new()
        .route("/v1/responses", post(responses))
        .route("/responses", post(responses))
        .route("/v1/messages", post(messages))
        .route("/v1beta/models/{call}", post(generate_content))
        .route("/v1/conversations", post(conversations))
        .fallback(unknown_path)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .with_state(clock);
    axum::serve(listener, router)
        .with_graceful_shutdown(shutdown)
        .await
}

type ServiceClock = State<Arc<dyn Clock>>;

/// Three vendors share this path; the model's name tells them apart.
async fn responses(State(clock): ServiceClock, body: Bytes) -> Response {
    let body = parse(&body);
    let format = match body["model"].as_str() {
        Some(model) if model.starts_with("perplexity/") => &PERPLEXITY,
        Some(model) if model.starts_with("grok") => &XAI,
        _ => &OPENAI,
    };
    respond(format, &body, clock.now().day()).await
}

async fn messages(State(clock): ServiceClock, body: Bytes) -> Response {
    respond(&ANTHROPIC, &parse(&body), clock.now().day()).await
}

async fn conversations(State(clock): ServiceClock, body: Bytes) -> Response {
    respond(&MISTRAL, &parse(&body), clock.now().day()).await
}

/// `{model}:generateContent`.
async fn generate_content(State(clock): ServiceClock, Path(call): Path<String>, body: Bytes) -> Response {
    let Some(model) = call.strip_suffix(":generateContent") else {
        return unknown_path().await;
    };
    let mut body = parse(&body);
    if let Value::Object(body) = &mut body {
        body.insert("model".to_owned(), json!(model));
    }
    respond(&GEMINI, &body, clock.now().day()).await
}

async fn unknown_path() -> Response {
    fail(&OPENAI, &failure(404, "Unknown request URL.".to_owned()))
}

/// The body, if it is a JSON object.
fn parse(body: &[u8]) -> Value {
    serde_json::from_slice(body)
        .ok()
        .filter(Value::is_object)
        .unwrap_or_default()
}

async fn respond(format: &Format, body: &Value, day: Day) -> Response {
    match reply(format, body, day) {
        Reply::Answer(answer) => json_response(StatusCode::OK, (format.write)(&answer).to_string()),
        Reply::Failure(failure) => fail(format, &failure),
        Reply::Nonsense => json_response(StatusCode::OK, "<html>Hello".to_owned()),
        Reply::Silence => std::future::pending().await,
    }
}

#[derive(Debug)]
enum Reply {
    Answer(Composed),
    Failure(Failure),
    Nonsense,
    Silence,
}

fn reply(format: &Format, body: &Value, day: Day) -> Reply {
    if !body.is_object() {
        let message = "We could not parse the JSON body of your request.".to_owned();
        return Reply::Failure(failure(400, message));
    }
    let request = match (format.read)(body) {
        Ok(request) => request,
        Err(param) => {
            let message = format!("Missing required parameter: '{param}'.");
            return Reply::Failure(Failure {
                param: Some(param),
                ..failure(400, message)
            });
        }
    };
    let (model, fault) = fault::split(&request.model);
    let answer = || answer_of(model, &request, day);
    match fault {
        None => Reply::Answer(answer()),
        Some(Fault::Truncated) => Reply::Answer(answer().truncated(request.limit)),
        Some(Fault::Refused) => Reply::Answer(answer().refused()),
        Some(Fault::Status(status)) => {
            Reply::Failure(failure(status, "As the model's name asks for.".to_owned()))
        }
        Some(Fault::Wait(seconds)) => Reply::Failure(Failure {
            wait: Some(seconds),
            ..failure(429, "Slow down, as the model's name asks for.".to_owned())
        }),
        Some(Fault::Nonsense) => Reply::Nonsense,
        Some(Fault::Stall) => Reply::Silence,
    }
}

fn answer_of(model: &str, request: &Request, day: Day) -> Composed {
    let asked = Asked {
        model,
        input: &request.input,
        day,
        search: request.search,
    };
    if request.structured {
        answer::plain(&asked, prompts::answer(&request.input))
    } else {
        answer::compose(&asked)
    }
}

fn failure(status: u16, message: String) -> Failure {
    Failure {
        status,
        message,
        param: None,
        wait: None,
    }
}

fn fail(format: &Format, failure: &Failure) -> Response {
    let status = StatusCode::from_u16(failure.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = json_response(status, (format.error)(failure).to_string());
    if let Some(wait) = failure.wait.filter(|_| format.has_retry_after) {
        response.headers_mut().insert(header::RETRY_AFTER, wait.into());
    }
    response
}

fn json_response(status: StatusCode, body: String) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(body: &str) -> Value {
        match reply(&OPENAI, &parse(body.as_bytes()), Day(0)) {
            Reply::Failure(failure) => (OPENAI.error)(&failure),
            other => panic!("{other:?}"),
        }
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
        let of = |input: Value| match reply(&OPENAI, &json!({"model": "demo-atlas", "input": input}), Day(0))
        {
            Reply::Answer(answer) => answer,
            other => panic!("{other:?}"),
        };
        let plain = of(json!("Which bank?"));
        assert_eq!(plain, of(json!([{"role": "user", "content": "Which bank?"}])));
        assert_eq!(
            plain,
            of(
                json!([{"role": "system", "content": "Be brief."}, {"content": [{"type": "input_text", "text": "Which bank?"}]}])
            )
        );
    }
}
