//! Sanitizes events. `lambda_http` panics on an event from which it cannot make an HTTP request.

use lambda_http::aws_lambda_events::apigw::ApiGatewayV2httpRequest;
use lambda_http::aws_lambda_events::encodings::Base64Data;
use lambda_http::http::header::HOST;
use lambda_http::request::LambdaRequest;
use serde_json::json;
use url::Url;

const SCHEME: &str = "x-forwarded-proto";
/// The maximum length of a URI that the `http` crate can build, in bytes.
const MAX_URI_BYTES: usize = 65_000;
/// The maximum length of a host with its port and scheme, in bytes.
const MAX_HOST_BYTES: usize = 300;

/// Changes an event so that an HTTP request can be made from it.
///
/// Bytes of the query that a URI cannot contain are percent-encoded. An invalid host or scheme is removed.
/// The path starts with `/`. A body that is marked as base64 but is not base64 becomes text. If the URI is
/// too long, the path becomes `/` and the query is removed.
#[must_use]
pub fn sanitize_event(event: LambdaRequest) -> LambdaRequest {
    match event {
        LambdaRequest::ApiGatewayV2(request) => LambdaRequest::ApiGatewayV2(sanitize_request(request)),
        other => other,
    }
}

fn sanitize_request(mut request: ApiGatewayV2httpRequest) -> ApiGatewayV2httpRequest {
    let path = request.raw_path.get_or_insert_default();
    if !path.starts_with('/') {
        path.insert(0, '/');
    }
    let scheme = request.headers.get(SCHEME);
    if scheme.is_some_and(|scheme| scheme != "http" && scheme != "https") {
        request.headers.remove(SCHEME);
    }
    let domain = &mut request.request_context.domain_name;
    *domain = domain.take().filter(|domain| is_host(domain));
    let host = request.headers.get(HOST).and_then(|host| host.to_str().ok());
    if host.is_some_and(|host| !is_host(host)) {
        request.headers.remove(HOST);
    }
    if let Some(query) = &mut request.raw_query_string {
        *query = escape_query(query);
    }
    let length = MAX_HOST_BYTES
        + request.raw_path.as_ref().map_or(0, |path| 3 * path.len())
        + request.raw_query_string.as_ref().map_or(0, String::len);
    if length > MAX_URI_BYTES {
        request.raw_path = Some("/".to_owned());
        request.raw_query_string = None;
    }
    if request.is_base64_encoded {
        let is_base64 = |body: &String| serde_json::from_value::<Base64Data>(json!(body)).is_ok();
        request.is_base64_encoded = request.body.as_ref().is_some_and(is_base64);
    }
    request
}

/// Returns whether a text is a host name or an IP address, with or without a port.
fn is_host(host: &str) -> bool {
    let is_allowed = |b: u8| b.is_ascii_alphanumeric() || b".-_:[]".contains(&b);
    let fits = (1..=MAX_HOST_BYTES).contains(&host.len()) && host.bytes().all(is_allowed);
    fits && Url::parse(&format!("https://{host}/")).is_ok()
}

/// Percent-encodes the bytes that a query of a URI cannot contain.
fn escape_query(query: &str) -> String {
    let Ok(mut url) = Url::parse("http://localhost") else {
        return String::new();
    };
    url.set_query(Some(query));
    url.query().unwrap_or("").to_owned()
}

#[cfg(test)]
mod tests {
    use lambda_http::{Request, RequestExt};
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn request(event: &Value) -> Request {
        let event: LambdaRequest = serde_json::from_str(&event.to_string()).unwrap();
        sanitize_event(event).into()
    }

    fn event(path: &str, query: &str) -> Value {
        json!({
            "version": "2.0", "routeKey": "$default", "rawPath": path, "rawQueryString": query,
            "headers": {"host": "api.example"}, "isBase64Encoded": false,
            "requestContext": {
                "http": {"method": "POST", "path": path}, "stage": "$default", "domainName": "api.example",
            },
        })
    }

    #[test]
    fn a_usual_event_is_unchanged() {
        let mut usual = event("/v1/a b", "a=%22b%22&c=d+e%2C,f&&x[]=ü");
        usual["body"] = json!("/wA=");
        usual["isBase64Encoded"] = json!(true);
        let request = request(&usual);
        assert_eq!(request.raw_http_path(), "/v1/a b");
        assert_eq!(request.uri().query(), Some("a=%22b%22&c=d+e%2C,f&&x[]=%C3%BC"));
        assert_eq!(request.body().as_ref(), [0xff, 0x00]);
        assert_eq!(request.uri().host(), Some("api.example"));
    }

    #[test]
    fn bytes_that_a_uri_cannot_contain_are_escaped_in_the_query() {
        let hostile = request(&event("/v1", "a=\"<b>\"&c=\u{0} \u{7f}#d"));
        assert_eq!(hostile.uri().query(), Some("a=%22%3Cb%3E%22&c=%00%20%7F%23d"));
    }

    #[test]
    fn a_body_that_is_not_base64_is_text() {
        let mut broken = event("/v1", "");
        broken["isBase64Encoded"] = json!(true);
        for body in ["#", "a", "YQ", "é", "{\"name\": \"a\"}"] {
            broken["body"] = json!(body);
            assert_eq!(request(&broken).body().as_ref(), body.as_bytes());
        }
    }

    #[test]
    fn an_invalid_host_or_scheme_is_removed() {
        for host in ["", "{", "a b", "a/b", "a?b", "[", "a:b", ":1", "a:99999", "<>"] {
            for scheme in ["", "http", "a b", "javascript", "://"] {
                let mut odd = event("/v1", "a=b");
                odd["headers"] = json!({"host": host, "x-forwarded-proto": scheme});
                odd["requestContext"]["domainName"] = json!(host);
                let request = request(&odd);
                assert_eq!(
                    (request.uri().path(), request.uri().query()),
                    ("/v1", Some("a=b")),
                    "{host} {scheme}"
                );
            }
        }
    }

    #[test]
    fn a_path_and_query_that_are_too_long_for_a_uri_are_removed() {
        for (path, query) in [
            ("/".repeat(70_000), String::new()),
            ("/v1".to_owned(), "\"".repeat(30_000)),
        ] {
            let request = request(&event(&path, &query));
            assert_eq!((request.raw_http_path(), request.uri().query()), ("/", None));
        }
        let long = format!("a={}", "b".repeat(60_000));
        assert_eq!(request(&event("/v1", &long)).uri().query(), Some(long.as_str()));
    }

    proptest! {
        #[test]
        fn every_event_becomes_a_request(
            path in any::<String>(), query in any::<String>(), host in "[ -~]{0,12}", scheme in "[ -~]{0,6}",
            body in any::<String>(), is_base64 in any::<bool>(),
        ) {
            let mut odd = event(&path, &query);
            odd["headers"] = json!({"host": host, "x-forwarded-proto": scheme});
            odd["requestContext"]["domainName"] = json!(host);
            odd["body"] = json!(body);
            odd["isBase64Encoded"] = json!(is_base64);
            let _ = request(&odd);
        }
    }
}
