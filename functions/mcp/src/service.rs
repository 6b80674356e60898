//! The HTTP endpoint of the protocol: Streamable HTTP without sessions, with JSON responses.

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use api::{ApiError, Reply, answer, authenticate};
use http_body_util::BodyExt;
use lambda_http::http::Method;
use lambda_http::tower::ServiceExt;
use lambda_http::{Body, Request, RequestExt, Response, Service, service_fn};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Deserialize;
use store::Rate;
use tracing::Span;

use crate::server::{Client, McpServer};
use crate::state::McpState;
use crate::tool::Tool;
use crate::tools::TOOLS;

/// The path of the endpoint.
pub const PATH: &str = "/mcp";

type Protocol = StreamableHttpService<McpServer, NeverSessionManager>;

/// Creates the HTTP service. Lambda and the local host run it.
pub fn service(
    state: McpState,
) -> impl Service<Request, Response = Response<Body>, Error = Infallible, Future: Send>
+ Clone
+ Send
+ Sync
+ 'static {
    let protocol = protocol(state.clone());
    service_fn(move |request: Request| {
        let (state, protocol) = (state.clone(), protocol.clone());
        async move {
            let api = state.entities.api.clone();
            let respond = |request| respond(protocol, state, request);
            Ok(answer(env!("CARGO_PKG_NAME"), &api, request, respond).await)
        }
    })
}

fn protocol(state: McpState) -> Protocol {
    // API Gateway has the host's name, and `respond` checks the origin.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(domain::limits::MAX_BODY_BYTES)
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let server = move || Ok(McpServer { state: state.clone() });
    StreamableHttpService::new(server, Arc::new(NeverSessionManager::default()), config)
}

/// Authenticates the client, and has the protocol answer. A call of a tool that writes counts as a write, and any other request as a read.
async fn respond(protocol: Protocol, state: McpState, mut request: Request) -> Reply {
    if request.raw_http_path() != PATH {
        return ApiError::not_found("Path").into();
    }
    if request.method() != Method::POST {
        return ApiError::method_not_allowed(Method::POST.to_string()).into();
    }
    // The protocol demands this, so that no web page can use a server on its visitor's machine.
    if state.entities.api.cors.refuses(request.headers()) {
        return ApiError::forbidden("Requests from this origin are not allowed").into();
    }
    let rate = rate(request.body());
    let access = match authenticate(&state.entities.api, rate, request.headers()).await {
        Ok(access) => access,
        Err(reply) => return reply,
    };
    let quota = Some(access.quota);
    let span = Span::current();
    let tool_error = Arc::new(OnceLock::new());
    request.extensions_mut().insert(Client {
        access,
        span,
        tool_error: Arc::clone(&tool_error),
    });
    let response = match protocol.oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    };
    let (parts, body) = response.into_parts();
    let result = match body.collect().await {
        Ok(body) => Ok(Response::from_parts(parts, text(body.to_bytes().to_vec()))),
        Err(never) => match never {},
    };
    Reply {
        quota,
        result,
        logged_status: tool_error.get().copied(),
    }
}

fn text(body: Vec<u8>) -> Body {
    if body.is_empty() {
        return Body::Empty;
    }
    String::from_utf8(body).map_or_else(|error| Body::Binary(error.into_bytes()), Body::Text)
}

/// A request of the protocol, as far as its rate depends on it.
#[derive(Deserialize)]
struct RpcRequest {
    params: Option<ToolParams>,
}

#[derive(Deserialize)]
struct ToolParams {
    name: Option<String>,
}

/// Returns the rate that a request counts against.
fn rate(body: &[u8]) -> Rate {
    let request: Option<RpcRequest> = serde_json::from_slice(body).ok();
    let name = request.and_then(|request| request.params?.name);
    let tool = TOOLS.iter().find(|tool| Some(tool.name) == name.as_deref());
    tool.map_or(Rate::Read, Tool::rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_counts_against_the_rate_of_its_tool() {
        let call = |tool: &str| {
            let call = serde_json::json!({"method": "tools/call", "params": {"name": tool, "arguments": {}}});
            rate(call.to_string().as_bytes())
        };
        assert_eq!(call("visibility"), Rate::Read);
        assert_eq!(call("run_check"), Rate::Write);
        assert_eq!(call("unknown"), Rate::Read);
        assert_eq!(rate(b"{\"method\": \"tools/list\"}"), Rate::Read);
        assert_eq!(rate(b"no JSON"), Rate::Read);
    }
}
