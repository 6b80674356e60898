//! The gateway's HTTP server.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use domain::clock::Clock;
use futures::{FutureExt, StreamExt};
use http::{HeaderValue, Response, StatusCode};
use tokio::net::TcpListener;
use uuid::Uuid;

use super::ApiHandler;
use super::answer::{answer, failure, own};
use super::event::{Incoming, event, path};

/// How long open connections may take to end once the server is told to stop.
const GRACE: Duration = Duration::from_secs(5);

/// API Gateway's own limits.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The longest request body, in bytes.
    pub(super) body: usize,
    /// How long a function may take to answer. It is not stopped then, but nobody hears it any more.
    pub(super) answer: Duration,
}

impl Limits {
    pub(super) const API_GATEWAY: Self = Self {
        body: 10 * 1024 * 1024,
        answer: Duration::from_secs(30),
    };
}

struct Gateway {
    routes: HashMap<String, (String, ApiHandler)>,
    fallback: ApiHandler,
    clock: Arc<dyn Clock>,
    limits: Limits,
    local: SocketAddr,
}

/// Serves until `shutdown` is done; requests under way then have 5 seconds to end. Each route is an exact path with
/// its stage-less prefix (`/v1/entities`) and takes every method; every other path goes to `fallback` (`$default`).
/// Event times are service time.
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
    serve_within(Limits::API_GATEWAY, listener, routes, fallback, clock, shutdown).await
}

pub(super) async fn serve_within<F>(
    limits: Limits,
    listener: TcpListener,
    routes: Vec<(String, ApiHandler)>,
    fallback: ApiHandler,
    clock: Arc<dyn Clock>,
    shutdown: F,
) -> io::Result<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    let app = router_within(limits, listener.local_addr()?, routes, fallback, clock);
    serve_app(listener, app, shutdown).await
}

/// What [`serve`] serves at this address.
pub(crate) fn router(
    local: SocketAddr,
    routes: Vec<(String, ApiHandler)>,
    fallback: ApiHandler,
    clock: Arc<dyn Clock>,
) -> Router {
    router_within(Limits::API_GATEWAY, local, routes, fallback, clock)
}

fn router_within(
    limits: Limits,
    local: SocketAddr,
    routes: Vec<(String, ApiHandler)>,
    fallback: ApiHandler,
    clock: Arc<dyn Clock>,
) -> Router {
    let routes = routes
        .into_iter()
        .map(|(path, handler)| (path.clone(), (format!("ANY {path}"), handler)))
        .collect();
    let gateway = Arc::new(Gateway {
        routes,
        fallback,
        clock,
        limits,
        local,
    });
    Router::new().fallback(handle).with_state(gateway)
}

/// Serves `app` until `shutdown` is done and its connections have ended, or the grace is over.
pub(crate) async fn serve_app<F>(listener: TcpListener, app: Router, shutdown: F) -> io::Result<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    let shutdown = shutdown.shared();
    let serving = axum::serve(listener, app.into_make_service_with_connect_info::<SocketAddr>())
        .with_graceful_shutdown(shutdown.clone());
    let overdue = async {
        shutdown.await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        served = async { serving.await } => served,
        () = overdue => Ok(()),
    }
}

async fn handle(
    State(gateway): State<Arc<Gateway>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
) -> Response<Body> {
    let request_id = Uuid::new_v4().to_string();
    let mut response = gateway.answer(&request_id, peer, request).await;
    if let Ok(id) = HeaderValue::from_str(&request_id) {
        response.headers_mut().insert("apigw-requestid", id);
    }
    response
}

impl Gateway {
    async fn answer(&self, request_id: &str, peer: SocketAddr, request: Request) -> Response<Body> {
        let (parts, body) = request.into_parts();
        let Some(path) = path(&parts) else {
            return own(StatusCode::BAD_REQUEST, "Bad Request");
        };
        let body = match read(body, self.limits.body).await {
            Ok(body) => body,
            Err(Unread::TooLong) => return own(StatusCode::PAYLOAD_TOO_LARGE, "Request Entity Too Large"),
            Err(Unread::Broken) => return own(StatusCode::BAD_REQUEST, "Bad Request"),
        };
        let (route_key, handler) = match self.routes.get(&path) {
            Some((key, handler)) => (key.as_str(), handler),
            None => ("$default", &self.fallback),
        };
        let event = event(Incoming {
            parts: &parts,
            path: &path,
            body,
            peer,
            local: self.local,
            route_key,
            request_id,
            now: self.clock.now(),
        });

        // In a task of its own a panic ends the call alone, and a client that leaves does not cancel it.
        let handler = Arc::clone(handler);
        let call = tokio::spawn(async move { handler(event).await });
        match tokio::time::timeout(self.limits.answer, call).await {
            Ok(Ok(response)) => answer(response),
            // What it says may be anything; where it happened is logged by the panic itself.
            Ok(Err(_)) => {
                tracing::error!(
                    request.id = request_id,
                    route.key = route_key,
                    "a function panicked"
                );
                failure()
            }
            Err(_) => {
                tracing::error!(
                    request.id = request_id,
                    route.key = route_key,
                    "a function did not answer in time"
                );
                own(StatusCode::SERVICE_UNAVAILABLE, "Service Unavailable")
            }
        }
    }
}

enum Unread {
    TooLong,
    Broken,
}

/// Reads a body of at most `limit` bytes. A longer one is read on for a while without being kept, because a
/// connection closed on a client that still writes can cost it the answer.
async fn read(body: Body, limit: usize) -> Result<Vec<u8>, Unread> {
    let mut chunks = body.into_data_stream();
    let mut kept = Vec::new();
    let mut length = 0_usize;
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| Unread::Broken)?;
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
        Err(Unread::TooLong)
    } else {
        Ok(kept)
    }
}
