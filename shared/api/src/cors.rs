//! Cross-origin requests (CORS). The operator lists the origins whose web pages can call the API; the default is none.
//!
//! API Gateway passes preflight requests of `ANY` routes to the function, so the function answers them.

use lambda_http::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, HeaderMap,
    HeaderValue, ORIGIN, VARY,
};
use lambda_http::http::{Method, Response, StatusCode};
use lambda_http::{Body, Request};

/// The request headers that a web page can set. Those of MCP name the version and the call.
const REQUEST_HEADERS: &str =
    "authorization, content-type, idempotency-key, mcp-method, mcp-name, mcp-protocol-version, x-api-key";
/// The response headers that a web page can read.
const RESPONSE_HEADERS: &str = "ratelimit, ratelimit-policy, retry-after, www-authenticate, x-request-id";
/// The time for which a browser caches a preflight response, in seconds. No browser caches one for longer than two hours.
const MAX_AGE: &str = "7200";

/// The origins whose web pages can read responses.
#[derive(Debug, Clone, Default)]
pub struct Cors(Vec<String>);

impl Cors {
    /// Allows `origins`, such as `https://app.example.com`. The origin `*` allows every origin.
    pub fn new(origins: Vec<String>) -> Self {
        Self(origins)
    }

    /// Returns the value of `Access-Control-Allow-Origin` for a request, or `None` if its origin is not allowed or not given.
    pub(crate) fn allowed_origin(&self, request: &HeaderMap) -> Option<HeaderValue> {
        let origin = request.get(ORIGIN)?;
        if self.0.iter().any(|allowed| allowed == "*") {
            return Some(HeaderValue::from_static("*"));
        }
        let is_allowed = self
            .0
            .iter()
            .any(|allowed| allowed.as_bytes() == origin.as_bytes());
        is_allowed.then(|| origin.clone())
    }

    /// Returns whether a web page of another origin than those listed sent a request.
    pub fn refuses(&self, request: &HeaderMap) -> bool {
        request.contains_key(ORIGIN) && self.allowed_origin(request).is_none()
    }

    /// Adds the CORS headers to a response. `Vary` keeps a cache from serving one origin's response to another.
    pub(crate) fn add_headers(&self, headers: &mut HeaderMap, allowed_origin: Option<HeaderValue>) {
        if !self.0.is_empty() {
            headers.append(VARY, HeaderValue::from_static("origin"));
        }
        if let Some(origin) = allowed_origin {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(
                ACCESS_CONTROL_EXPOSE_HEADERS,
                HeaderValue::from_static(RESPONSE_HEADERS),
            );
        }
    }
}

/// Returns whether the request is a preflight, with which a browser asks which requests a web page can send.
pub(crate) fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// Creates the response to a preflight request of a path with these `methods`, separated by commas.
pub(crate) fn preflight_response(methods: &str) -> Response<Body> {
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
