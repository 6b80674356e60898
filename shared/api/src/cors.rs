//! Which web pages may read the answers: those of the origins that the operator names, none by default. API Gateway hands
//! a preflight to the function of an `ANY` route, so it is answered here, like everything else.

use lambda_http::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, HeaderMap,
    HeaderValue, ORIGIN, VARY,
};
use lambda_http::http::{Method, Response, StatusCode};
use lambda_http::{Body, Request};

/// Headers of requests that a page may set, and of answers that it may read.
const REQUEST_HEADERS: &str = "authorization, content-type, idempotency-key, x-api-key";
const ANSWER_HEADERS: &str = "retry-after, x-request-id";
/// Seconds that a browser need not ask again; none of them waits longer.
const MAX_AGE: &str = "7200";

/// The origins that may read answers: `https://app.example.com`, or `*` for all.
#[derive(Debug, Clone, Default)]
pub struct Cors(Vec<String>);

impl Cors {
    pub fn new(origins: Vec<String>) -> Self {
        Self(origins)
    }

    /// Whom the answer to a request may be shown to; `None`: nobody is named, or somebody else.
    pub(crate) fn reader(&self, request: &HeaderMap) -> Option<HeaderValue> {
        let origin = request.get(ORIGIN)?;
        if self.0.iter().any(|named| named == "*") {
            return Some(HeaderValue::from_static("*"));
        }
        let is_named = self.0.iter().any(|named| named.as_bytes() == origin.as_bytes());
        is_named.then(|| origin.clone())
    }

    /// Says who may read the answer. A cache must not give one origin's answer to another.
    pub(crate) fn mark(&self, answer: &mut HeaderMap, reader: Option<HeaderValue>) {
        if !self.0.is_empty() {
            answer.append(VARY, HeaderValue::from_static("origin"));
        }
        if let Some(reader) = reader {
            answer.insert(ACCESS_CONTROL_ALLOW_ORIGIN, reader);
            answer.insert(
                ACCESS_CONTROL_EXPOSE_HEADERS,
                HeaderValue::from_static(ANSWER_HEADERS),
            );
        }
    }
}

/// Whether a browser asks what a page may send.
pub(crate) fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// What a page may send to a path that takes these methods.
pub(crate) fn preflight(methods: &str) -> Response<Body> {
    let mut response = Response::new(Body::Empty);
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    if let Ok(methods) = HeaderValue::from_str(methods) {
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
    }
    headers.insert(
        ACCESS_CONTROL_ALLOW_HEADERS,
        HeaderValue::from_static(REQUEST_HEADERS),
    );
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE));
    response
}
