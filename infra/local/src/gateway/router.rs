//! Routing HTTP requests to functions.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use domain::clock::Clock;
use futures::StreamExt;
use http::{HeaderValue, Response, StatusCode};
use tokio::net::TcpListener;
use uuid::Uuid;

use super::event::{ReceivedRequest, event, path};
use super::handler::ApiHandler;
use super::response::{gateway_error, http_response, internal_server_error};
use super::routes::Routes;
use crate::server;

/// The limits of the gateway.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// The maximum length of a request's target, in bytes.
    pub(super) target: usize,
    /// The maximum length of a request body, in bytes.
    pub(super) body: usize,
    /// The maximum size of a function's event and of its response, in bytes of JSON.
    pub(super) payload: usize,
    /// The time within which a function must respond. A slower function is not stopped, but its response is
    /// dropped.
    pub(super) timeout: Duration,
}

impl Limits {
    pub(crate) const API_GATEWAY: Self = Self {
        target: 8_192,
        body: 10 * 1024 * 1024,
        payload: 6_291_556,
        timeout: Duration::from_secs(30),
    };
}

struct Gateway {
    routes: Routes,
    clock: Arc<dyn Clock>,
    limits: Limits,
    local: SocketAddr,
}

/// Serves functions until `shutdown` completes. Requests in progress then have 5 seconds to end. A route is
/// an exact path such as `/v1/entities`, or ends with a greedy segment as `/docs/{file+}` does, and matches
/// every method. All other paths go to `fallback`, the route `$default`. The times in events are service
/// time.
pub async fn serve<F>(
    listener: TcpListener,
    routes: Vec<(String, ApiHandler)>,
    fallback: ApiHandler,
    clock: Arc<dyn Clock>,
    shutdown: F,
) -> io::Result<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    let app = router(
        Limits::API_GATEWAY,
        listener.local_addr()?,
        routes,
        fallback,
        clock,
    );
    server::serve(listener, app, shutdown).await
}

/// Routes requests to the address `local` as [`serve`] does.
pub(crate) fn router(
    limits: Limits,
    local: SocketAddr,
    routes: Vec<(String, ApiHandler)>,
    fallback: ApiHandler,
    clock: Arc<dyn Clock>,
) -> Router {
    let gateway = Arc::new(Gateway {
        routes: Routes::new(routes, fallback),
        clock,
        limits,
        local,
    });
    Router::new().fallback(handle).with_state(gateway)
}

async fn handle(
    State(gateway): State<Arc<Gateway>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
) -> Response<Body> {
    let request_id = Uuid::new_v4().to_string();
    let mut response = gateway.respond(&request_id, peer, request).await;
    if let Ok(id) = HeaderValue::from_str(&request_id) {
        response.headers_mut().insert("apigw-requestid", id);
    }
    response
}

impl Gateway {
    async fn respond(&self, request_id: &str, peer: SocketAddr, request: Request) -> Response<Body> {
        let (parts, body) = request.into_parts();
        let target = parts.uri.path_and_query().map_or("", |target| target.as_str());
        if target.len() > self.limits.target {
            return gateway_error(StatusCode::URI_TOO_LONG, "Request-URI Too Long");
        }
        let Some(path) = path(&parts) else {
            return gateway_error(StatusCode::BAD_REQUEST, "Bad Request");
        };
        let body = match read_body(body, self.limits.body).await {
            Ok(body) => body,
            Err(BodyError::TooLong) => {
                return gateway_error(StatusCode::PAYLOAD_TOO_LARGE, "Request Entity Too Large");
            }
            Err(BodyError::Broken) => return gateway_error(StatusCode::BAD_REQUEST, "Bad Request"),
        };
        let (route, rest) = self.routes.find(&path);
        let route_key = route.key.as_str();
        let event = event(ReceivedRequest {
            parts: &parts,
            path: &path,
            body,
            peer,
            local: self.local,
            route_key,
            path_parameter: route.parameter.as_deref().map(|name| (name, rest)),
            request_id,
            now: self.clock.now(),
        });
        if event.to_string().len() > self.limits.payload {
            return gateway_error(StatusCode::PAYLOAD_TOO_LARGE, "Request Entity Too Large");
        }

        // In a task of its own, a panic ends only this call, and a client that disconnects does not cancel
        // it.
        let handler = Arc::clone(&route.handler);
        let call = tokio::spawn(async move { handler(event).await });
        let (reason, response) = match tokio::time::timeout(self.limits.timeout, call).await {
            Ok(Ok(response)) if response.to_string().len() <= self.limits.payload => {
                return http_response(response);
            }
            Ok(Ok(_)) => (
                "a function's response is larger than Lambda takes",
                internal_server_error(),
            ),
            // The panic's message can contain anything. The panic hook logs where it happened.
            Ok(Err(_)) => ("a function panicked", internal_server_error()),
            Err(_) => {
                let response = gateway_error(StatusCode::SERVICE_UNAVAILABLE, "Service Unavailable");
                ("a function did not respond in time", response)
            }
        };
        tracing::error!(request.id = request_id, route.key = route_key, "{reason}");
        response
    }
}

enum BodyError {
    TooLong,
    Broken,
}

/// Reads a body of at most `limit` bytes. Reads and drops part of a longer body, because a client that is
/// still writing when the connection is closed may not receive the response.
async fn read_body(body: Body, limit: usize) -> Result<Vec<u8>, BodyError> {
    let mut chunks = body.into_data_stream();
    let mut kept = Vec::new();
    let mut length = 0_usize;
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| BodyError::Broken)?;
        length = length.saturating_add(chunk.len());
        if length <= limit {
            kept.extend_from_slice(&chunk);
        } else {
            kept = Vec::new();
        }
        if length > limit.saturating_mul(4) {
            break;
        }
    }
    if length > limit {
        Err(BodyError::TooLong)
    } else {
        Ok(kept)
    }
}
