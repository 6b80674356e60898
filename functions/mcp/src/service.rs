//! The HTTP endpoint of the protocol: Streamable HTTP without sessions, with JSON responses.

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use api::{ApiError, Reply, answer, authenticate};
use http_body_util::BodyExt;
use lambda_http::http::Method;
use lambda_http::http::header::{ACCEPT, HeaderValue};
use lambda_http::tower::ServiceExt;
use lambda_http::{Body, Request, RequestExt, Response, Service, service_fn};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use store::Rate;
use tracing::Span;

use crate::message::Message;
use crate::rpc_error::{RpcError, as_rpc_error};
use crate::server::{Client, McpServer};
use crate::state::McpState;

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
            let message = Message::read(&request);
            let id = message
                .as_ref()
                .map_or_else(|error| &error.id, |message| &message.id);
            let id = id.clone();
            let respond = |request| respond(protocol, state, message, request);
            let response = answer(env!("CARGO_PKG_NAME"), &api, request, respond).await;
            Ok(as_rpc_error(response, id))
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

/// Authenticates the client, and has the protocol's library answer what is a message of the protocol.
async fn respond(
    protocol: Protocol,
    state: McpState,
    message: Result<Message, RpcError>,
    mut request: Request,
) -> Reply {
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
    let rate = message.as_ref().map_or(Rate::Read, |message| message.rate);
    let access = match authenticate(&state.entities.api, rate, request.headers()).await {
        Ok(access) => access,
        Err(reply) => return reply,
    };
    let quota = Some(access.quota);
    if let Err(error) = message {
        return Reply {
            quota,
            result: Ok(error.into_response()),
            logged_status: None,
        };
    }
    // The library takes only clients that accept a stream too, and answers in JSON nevertheless.
    let both = HeaderValue::from_static("application/json, text/event-stream");
    request.headers_mut().insert(ACCEPT, both);
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
