//! Errors in the shape of the protocol, JSON-RPC 2.0.

use lambda_http::Body;
use lambda_http::http::header::{CONTENT_TYPE, HeaderValue};
use lambda_http::http::{Response, StatusCode};
use rmcp::model::{ErrorCode, ErrorData, JsonRpcError, RequestId};
use serde_json::{Value, json};

/// The code of an error that is about the client's key, origin or rate. JSON-RPC leaves its meaning to the
/// server.
const REFUSED: ErrorCode = ErrorCode(-32000);

/// An error of the protocol.
#[derive(Debug)]
pub(crate) struct RpcError {
    status: StatusCode,
    /// The id of the request, if it has one that can be read.
    pub(crate) id: Option<RequestId>,
    pub(crate) data: Box<ErrorData>,
}

impl RpcError {
    pub(crate) fn new(status: StatusCode, code: ErrorCode, message: String) -> Self {
        Self {
            status,
            id: None,
            data: Box::new(ErrorData::new(code, message, None)),
        }
    }

    /// Creates an error for a request that is none of the protocol.
    pub(crate) fn invalid(status: StatusCode, message: String) -> Self {
        Self::new(status, ErrorCode::INVALID_REQUEST, message)
    }

    #[must_use]
    pub(crate) fn with_id(self, id: Option<RequestId>) -> Self {
        Self { id, ..self }
    }

    pub(crate) fn into_response(self) -> Response<Body> {
        let mut response = Response::default();
        *response.status_mut() = self.status;
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(CONTENT_TYPE, json);
        *response.body_mut() = json!(JsonRpcError::new(self.id, *self.data)).to_string().into();
        response
    }
}

/// Gives a failed response the shape of the protocol, unless it has it. Its status and its other headers
/// stay.
pub(crate) fn as_rpc_error(response: Response<Body>, id: Option<RequestId>) -> Response<Body> {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let told: Value = serde_json::from_slice(response.body()).unwrap_or(Value::Null);
    if told.get("jsonrpc").is_some() {
        return response;
    }
    let message = match &told["error"] {
        Value::String(message) => message.clone(),
        _ => String::from_utf8_lossy(response.body()).into_owned(),
    };
    let code = match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::TOO_MANY_REQUESTS => REFUSED,
        status if status.is_server_error() => ErrorCode::INTERNAL_ERROR,
        _ => ErrorCode::INVALID_REQUEST,
    };
    let mut error = RpcError::new(status, code, message).with_id(id);
    error.data.data = told
        .get("retryAfter")
        .map(|seconds| json!({ "retryAfter": seconds }));
    let mut shaped = error.into_response();
    for (name, value) in response.headers() {
        if name != CONTENT_TYPE {
            shaped.headers_mut().append(name, value.clone());
        }
    }
    shaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shaped(status: u16, body: &str) -> (u16, Value) {
        let response = Response::builder().status(status).body(Body::from(body)).unwrap();
        let response = as_rpc_error(response, Some(RequestId::Number(7)));
        let told = serde_json::from_slice(response.body()).unwrap_or_default();
        (response.status().as_u16(), told)
    }

    #[test]
    fn every_failure_has_the_shape_of_the_protocol() {
        let error = |code: i32, message: &str| json!({"jsonrpc": "2.0", "id": 7, "error": {"code": code, "message": message}});
        for (status, body, expected) in [
            (
                401,
                r#"{"error": "Invalid API key"}"#,
                error(-32000, "Invalid API key"),
            ),
            (403, r#"{"error": "no"}"#, error(-32000, "no")),
            (
                405,
                r#"{"error": "Method not allowed"}"#,
                error(-32600, "Method not allowed"),
            ),
            (400, "Bad Request: no", error(-32600, "Bad Request: no")),
            (
                500,
                r#"{"error": "Internal server error"}"#,
                error(-32603, "Internal server error"),
            ),
        ] {
            assert_eq!(shaped(status, body), (status, expected));
        }
        let busy = shaped(503, r#"{"error": "busy", "retryAfter": 5}"#).1;
        assert_eq!(busy["error"]["data"], json!({"retryAfter": 5}));
        let own = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"x"}}"#;
        assert_eq!(shaped(400, own).1, serde_json::from_str::<Value>(own).unwrap());
        assert_eq!(shaped(200, r#"{"error": "x"}"#).1, json!({"error": "x"}));
    }
}
