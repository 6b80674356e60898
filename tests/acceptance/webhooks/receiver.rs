//! A receiver of webhooks on the loopback interface.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use acceptance::ApiContract;
use axum::Router;
use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use lambda_http::http::HeaderMap;
use serde_json::Value;
use tokio::net::TcpListener;

/// How a receiver answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behaviour {
    Accept,
    Status(u16),
    /// Redirects to another path of the receiver.
    Redirect,
    /// Never answers.
    Hang,
    /// Closes the connection without an answer.
    HangUp,
}

/// A message that a receiver got, whatever it answered.
#[derive(Debug, Clone)]
pub(super) struct Received {
    pub(super) path: String,
    pub(super) headers: HeaderMap,
    pub(super) text: String,
    is_accepted: bool,
}

impl Received {
    pub(super) fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    /// Returns the body of a message in the format `json`, which must be as the OpenAPI document describes
    /// it.
    pub(super) fn body(&self) -> Value {
        let body = serde_json::from_str(&self.text).unwrap();
        assert_eq!(ApiContract::get().message_violation(&body), None, "{body}");
        body
    }
}

/// How a receiver answers, and what it got.
type Shared = Arc<Mutex<(Behaviour, Vec<Received>)>>;

/// A receiver. Clones share it.
#[derive(Clone)]
pub(super) struct Receiver {
    pub(super) url: String,
    state: Shared,
}

impl Receiver {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new((Behaviour::Accept, Vec::new())));
        let app = Router::new().fallback(receive).with_state(state.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { url, state }
    }

    pub(super) fn answer_with(&self, behaviour: Behaviour) {
        self.state.lock().unwrap().0 = behaviour;
    }

    /// Returns all messages so far.
    pub(super) fn received(&self) -> Vec<Received> {
        self.state.lock().unwrap().1.clone()
    }

    /// Returns the ids of the messages that were accepted, in the order in which they arrived.
    pub(super) fn accepted(&self) -> Vec<String> {
        let received = self.received();
        let accepted = received.iter().filter(|message| message.is_accepted);
        accepted
            .map(|message| message.header("webhook-id").to_owned())
            .collect()
    }

    /// Waits until the receiver has got this many messages, and returns all.
    pub(super) async fn wait_for(&self, count: usize) -> Vec<Received> {
        let start = Instant::now();
        loop {
            let received = self.received();
            if received.len() >= count {
                return received;
            }
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "{} of {count} messages",
                received.len()
            );
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

async fn receive(State(state): State<Shared>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body: Bytes = to_bytes(body, 1 << 20).await.unwrap_or_default();
    let behaviour = {
        let mut state = state.lock().unwrap();
        let behaviour = state.0;
        state.1.push(Received {
            path: parts.uri.path().to_owned(),
            headers: parts.headers,
            text: String::from_utf8_lossy(&body).into_owned(),
            is_accepted: behaviour == Behaviour::Accept,
        });
        behaviour
    };
    match behaviour {
        Behaviour::Accept => lambda_http::http::StatusCode::NO_CONTENT.into_response(),
        Behaviour::Status(status) => lambda_http::http::StatusCode::from_u16(status)
            .unwrap()
            .into_response(),
        Behaviour::Redirect => (
            lambda_http::http::StatusCode::TEMPORARY_REDIRECT,
            [("location", "/elsewhere")],
        )
            .into_response(),
        Behaviour::Hang => std::future::pending().await,
        // The server closes the connection of a handler that panics.
        Behaviour::HangUp => std::panic::resume_unwind(Box::new("the receiver hangs up")),
    }
}
