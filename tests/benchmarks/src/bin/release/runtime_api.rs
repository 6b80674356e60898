//! A fake of Lambda's runtime API. It delivers one event repeatedly and records the times.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use domain::clock::Clock;
use runtime::SystemClock;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::Notify;

/// A response of the function, with the instant of its arrival.
pub(crate) struct InvocationResponse {
    pub(crate) at: Instant,
    pub(crate) body: Value,
}

/// The function's requests for events and its responses, in order.
#[derive(Default)]
pub(crate) struct Invocations {
    /// The instants at which the function requested an event.
    pub(crate) requested: Vec<Instant>,
    pub(crate) responses: Vec<InvocationResponse>,
    /// The error that the function reported.
    pub(crate) error: Option<String>,
}

struct Inner {
    event: String,
    calls: usize,
    invocations: Mutex<Invocations>,
    changed: Notify,
}

/// A running fake. Clones share its state.
#[derive(Clone)]
pub(crate) struct RuntimeApi {
    /// The value of `AWS_LAMBDA_RUNTIME_API`.
    pub(crate) address: String,
    inner: Arc<Inner>,
}

impl RuntimeApi {
    /// Starts a fake that delivers `event` `calls` times. Later requests for an event wait forever. The fake
    /// runs until the process ends.
    pub(crate) async fn start(event: &Value, calls: usize) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let api = Self {
            address: listener.local_addr().expect("an address").to_string(),
            inner: Arc::new(Inner {
                event: event.to_string(),
                calls,
                invocations: Mutex::default(),
                changed: Notify::new(),
            }),
        };
        let app = Router::new()
            .route("/2018-06-01/runtime/invocation/next", get(next))
            .route("/2018-06-01/runtime/invocation/{id}/response", post(response))
            .route("/2018-06-01/runtime/invocation/{id}/error", post(error))
            .route("/2018-06-01/runtime/init/error", post(error))
            .with_state(api.inner.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        api
    }

    /// Waits until all calls have a response or one failed, for at most `limit`.
    pub(crate) async fn wait_for_responses(
        &self,
        limit: Duration,
    ) -> Result<MutexGuard<'_, Invocations>, String> {
        let wait = async {
            loop {
                let changed = self.inner.changed.notified();
                let is_done = {
                    let invocations = self.inner.invocations();
                    invocations.error.is_some() || invocations.responses.len() >= self.inner.calls
                };
                if is_done {
                    return;
                }
                changed.await;
            }
        };
        tokio::time::timeout(limit, wait)
            .await
            .map_err(|_| format!("not all responses arrived within {limit:?}"))?;
        let mut invocations = self.inner.invocations();
        match invocations.error.take() {
            Some(error) => Err(error),
            None => Ok(invocations),
        }
    }
}

impl Inner {
    fn invocations(&self) -> MutexGuard<'_, Invocations> {
        self.invocations.lock().expect("no section panics")
    }
}

async fn next(State(api): State<Arc<Inner>>) -> Response {
    let number = {
        let mut invocations = api.invocations();
        invocations.requested.push(Instant::now());
        invocations.requested.len()
    };
    if number > api.calls {
        return std::future::pending().await;
    }
    let deadline = SystemClock.now() + Duration::from_secs(900);
    let mut headers = HeaderMap::new();
    for (name, value) in [
        ("lambda-runtime-aws-request-id", number.to_string()),
        ("lambda-runtime-deadline-ms", deadline.as_millis().to_string()),
        (
            "lambda-runtime-invoked-function-arn",
            "arn:aws:lambda:us-east-1:000000000000:function:local".to_owned(),
        ),
        (
            "lambda-runtime-trace-id",
            "Root=1-00000000-000000000000000000000000".to_owned(),
        ),
    ] {
        headers.insert(name, HeaderValue::try_from(value).expect("plain text"));
    }
    (headers, api.event.clone()).into_response()
}

async fn response(State(api): State<Arc<Inner>>, body: Bytes) -> StatusCode {
    let at = Instant::now();
    let body = serde_json::from_slice(&body).unwrap_or_default();
    api.invocations().responses.push(InvocationResponse { at, body });
    api.changed.notify_waiters();
    StatusCode::ACCEPTED
}

async fn error(State(api): State<Arc<Inner>>, body: Bytes) -> StatusCode {
    api.invocations().error = Some(String::from_utf8_lossy(&body).into_owned());
    api.changed.notify_waiters();
    StatusCode::ACCEPTED
}
