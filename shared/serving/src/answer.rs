//! Answers a request, and logs and counts the response.

use domain::clock::Clock;
use lambda_http::http::header::HeaderValue;
use lambda_http::http::{Response, StatusCode};
use lambda_http::request::RequestContext;
use lambda_http::{Body, Request, RequestExt};
use tracing::Instrument;

use crate::log;

const REQUEST_ID: &str = "x-request-id";

/// What becomes of a request.
pub struct Answer {
    pub response: Response<Body>,
    /// The status that is logged and counted, if it is not that of the response. A protocol whose errors are
    /// part of the body answers with 200 when the endpoint behind it fails.
    pub logged_status: Option<StatusCode>,
}

impl From<Response<Body>> for Answer {
    fn from(response: Response<Body>) -> Self {
        Self {
            response,
            logged_status: None,
        }
    }
}

/// Answers a request with `respond`, logs and counts the response, and gives it the id of the request.
///
/// `function` is the name of the function's folder, which is a dimension of its metrics. What `respond` logs
/// has the ids of the request.
pub async fn answer<F: Future<Output = Answer>>(
    function: &'static str,
    clock: &dyn Clock,
    request: Request,
    respond: impl FnOnce(Request) -> F,
) -> Response<Body> {
    let start = clock.real_now();
    let request_id = request_id(&request);
    let span = log::request_span(function, request_id.as_deref(), request.method());
    let Answer {
        mut response,
        logged_status,
    } = respond(request).instrument(span.clone()).await;
    if let Some(Ok(id)) = request_id.as_deref().map(HeaderValue::from_str) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    let latency = clock.real_now().duration_since(start);
    let status = logged_status.unwrap_or(response.status());
    span.in_scope(|| log::log_response(status, latency));
    response
}

fn request_id(request: &Request) -> Option<String> {
    match request.request_context_ref()? {
        RequestContext::ApiGatewayV2(context) => context.request_id.clone(),
        _ => None,
    }
}
