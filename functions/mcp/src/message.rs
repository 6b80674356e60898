//! Reads the message of a request before the protocol's library does, whose errors are texts that no client
//! of the protocol reads.

use api::{media_ranges, parse_json};
use domain::limits::MAX_BODY_BYTES;
use lambda_http::http::StatusCode;
use lambda_http::http::header::{CONTENT_TYPE, HeaderMap};
use lambda_http::{Body, Request};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorCode, RequestId};
use serde_json::Value;
use store::Rate;

use crate::rpc_error::RpcError;
use crate::tool::Tool;
use crate::tools::TOOLS;

const JSON: &str = "application/json";

/// A message that the protocol's library can read.
pub(crate) struct Message {
    /// The id of a request, which an error repeats.
    pub(crate) id: Option<RequestId>,
    /// The rate that it counts against. A call of a tool that writes counts as a write, and any other message
    /// as a read.
    pub(crate) rate: Rate,
}

impl Message {
    /// Reads the message of a request. The error says which rule of the protocol it breaks.
    pub(crate) fn read(request: &Request) -> Result<Self, RpcError> {
        let message = Self::parse(request.body())?;
        check_headers(request.headers()).map_err(|error| error.with_id(message.id.clone()))?;
        Ok(message)
    }

    fn parse(body: &Body) -> Result<Self, RpcError> {
        if body.len() > MAX_BODY_BYTES {
            let message = format!("body must be at most {MAX_BODY_BYTES} bytes");
            return Err(RpcError::invalid(StatusCode::PAYLOAD_TOO_LARGE, message));
        }
        let invalid = |message: &str| RpcError::invalid(StatusCode::BAD_REQUEST, message.to_owned());
        let value = parse_json(body).map_err(|fault| {
            let code = if fault.is_syntax {
                ErrorCode::PARSE_ERROR
            } else {
                ErrorCode::INVALID_REQUEST
            };
            RpcError::new(StatusCode::BAD_REQUEST, code, format!("body {}", fault.rule))
        })?;
        match &value {
            Value::Object(_) => {}
            Value::Array(_) => return Err(invalid("body must be one message: there are no batches")),
            _ => return Err(invalid("body must be a JSON object")),
        }
        let id: Option<RequestId> = value
            .get("id")
            .and_then(|id| serde_json::from_value(id.clone()).ok());
        let message: ClientJsonRpcMessage = serde_json::from_value(value).map_err(|_| {
            let rule = "body must be a JSON-RPC 2.0 message: jsonrpc is \"2.0\", method a string, id a string or a whole number, \
                        params an object";
            invalid(rule).with_id(id.clone())
        })?;
        Ok(Self {
            id,
            rate: tool(&message).map_or(Rate::Read, Tool::rate),
        })
    }
}

fn tool(message: &ClientJsonRpcMessage) -> Option<&'static Tool> {
    let ClientJsonRpcMessage::Request(request) = message else {
        return None;
    };
    let ClientRequest::CallToolRequest(call) = &request.request else {
        return None;
    };
    TOOLS.iter().find(|tool| tool.name == call.params.name)
}

fn check_headers(headers: &HeaderMap) -> Result<(), RpcError> {
    let sent = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let sent = sent.and_then(|value| value.split(';').next());
    if !sent.is_some_and(|sent| sent.trim().eq_ignore_ascii_case(JSON)) {
        let message = "The header Content-Type must be application/json".to_owned();
        return Err(RpcError::invalid(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    if !accepts_json(headers) {
        let message = "The header Accept must allow application/json".to_owned();
        return Err(RpcError::invalid(StatusCode::NOT_ACCEPTABLE, message));
    }
    Ok(())
}

/// Returns whether the client accepts JSON. The range that names it most closely decides; a client that sends
/// none accepts anything.
fn accepts_json(headers: &HeaderMap) -> bool {
    let mut ranges = media_ranges(headers)
        .filter(|(name, _)| !name.is_empty())
        .peekable();
    if ranges.peek().is_none() {
        return true;
    }
    let closeness = |name: &str| {
        let known = ["*/*", "application/*", JSON];
        known.iter().position(|known| name.eq_ignore_ascii_case(known))
    };
    let matching = ranges.filter_map(|(name, weight)| Some((closeness(name)?, weight)));
    matching
        .max_by_key(|(closeness, _)| *closeness)
        .is_some_and(|(_, weight)| weight > 0.0)
}

#[cfg(test)]
mod tests {
    use lambda_http::http::header::ACCEPT;
    use serde_json::json;

    use super::*;

    fn parsed(body: &str) -> Result<Rate, (i32, String)> {
        let message = Message::parse(&Body::from(body));
        message
            .map(|message| message.rate)
            .map_err(|error| (error.data.code.0, error.data.message.into_owned()))
    }

    #[test]
    fn a_call_counts_against_the_rate_of_its_tool() {
        let call = |tool: &str| {
            let params = json!({"name": tool, "arguments": {}});
            let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
            parsed(&call.to_string()).unwrap()
        };
        assert_eq!(call("visibility"), Rate::Read);
        assert_eq!(call("run_check"), Rate::Write);
        assert_eq!(call("unknown"), Rate::Read);
        let list = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#;
        assert_eq!(parsed(list).unwrap(), Rate::Read);
    }

    #[test]
    fn a_body_that_is_no_message_is_told_apart_from_one_that_is_no_json() {
        for (body, code, start) in [
            ("", -32700, "body must be valid JSON"),
            ("{", -32700, "body must be valid JSON"),
            ("{}{}", -32700, "body must be valid JSON"),
            (r#"{"a":"\ud800"}"#, -32700, "body must be valid JSON"),
            (r#"{"a":1e999}"#, -32600, "body must not have a number"),
            ("[]", -32600, "body must be one message"),
            ("7", -32600, "body must be a JSON object"),
            ("null", -32600, "body must be a JSON object"),
            ("{}", -32600, "body must be a JSON-RPC 2.0 message"),
        ] {
            let (found, message) = parsed(body).unwrap_err();
            assert!(
                found == code && message.starts_with(start),
                "{body}: {found} {message}"
            );
        }
        let call = |field: &str, value: Value| {
            let mut call = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {}});
            call[field] = value;
            parsed(&call.to_string())
        };
        for (field, value) in [
            ("jsonrpc", json!("1.0")),
            ("jsonrpc", json!(2)),
            ("id", json!(null)),
            ("id", json!(1.5)),
            ("id", json!([1])),
            ("method", json!(7)),
            ("method", json!(null)),
        ] {
            let (code, message) = call(field, value.clone()).unwrap_err();
            assert_eq!(code, -32600, "{field} {value}: {message}");
        }
        assert!(call("id", json!("x")).is_ok());
        let twice = r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}"#;
        assert_eq!(parsed(twice).unwrap_err().0, -32600);
    }

    #[test]
    fn the_id_of_a_message_is_known_even_if_the_rest_is_wrong() {
        let id = |body: &str| {
            let id = Message::parse(&Body::from(body)).map_or_else(|error| error.id, |message| message.id);
            id.map(RequestId::into_json_value)
        };
        assert_eq!(
            id(r#"{"jsonrpc": "2.0", "id": 8, "method": "ping"}"#),
            Some(json!(8))
        );
        assert_eq!(id(r#"{"id": 7, "method": 5}"#), Some(json!(7)));
        assert_eq!(id(r#"{"id": "a"}"#), Some(json!("a")));
        for body in ["{", "[]", "7", "{}", r#"{"id": null}"#, r#"{"id": [1]}"#] {
            assert_eq!(id(body), None, "{body}");
        }
    }

    #[test]
    fn a_client_that_takes_json_may_say_so_in_any_way() {
        let accepts = |accept: &str| {
            let headers = [(ACCEPT, accept.parse().unwrap())].into_iter().collect();
            accepts_json(&headers)
        };
        assert!(accepts_json(&HeaderMap::new()));
        for accept in [
            "",
            "application/json",
            "Application/JSON; charset=utf-8",
            "*/*",
            "application/*;q=0.1",
            "application/json, text/event-stream",
            "text/event-stream, */*;q=0.5",
            "*/*;q=0, application/json",
        ] {
            assert!(accepts(accept), "{accept}");
        }
        for accept in [
            "text/event-stream",
            "text/html",
            "application/json;q=0",
            "application/json;q=0, */*",
            "*/*;q=0.0",
            "application/jsonl",
        ] {
            assert!(!accepts(accept), "{accept}");
        }
    }
}
