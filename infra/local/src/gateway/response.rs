//! Turning a function's response of payload format 2.0 into an HTTP response, as API Gateway does.

use aws_lambda_events::encodings::Base64Data;
use axum::body::Body;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use serde_json::{Map, Value, json};

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

/// Converts a function's response to an HTTP response. Returns 500 for a response that API Gateway cannot
/// read.
pub(super) fn http_response(response: Value) -> Response<Body> {
    match response {
        Value::Object(fields) if fields.contains_key("statusCode") => {
            explicit(fields).unwrap_or_else(|reason| {
                tracing::error!(reason, "a function's response is malformed");
                internal_server_error()
            })
        }
        // Without a status code, the whole response is the body of a 200.
        Value::String(text) => inferred(text),
        other => inferred(other.to_string()),
    }
}

fn inferred(body: String) -> Response<Body> {
    build(
        StatusCode::OK,
        HeaderMap::new(),
        body.into_bytes(),
        "application/json",
    )
}

/// Decodes a response with a status code. Ignores `multiValueHeaders`, which payload format 2.0 does not
/// have.
fn explicit(mut fields: Map<String, Value>) -> Result<Response<Body>, &'static str> {
    let status = fields
        .get("statusCode")
        .and_then(Value::as_u64)
        .and_then(|code| u16::try_from(code).ok())
        .filter(|code| (200..600).contains(code))
        .and_then(|code| StatusCode::from_u16(code).ok())
        .ok_or("statusCode is not an HTTP status")?;

    let mut headers = HeaderMap::new();
    for (name, value) in map(fields.remove("headers"))? {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| "a header's name is malformed")?;
        if !CONNECTION_HEADERS.contains(&name.as_str()) {
            headers.insert(name, header_value(&value)?);
        }
    }
    for cookie in list(fields.remove("cookies"))? {
        headers.append(header::SET_COOKIE, header_value(&cookie)?);
    }

    let is_base64 = fields
        .get("isBase64Encoded")
        .and_then(Value::as_bool)
        .unwrap_or(false);
    let body = match fields.remove("body") {
        None | Some(Value::Null) => Vec::new(),
        Some(text @ Value::String(_)) if is_base64 => {
            serde_json::from_value::<Base64Data>(text)
                .map_err(|_| "the body is not base64")?
                .0
        }
        Some(Value::String(text)) => text.into_bytes(),
        Some(_) => return Err("the body is not a string"),
    };
    Ok(build(status, headers, body, "text/plain;charset=UTF-8"))
}

fn map(value: Option<Value>) -> Result<Map<String, Value>, &'static str> {
    match value {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(map)) => Ok(map),
        Some(_) => Err("headers is not an object"),
    }
}

fn list(value: Option<Value>) -> Result<Vec<Value>, &'static str> {
    match value {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(list)) => Ok(list),
        Some(_) => Err("cookies is not an array"),
    }
}

fn header_value(value: &Value) -> Result<HeaderValue, &'static str> {
    let malformed = |_| "a header's value is malformed";
    match value {
        Value::String(text) => HeaderValue::from_bytes(text.as_bytes()).map_err(malformed),
        Value::Number(_) | Value::Bool(_) => {
            HeaderValue::from_bytes(value.to_string().as_bytes()).map_err(malformed)
        }
        _ => Err("a header's value is not text"),
    }
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
            "headers": {"Content-Length": "9999", "Transfer-Encoding": "chunked", "X-Count": 3},
        }));
        let names: Vec<_> = response.headers().keys().map(HeaderName::as_str).collect();
        assert_eq!(names, ["x-count"]);
    }
}
