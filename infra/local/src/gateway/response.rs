//! Turning a function's response of payload format 2.0 into an HTTP response, as API Gateway does.

use std::collections::BTreeMap;

use aws_lambda_events::encodings::Base64Data;
use axum::body::Body;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

/// Headers that a function cannot set because they belong to the connection.
const CONNECTION_HEADERS: [&str; 4] = ["connection", "content-length", "keep-alive", "transfer-encoding"];

/// Returns a response of the gateway itself, with the body `{"message": "…"}`.
pub(super) fn gateway_error(status: StatusCode, message: &str) -> Response<Body> {
    let body = json!({ "message": message }).to_string();
    build(status, HeaderMap::new(), body.into_bytes(), "application/json")
}

/// Returns the response to a request whose function failed.
pub(super) fn internal_server_error() -> Response<Body> {
    gateway_error(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error")
}

/// A function's response of payload format 2.0.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FunctionResponse {
    status_code: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    cookies: Vec<String>,
    body: Option<String>,
    #[serde(default)]
    is_base64_encoded: bool,
}

/// Converts a function's response to an HTTP response. Returns 500 for a response that API Gateway cannot
/// read.
pub(super) fn http_response(response: Value) -> Response<Body> {
    decode(response).unwrap_or_else(|reason| {
        tracing::error!(reason, "a function's response is malformed");
        internal_server_error()
    })
}

fn decode(response: Value) -> Result<Response<Body>, &'static str> {
    let response: FunctionResponse =
        serde_json::from_value(response).map_err(|_| "it is none of payload format 2.0")?;
    let status = StatusCode::from_u16(response.status_code).ok();
    let status = status.filter(|status| (200..600).contains(&status.as_u16()));
    let header_value = |text| HeaderValue::try_from(text).map_err(|_| "a header's value is malformed");
    let mut headers = HeaderMap::new();
    for (name, value) in response.headers {
        let name = HeaderName::try_from(name).map_err(|_| "a header's name is malformed")?;
        if !CONNECTION_HEADERS.contains(&name.as_str()) {
            headers.insert(name, header_value(value)?);
        }
    }
    for cookie in response.cookies {
        headers.append(header::SET_COOKIE, header_value(cookie)?);
    }
    let body = match response.body {
        Some(text) if response.is_base64_encoded => {
            let decoded: Result<Base64Data, _> = serde_json::from_value(text.into());
            decoded.map_err(|_| "the body is not base64")?.0
        }
        text => text.map_or_else(Vec::new, String::into_bytes),
    };
    let status = status.ok_or("statusCode is not an HTTP status")?;
    Ok(build(status, headers, body, "text/plain;charset=UTF-8"))
}

fn build(
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
    default_type: &'static str,
) -> Response<Body> {
    let is_typed = headers.contains_key(header::CONTENT_TYPE) || body.is_empty();
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    if !is_typed {
        let value = HeaderValue::from_static(default_type);
        response.headers_mut().insert(header::CONTENT_TYPE, value);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_malformed_response_is_an_internal_server_error() {
        for response in [
            json!({"statusCode": 99}),
            json!({"statusCode": 101}),
            json!({"statusCode": 600}),
            json!({"statusCode": "OK"}),
            json!({"statusCode": 200, "headers": {"a b": "c"}}),
            json!({"statusCode": 200, "headers": {"a": "b\r\nc: d"}}),
            json!({"statusCode": 200, "headers": {"a": []}}),
            json!({"statusCode": 200, "headers": []}),
            json!({"statusCode": 200, "cookies": "a=b"}),
            json!({"statusCode": 200, "body": {}}),
            json!({"statusCode": 200, "body": "#", "isBase64Encoded": true}),
        ] {
            let shown = response.to_string();
            assert_eq!(http_response(response).status(), 500, "{shown}");
        }
    }

    #[test]
    fn a_function_cannot_set_headers_of_the_connection() {
        let response = http_response(json!({
            "statusCode": 200,
            "headers": {"Content-Length": "9999", "Transfer-Encoding": "chunked", "X-Count": "3"},
        }));
        let names: Vec<_> = response.headers().keys().map(HeaderName::as_str).collect();
        assert_eq!(names, ["x-count"]);
    }
}
