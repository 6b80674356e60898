//! A fake of OpenAI's Responses API on loopback, whose answers a test chooses.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::{Json, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;

/// The fake provider's reply to a question.
#[derive(Debug, Clone)]
pub struct ProviderReply {
    pub status: u16,
    /// A string is sent as an HTML page, and everything else as JSON.
    pub body: Value,
    pub retry_after: Option<u64>,
    /// The limit that the provider states.
    pub requests_per_minute: Option<u32>,
    pub delay: Duration,
    /// If set, the reply is held back until this is notified.
    pub gate: Option<Arc<Notify>>,
}

impl From<Value> for ProviderReply {
    fn from(body: Value) -> Self {
        Self {
            status: 200,
            body,
            retry_after: None,
            requests_per_minute: None,
            delay: Duration::ZERO,
            gate: None,
        }
    }
}

impl ProviderReply {
    /// Delays the reply.
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Holds the reply back until `gate` is notified.
    pub fn behind(mut self, gate: &Arc<Notify>) -> Self {
        self.gate = Some(gate.clone());
        self
    }

    /// Creates the page of a firewall or a gateway.
    pub fn page(status: u16, html: &str) -> Self {
        Self {
            status,
            ..Self::from(Value::String(html.to_owned()))
        }
    }

    /// Creates an error in OpenAI's format.
    pub fn error(status: u16, code: &str) -> Self {
        let body = json!({"error": {"message": code, "type": code, "code": code, "param": null}});
        Self {
            status,
            ..Self::from(body)
        }
    }
}

/// Returns the body of an answer with a text, the URLs that it cites, and its web searches.
pub fn answer(text: &str, citations: &[&str], queries: &[&str]) -> Value {
    let searches = queries.iter().map(|query| {
        json!({"id": "ws_1", "type": "web_search_call", "status": "completed",
               "action": {"type": "search", "query": query}})
    });
    let annotations: Vec<Value> = citations
        .iter()
        .map(
            |url| json!({"type": "url_citation", "start_index": 0, "end_index": 1, "url": url, "title": url}),
        )
        .collect();
    let message = json!({"id": "msg_1", "type": "message", "status": "completed", "role": "assistant",
        "content": [{"type": "output_text", "text": text, "annotations": annotations}]});
    let output: Vec<Value> = searches.chain([message]).collect();
    json!({"id": "resp_1", "object": "response", "status": "completed", "error": null,
        "incomplete_details": null, "model": "test-2026-01-01", "output": output,
        "usage": {"input_tokens": 10, "output_tokens": 20, "total_tokens": 30}})
}

type Script = dyn Fn(&Value) -> ProviderReply + Send + Sync;

struct Shared {
    script: Box<Script>,
    asked: Mutex<BTreeMap<(String, String), u32>>,
    keys: Mutex<Vec<String>>,
    accepted_key: Mutex<Option<String>>,
}

/// The fake provider. It counts how often each model is asked each question.
#[derive(Clone)]
pub struct FakeOpenAi {
    /// The value for `OPENAI_BASE_URL`.
    pub base_url: String,
    shared: Arc<Shared>,
}

impl FakeOpenAi {
    /// Starts a provider that replies to each request body as `script` decides.
    pub async fn start<R: Into<ProviderReply>>(script: impl Fn(&Value) -> R + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let base_url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let script = Box::new(move |body: &Value| script(body).into());
        let shared = Arc::new(Shared {
            script,
            asked: Mutex::default(),
            keys: Mutex::default(),
            accepted_key: Mutex::default(),
        });
        let app = Router::new()
            .route("/v1/responses", post(respond))
            .with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { base_url, shared }
    }

    /// Returns how often each question was asked, by model and input.
    pub fn asked(&self) -> BTreeMap<(String, String), u32> {
        self.shared.asked.lock().expect("no panic while counting").clone()
    }

    /// Returns the key of each request, in their order.
    pub fn keys(&self) -> Vec<String> {
        self.shared.keys.lock().expect("no panic while counting").clone()
    }

    /// Rejects each request with another key from now on.
    pub fn accept_only(&self, key: &str) {
        *self.shared.accepted_key.lock().expect("no panic in a reply") = Some(key.to_owned());
    }

    /// Returns the environment that makes the service ask this provider.
    pub fn lookup(&self) -> impl Fn(&str) -> Option<String> + use<> {
        let base_url = self.base_url.clone();
        move |name| (name == "OPENAI_BASE_URL").then(|| base_url.clone())
    }
}

async fn respond(State(shared): State<Arc<Shared>>, headers: HeaderMap, Json(body): Json<Value>) -> Response {
    let authorization = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let key = authorization.and_then(|value| value.strip_prefix("Bearer "));
    shared
        .keys
        .lock()
        .expect("no panic while counting")
        .push(key.unwrap_or_default().to_owned());
    let accepted = shared.accepted_key.lock().expect("no panic in a reply").clone();
    let text = |field: &str| body[field].as_str().unwrap_or_default().to_owned();
    *shared
        .asked
        .lock()
        .expect("no panic while counting")
        .entry((text("model"), text("input")))
        .or_default() += 1;
    let reply = match accepted {
        Some(accepted) if key != Some(accepted.as_str()) => ProviderReply::error(401, "invalid_api_key"),
        _ => (shared.script)(&body),
    };
    tokio::time::sleep(reply.delay).await;
    if let Some(gate) = reply.gate {
        gate.notified().await;
    }
    let status = StatusCode::from_u16(reply.status).expect("a status");
    let mut response = match reply.body {
        Value::String(page) => (status, Html(page)).into_response(),
        body => (status, Json(body)).into_response(),
    };
    if let Some(seconds) = reply.retry_after {
        response.headers_mut().insert("retry-after", seconds.into());
    }
    if let Some(limit) = reply.requests_per_minute {
        let headers = response.headers_mut();
        headers.insert("x-ratelimit-limit-requests", limit.into());
    }
    response
}
