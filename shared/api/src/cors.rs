//! Cross-origin requests (CORS). The operator lists the origins whose web pages can call the API; the default
//! is none.
//!
//! API Gateway passes preflight requests of `ANY` routes to the function, so the function answers them.

use lambda_http::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, HOST, HeaderMap,
    HeaderValue, ORIGIN, VARY,
};
use lambda_http::http::{Method, Response, StatusCode};
use lambda_http::{Body, Request};
use url::{Host, Url};

/// The request headers that a web page can set. Those of MCP name the version and the call.
const REQUEST_HEADERS: &str =
    "authorization, content-type, idempotency-key, mcp-method, mcp-name, mcp-protocol-version, x-api-key";
/// The response headers that a web page can read.
const RESPONSE_HEADERS: &str = "ratelimit, ratelimit-policy, retry-after, www-authenticate, x-request-id";
/// The time for which a browser caches a preflight response, in seconds. No browser caches one for longer
/// than two hours.
const MAX_AGE: &str = "7200";

/// The origins whose web pages can read responses.
#[derive(Debug, Clone, Default)]
pub struct Cors(Vec<String>);

impl Cors {
    /// Allows `origins`, such as `https://app.example.com`. The origin `*` allows every origin.
    pub fn new(origins: Vec<String>) -> Self {
        Self(origins)
    }

    /// Returns the value of `Access-Control-Allow-Origin` for a request, or `None` if its origin is not
    /// allowed or not given.
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

    /// Returns whether a web page of another origin than those listed sent a request. One of a page of this
    /// machine to a server on this machine is not refused, but a browser sends it only if the page is the
    /// server's own.
    pub fn refuses(&self, request: &HeaderMap) -> bool {
        let Some(origin) = request.get(ORIGIN) else {
            return false;
        };
        let host = request.get(HOST).and_then(|host| host.to_str().ok());
        let is_local = origin.to_str().is_ok_and(is_loopback)
            && host.is_some_and(|host| is_loopback(&format!("http://{host}")));
        !is_local && self.allowed_origin(request).is_none()
    }

    /// Adds the CORS headers to a response. `Vary` keeps a cache from serving one origin's response to
    /// another.
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

fn is_loopback(url: &str) -> bool {
    let url = Url::parse(url).ok();
    match url.as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_this_machine_may_use_a_server_on_this_machine_and_no_other_page_may() {
        let refuses = |cors: &Cors, host: &str, origin: &str| {
            let headers = [(HOST, host), (ORIGIN, origin)];
            let headers = headers.map(|(name, value)| (name, value.parse().unwrap()));
            cors.refuses(&headers.into_iter().collect())
        };
        let none = Cors::default();
        for (host, origin) in [
            ("127.0.0.1:9400", "http://127.0.0.1:9400"),
            ("localhost:9400", "http://localhost:6274"),
            ("[::1]:9400", "http://[::1]:9400"),
        ] {
            assert!(!refuses(&none, host, origin), "{host} {origin}");
        }
        for (host, origin) in [
            ("127.0.0.1:9400", "http://evil.example"),
            // The name of the page's server was bound to this machine.
            ("evil.example:9400", "http://evil.example:9400"),
            ("evil.example", "http://localhost"),
            ("api.example.com", "http://localhost:3000"),
            ("127.0.0.1:9400", "http://localhost.evil.example"),
            ("127.0.0.1:9400", "null"),
            ("127.0.0.1:9400", ""),
        ] {
            assert!(refuses(&none, host, origin), "{host} {origin}");
        }
        let listed = Cors::new(vec!["https://app.example.com".to_owned()]);
        assert!(!refuses(&listed, "api.example.com", "https://app.example.com"));
        assert!(refuses(&listed, "api.example.com", "https://app.example.org"));
        assert!(!none.refuses(&HeaderMap::new()));
    }
}
