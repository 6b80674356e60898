//! The log of a request: its ids on every line, and one line with its metrics when it is answered.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lambda_http::http::{Method, StatusCode};
use runtime::metrics::{CLIENT_ERRORS, LATENCY, REQUESTS, SERVER_ERRORS, count};
use tracing::Span;
use tracing::field::Empty;

/// Whether this process has answered no request yet.
static IS_COLD: AtomicBool = AtomicBool::new(true);

/// Creates the span whose fields are on every log line of the request.
///
/// The API adds the fields of the client. Its level is `error`, because the lines in a span below the level
/// of the log lack the span's fields.
pub(crate) fn request_span(function: &str, request_id: Option<&str>, method: &Method) -> Span {
    tracing::error_span!(
        "request",
        request.id = request_id,
        function.name = function,
        http.method = known_method(method),
        http.route = Empty,
        workspace.id = Empty,
        key.id = Empty,
    )
}

/// Adds the path of the route to the request's log lines.
pub fn record_route(path: &'static str) {
    Span::current().record("http.route", path);
}

/// Logs that the request was answered, with its metrics.
pub(crate) fn log_response(status: StatusCode, latency: Duration) {
    let is_cold = IS_COLD.swap(false, Ordering::Relaxed);
    tracing::info!(
        http.status = status.as_u16(),
        cold_start = is_cold.then_some(true),
        { REQUESTS } = 1,
        { LATENCY } = u64::try_from(latency.as_millis()).unwrap_or(u64::MAX), // Longer than any clock runs.
        { CLIENT_ERRORS } = count(status.is_client_error().into()),
        { SERVER_ERRORS } = count(status.is_server_error().into()),
        "a request is answered"
    );
}

/// Returns the method's name, or `None` for a method that HTTP does not define.
fn known_method(method: &Method) -> Option<&str> {
    let known = [
        Method::GET,
        Method::POST,
        Method::PATCH,
        Method::DELETE,
        Method::PUT,
        Method::HEAD,
        Method::OPTIONS,
    ];
    known.contains(method).then(|| method.as_str())
}
