//! A fake of Lambda's runtime API that hands out one event repeatedly and records when.

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

/// When the function requested events, and when and what it responded.
#[derive(Default)]
pub(crate) struct Invocations {
    pub(crate) asked: Vec<Instant>,
    pub(crate) answered: Vec<(Instant, Value)>,
    pub(crate) failed: Option<String>,
}

struct Inner {
    event: String,
    calls: usize,
    invocations: Mutex<Invocations>,
    changed: Notify,
}

#[derive(Clone)]
pub(crate) struct RuntimeApi {
    /// `AWS_LAMBDA_RUNTIME_API`.
    pub(crate) address: String,
    inner: Arc<Inner>,
}

impl RuntimeApi {
    /// Hands out `event` as often as `calls` says, then nothing more. Listens for as long as the process lives.
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

    /// Waits until all calls are answered, or one failed, for at most `limit`.
    pub(crate) async fn done(&self, limit: Duration) -> Result<MutexGuard<'_, Invocations>, String> {
        let all = async {
            loop {
                let changed = self.inner.changed.notified();
                let is_done = {
                    let invocations = self.inner.invocations();
                    invocations.failed.is_some() || invocations.answered.len() >= self.inner.calls
                };
                if is_done {
                    return;
                }
                changed.await;
            }
        };
        tokio::time::timeout(limit, all)
            .await
            .map_err(|_| format!("not done after {limit:?}"))?;
        let mut invocations = self.inner.invocations();
        match invocations.failed.take() {
            Some(failed) => Err(failed),
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
        invocations.asked.push(Instant::now());
        invocations.asked.len()
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
    let now = Instant::now();
    let body = serde_json::from_slice(&body).unwrap_or_default();
    api.invocations().answered.push((now, body));
    api.changed.notify_waiters();
    StatusCode::ACCEPTED
}

async fn error(State(api): State<Arc<Inner>>, body: Bytes) -> StatusCode {
    api.invocations().failed = Some(String::from_utf8_lossy(&body).into_owned());
    api.changed.notify_waiters();
    StatusCode::ACCEPTED
}
