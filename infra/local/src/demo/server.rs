//! The HTTP server of the demo provider, with a path for each vendor's API.

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

use super::answer_generator::{self, AnswerRequest};
use super::formats::{ANTHROPIC, ErrorResponse, Format, GEMINI, MISTRAL, OPENAI, PERPLEXITY, Request, XAI};
use super::generated_answer::GeneratedAnswer;
use super::prompts;
use super::simulated_fault::{SimulatedFault, split_model};
use crate::server;

const MAX_BODY_BYTES: usize = 1024 * 1024;

/// Serves the demo provider until `shutdown` completes. Its origin is the base URL of every vendor, followed by `/v1` for
/// OpenAI and xAI.
pub async fn serve(
    listener: TcpListener,
    clock: Arc<dyn Clock>,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let today = clock.real_now().day();
    let router = Router::new()
        .route("/v1/responses", post(responses))
        .route("/responses", post(responses))
        .route("/v1/messages", post(messages))
        .route("/v1beta/models/{call}", post(generate_content))
        .route("/v1/conversations", post(conversations))
        .fallback(unknown_path)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .with_state(DemoState { clock, today });
    server::serve(listener, router, shutdown).await
}

#[derive(Clone)]
struct DemoState {
    clock: Arc<dyn Clock>,
    /// The day on which the host starts. The demo's history ends on it, unless older data ends later.
    today: Day,
}

/// Answers OpenAI, Perplexity and xAI, which share this path. The model's name decides the format.
async fn responses(State(demo): State<DemoState>, body: Bytes) -> Response {
    let body = parse(&body);
    let format = match body["model"].as_str() {
        Some(model) if model.starts_with("perplexity/") => &PERPLEXITY,
        Some(model) if model.starts_with("grok") => &XAI,
        _ => &OPENAI,
    };
    respond(format, &body, &demo).await
}

async fn messages(State(demo): State<DemoState>, body: Bytes) -> Response {
    respond(&ANTHROPIC, &parse(&body), &demo).await
}

async fn conversations(State(demo): State<DemoState>, body: Bytes) -> Response {
    respond(&MISTRAL, &parse(&body), &demo).await
}

/// Answers Gemini. The last part of the path is `{model}:generateContent`.
async fn generate_content(State(demo): State<DemoState>, Path(call): Path<String>, body: Bytes) -> Response {
    let Some(model) = call.strip_suffix(":generateContent") else {
        return unknown_path().await;
    };
    let mut body = parse(&body);
    if let Value::Object(body) = &mut body {
        body.insert("model".to_owned(), json!(model));
    }
    respond(&GEMINI, &body, &demo).await
}

async fn unknown_path() -> Response {
    encode_error(&OPENAI, &error(404, "Unknown request URL.".to_owned()))
}

/// Parses a body. Returns `null` if it is not a JSON object.
fn parse(body: &[u8]) -> Value {
    serde_json::from_slice(body)
        .ok()
        .filter(Value::is_object)
        .unwrap_or_default()
}

async fn respond(format: &Format, body: &Value, demo: &DemoState) -> Response {
    match response_to(format, body, demo.clock.now().day(), demo.today) {
        DemoResponse::Answer(answer) => json_response(StatusCode::OK, (format.write)(&answer).to_string()),
        DemoResponse::Error(error) => encode_error(format, &error),
        DemoResponse::InvalidJson => json_response(StatusCode::OK, "<html>Hello".to_owned()),
        DemoResponse::None => std::future::pending().await,
    }
}

#[derive(Debug)]
enum DemoResponse {
    Answer(GeneratedAnswer),
    Error(ErrorResponse),
    InvalidJson,
    /// The connection stays open without a response.
    None,
}

fn response_to(format: &Format, body: &Value, day: Day, today: Day) -> DemoResponse {
    if !body.is_object() {
        let message = "We could not parse the JSON body of your request.".to_owned();
        return DemoResponse::Error(error(400, message));
    }
    let request = match (format.read)(body) {
        Ok(request) => request,
        Err(param) => {
            let message = format!("Missing required parameter: '{param}'.");
            return DemoResponse::Error(ErrorResponse {
                param: Some(param),
                ..error(400, message)
            });
        }
    };
    let (model, fault) = split_model(&request.model);
    let answer = || answer_of(model, &request, day, today);
    match fault {
        None => DemoResponse::Answer(answer()),
        Some(SimulatedFault::Truncated) => DemoResponse::Answer(answer().truncated(request.max_tokens)),
        Some(SimulatedFault::Refused) => DemoResponse::Answer(answer().refused()),
        Some(SimulatedFault::Status(status)) => {
            DemoResponse::Error(error(status, fault_message(status).to_owned()))
        }
        Some(SimulatedFault::RateLimit(seconds)) => DemoResponse::Error(ErrorResponse {
            retry_after: Some(seconds),
            ..error(429, "Slow down, as the model's name asks for.".to_owned())
        }),
        Some(SimulatedFault::InvalidJson) => DemoResponse::InvalidJson,
        Some(SimulatedFault::Stall) => DemoResponse::None,
    }
}

fn answer_of(model: &str, request: &Request, day: Day, today: Day) -> GeneratedAnswer {
    let asked = AnswerRequest {
        model,
        input: &request.input,
        day,
        today,
        search: request.search,
    };
    if request.structured {
        answer_generator::with_text(&asked, prompts::answer(&request.input))
    } else {
        answer_generator::generate(&asked)
    }
}

/// Returns the message of a fault. xAI has no code for an invalid key, so the vendors' words for it stand in the message.
fn fault_message(status: u16) -> &'static str {
    match status {
        401 => "Incorrect API key provided, as the model's name asks for.",
        _ => "As the model's name asks for.",
    }
}

fn error(status: u16, message: String) -> ErrorResponse {
    ErrorResponse {
        status,
        message,
        param: None,
        retry_after: None,
    }
}

fn encode_error(format: &Format, error: &ErrorResponse) -> Response {
    let status = StatusCode::from_u16(error.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = json_response(status, (format.error)(error).to_string());
    if let Some(seconds) = error.retry_after.filter(|_| format.has_retry_after) {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
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
        match response_to(&OPENAI, &parse(body.as_bytes()), Day(0), Day(0)) {
            DemoResponse::Error(error) => (OPENAI.error)(&error),
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
    fn messages_are_decoded_like_a_plain_input() {
        let of = |input: Value| match response_to(
            &OPENAI,
            &json!({"model": "demo-atlas", "input": input}),
            Day(0),
            Day(0),
        ) {
            DemoResponse::Answer(answer) => answer,
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
