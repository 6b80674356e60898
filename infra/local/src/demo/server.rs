//! The HTTP server of the demo provider.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use domain::clock::Clock;
use domain::time::Day;
use serde_json::Value;
use tokio::net::TcpListener;

use super::answer_generator::{self, AnswerRequest, GeneratedAnswer};
use super::{prompts, responses_api};
use crate::server;

const MAX_BODY_BYTES: usize = 1024 * 1024;

/// Serves the demo provider until `shutdown` completes. Its origin, followed by `/v1`, is the base URL of
/// OpenAI.
pub async fn serve(
    listener: TcpListener,
    clock: Arc<dyn Clock>,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let today = clock.real_now().day();
    let router = Router::new()
        .route("/v1/responses", post(responses))
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

async fn responses(State(demo): State<DemoState>, body: Bytes) -> Response {
    match response_to(&body, demo.clock.now().day(), demo.today) {
        Ok(answer) => json_response(StatusCode::OK, &responses_api::write(&answer)),
        Err(error) => json_response(StatusCode::BAD_REQUEST, &error),
    }
}

async fn unknown_path() -> Response {
    json_response(
        StatusCode::NOT_FOUND,
        &responses_api::error("Unknown request URL.", None),
    )
}

fn response_to(body: &[u8], day: Day, today: Day) -> Result<GeneratedAnswer, Value> {
    let body: Value = serde_json::from_slice(body)
        .ok()
        .filter(Value::is_object)
        .ok_or_else(|| responses_api::error("We could not parse the JSON body of your request.", None))?;
    let request = responses_api::read(&body).map_err(|param| {
        responses_api::error(&format!("Missing required parameter: '{param}'."), Some(param))
    })?;
    let asked = AnswerRequest {
        model: &request.model,
        input: &request.input,
        day,
        today,
        search: request.search,
    };
    Ok(if request.structured {
        answer_generator::with_text(&asked, prompts::answer(&request.input))
    } else {
        answer_generator::generate(&asked)
    })
}

fn json_response(status: StatusCode, body: &Value) -> Response {
    (
        status,
        [(header::CONTENT_TYPE, "application/json")],
        body.to_string(),
    )
        .into_response()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_bad_request_is_refused_in_openais_shape() {
        let refused = |body: &str| response_to(body.as_bytes(), Day(0), Day(0)).unwrap_err();
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
}
