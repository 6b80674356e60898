//! What is logged of a request: its ids on every line, and one line when it is answered.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use domain::id::{KeyId, WorkspaceId};
use lambda_http::http::{Method, StatusCode};
use runtime::metrics::{CLIENT_ERRORS, LATENCY, REQUESTS, SERVER_ERRORS, count};
use tracing::Span;
use tracing::field::{Empty, display};

/// Whether this process has answered nothing yet.
static IS_COLD: AtomicBool = AtomicBool::new(true);

/// What a request's lines have in common. An error's span, because the lines of one below the log's level lack its
/// fields.
pub(crate) fn span(function: &str, request_id: Option<&str>, method: &Method) -> Span {
    tracing::error_span!(
        "request",
        request.id = request_id,
        function.name = function,
        http.method = known(method),
        http.route = Empty,
        workspace.id = Empty,
        key.id = Empty,
    )
}

/// A path that a function has, not the one that was sent.
pub(crate) fn know_route(path: &'static str) {
    Span::current().record("http.route", path);
}

pub(crate) fn know_client(workspace: &WorkspaceId, key: &KeyId) {
    Span::current()
        .record("workspace.id", display(workspace))
        .record("key.id", display(key));
}

/// Logs that a request was answered.
pub(crate) fn answered(status: StatusCode, latency: Duration) {
    let is_cold = IS_COLD.swap(false, Ordering::Relaxed);
    tracing::info!(
        http.status = status.as_u16(),
        cold_start = is_cold.then_some(true),
        { REQUESTS } = 1,
        { LATENCY } = u64::try_from(latency.as_millis()).unwrap_or(u64::MAX),
        { CLIENT_ERRORS } = count(status.is_client_error().into()),
        { SERVER_ERRORS } = count(status.is_server_error().into()),
        "a request is answered"
    );
}

/// The method, unless a client has made it up.
fn known(method: &Method) -> Option<&str> {
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
