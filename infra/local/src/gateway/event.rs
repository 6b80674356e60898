//! Turning an HTTP request into an event of payload format 2.0, as API Gateway does.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use aws_lambda_events::encodings::Base64Data;
use domain::time::Timestamp;
use http::header::{self, HeaderMap};
use http::request::Parts;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};
use url::form_urlencoded;
use uuid::Uuid;

use crate::bus::ACCOUNT;

/// Headers that the gateway does not pass on. Cookies have a field of their own.
const DROPPED_HEADERS: [&str; 9] = [
    "connection",
    "cookie",
    "expect",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// A request that was received completely.
pub(super) struct ReceivedRequest<'a> {
    pub(super) parts: &'a Parts,
    /// The path that [`path`] returned.
    pub(super) path: &'a str,
    pub(super) body: Vec<u8>,
    pub(super) peer: SocketAddr,
    pub(super) local: SocketAddr,
    /// `ANY <path>` or `$default`.
    pub(super) route_key: &'a str,
    /// The name of the route's greedy segment, and what it stands for.
    pub(super) path_parameter: Option<(&'a str, &'a str)>,
    pub(super) request_id: &'a str,
    pub(super) now: Timestamp,
}

/// Returns the decoded path, which ends at the first `?` even if that was escaped. Returns `None` if the
/// target has no path.
pub(super) fn path(parts: &Parts) -> Option<String> {
    let mut path = percent_decode_str(parts.uri.path())
        .decode_utf8_lossy()
        .into_owned();
    if let Some(at) = path.find('?') {
        path.truncate(at);
    }
    path.starts_with('/').then_some(path)
}

/// Returns the event of a request.
pub(super) fn event(request: ReceivedRequest<'_>) -> Value {
    let parts = request.parts;
    let headers = headers(&request);
    let raw_query = parts.uri.query().unwrap_or("");
    let header = |name| headers.get(name).map_or("", String::as_str);
    let host = header("host");
    let domain = host.rsplit_once(':').map_or(host, |(name, _port)| name);

    let mut event = Map::new();
    event.insert("version".into(), "2.0".into());
    event.insert("routeKey".into(), request.route_key.into());
    event.insert("rawPath".into(), request.path.into());
    event.insert("rawQueryString".into(), raw_query.into());
    let cookies = cookies(&parts.headers);
    if !cookies.is_empty() {
        event.insert("cookies".into(), cookies.into());
    }
    if !raw_query.is_empty() {
        event.insert("queryStringParameters".into(), json!(query(raw_query)));
    }
    event.insert(
        "requestContext".into(),
        json!({
            "accountId": ACCOUNT,
            "apiId": "local",
            "domainName": domain,
            "domainPrefix": domain.split_once('.').map_or(domain, |(prefix, _)| prefix),
            "http": {
                "method": parts.method.as_str(),
                "path": request.path,
                "protocol": format!("{:?}", parts.version),
                "sourceIp": request.peer.ip().to_string(),
                "userAgent": header("user-agent"),
            },
            "requestId": request.request_id,
            "routeKey": request.route_key,
            "stage": "$default",
            "timeEpoch": request.now.as_millis(),
        }),
    );
    if let Some((name, value)) = request.path_parameter {
        event.insert("pathParameters".into(), json!({ name: value }));
    }
    let is_text = is_text(header("content-type"));
    event.insert("headers".into(), json!(headers));
    let (body, is_base64) = body(request.body, is_text);
    if let Some(body) = body {
        event.insert("body".into(), body);
    }
    event.insert("isBase64Encoded".into(), is_base64.into());
    event.into()
}

/// Parses and decodes a query. The values of a repeated name are joined by commas, in their order.
fn query(raw: &str) -> BTreeMap<String, String> {
    let mut parameters = BTreeMap::new();
    for (name, value) in form_urlencoded::parse(raw.as_bytes()) {
        join(&mut parameters, &name, ",", &value);
    }
    parameters
}

fn join(values: &mut BTreeMap<String, String>, name: &str, separator: &str, value: &str) {
    match values.get_mut(name) {
        Some(values) => values.extend([separator, value]),
        None => drop(values.insert(name.to_owned(), value.to_owned())),
    }
}

/// Returns the headers with lower-case names, and the headers that the gateway adds. The values of a repeated
/// header are joined by commas.
fn headers(request: &ReceivedRequest<'_>) -> BTreeMap<String, String> {
    let mut headers: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in &request.parts.headers {
        if DROPPED_HEADERS.contains(&name.as_str()) {
            continue;
        }
        let value = String::from_utf8_lossy(value.as_bytes());
        join(&mut headers, name.as_str(), ",", &value);
    }
    let peer = request.peer.ip().to_string();
    join(&mut headers, "x-forwarded-for", ", ", &peer);
    headers.insert("x-forwarded-proto".into(), "http".into());
    headers.insert("x-forwarded-port".into(), request.local.port().to_string());
    headers.insert("content-length".into(), request.body.len().to_string());
    // A function's URI is built from the host. Without a host, the first segment of the path would become the
    // host.
    let host = headers.entry("host".into()).or_default();
    if host.is_empty() {
        *host = request.local.to_string();
    }
    headers.entry("x-amzn-trace-id".into()).or_insert_with(|| {
        let id = Uuid::new_v4().simple().to_string();
        let second = request.now.as_millis().div_euclid(1_000).rem_euclid(1 << 32);
        format!("Root=1-{second:08x}-{}", &id[..24])
    });
    headers
}

fn cookies(headers: &HeaderMap) -> Vec<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .flat_map(|value| value.as_bytes().split(|byte| *byte == b';'))
        .map(|cookie| String::from_utf8_lossy(cookie.trim_ascii()).into_owned())
        .filter(|cookie| !cookie.is_empty())
        .collect()
}

/// Returns whether API Gateway passes bodies of this type on as text. It encodes all other bodies in Base64,
/// including forms.
fn is_text(content_type: &str) -> bool {
    let essence = content_type
        .split_once(';')
        .map_or(content_type, |(essence, _)| essence);
    let essence = essence.trim().to_ascii_lowercase();
    essence.is_empty()
        || essence.starts_with("text/")
        || essence.ends_with("+json")
        || essence.ends_with("+xml")
        || matches!(
            essence.as_str(),
            "application/json" | "application/javascript" | "application/xml"
        )
}

/// Returns the body field, which is absent if the body is empty, and whether it is encoded in Base64.
fn body(bytes: Vec<u8>, is_text: bool) -> (Option<Value>, bool) {
    if bytes.is_empty() {
        return (None, false);
    }
    let bytes = if is_text {
        match String::from_utf8(bytes) {
            Ok(text) => return (Some(text.into()), false),
            Err(e) => e.into_bytes(),
        }
    } else {
        bytes
    };
    let mut encoded = Base64Data::default();
    encoded.0 = bytes;
    (Some(json!(encoded)), true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_encoded_and_text_is_not() {
        assert!(is_text(""));
        assert!(is_text("Application/JSON; charset=utf-8"));
        assert!(is_text("application/problem+json"));
        assert!(!is_text("application/x-www-form-urlencoded"));
        assert!(!is_text("application/octet-stream"));
    }

    #[test]
    fn bytes_that_are_not_text_are_encoded_regardless_of_their_type() {
        assert_eq!(body(vec![0xff, 0x00], true), (Some("/wA=".into()), true));
        assert_eq!(body("é".into(), true), (Some("é".into()), false));
        assert_eq!(body("a=b".into(), false), (Some("YT1i".into()), true));
        assert_eq!(body(Vec::new(), false), (None, false));
    }

    #[test]
    fn values_of_a_repeated_parameter_are_joined_in_their_order() {
        let parsed = query("b=2&a=x%2Cy&b=1&flag&c=a+b%2B&&=");
        let shown: Vec<_> = parsed.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(
            shown,
            [("", ""), ("a", "x,y"), ("b", "2,1"), ("c", "a b+"), ("flag", "")]
        );
    }
}
