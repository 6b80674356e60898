//! A provider on loopback that implements OpenAI's `/v1/responses`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Json, State};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;

/// A provider that answers at once. Questions that contain `slow` wait for
/// [`Provider::release_slow_questions`].
#[derive(Clone)]
pub(crate) struct Provider {
    pub(crate) base_url: String,
    asked: Arc<Mutex<BTreeMap<String, u32>>>,
    is_released: Arc<watch::Sender<bool>>,
}

impl Provider {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let provider = Self {
            base_url: format!("http://{}/v1", listener.local_addr().unwrap()),
            asked: Arc::default(),
            is_released: Arc::new(watch::Sender::new(false)),
        };
        let app = Router::new()
            .route("/v1/responses", post(respond))
            .with_state(provider.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        provider
    }

    /// Returns how often each question was asked.
    pub(crate) fn asked(&self) -> BTreeMap<String, u32> {
        self.asked.lock().unwrap().clone()
    }

    /// Answers the waiting questions and all later ones.
    pub(crate) fn release_slow_questions(&self) {
        self.is_released.send_replace(true);
    }
}

async fn respond(State(provider): State<Provider>, Json(body): Json<Value>) -> Json<Value> {
    let input = body["input"].as_str().unwrap_or_default().to_owned();
    let is_slow = input.contains("slow");
    *provider.asked.lock().unwrap().entry(input).or_default() += 1;
    if is_slow {
        let _ = provider
            .is_released
            .subscribe()
            .wait_for(|is_released| *is_released)
            .await;
    }
    Json(json!({
        "id": "r", "object": "response", "status": "completed", "error": null, "incomplete_details": null,
        "model": "m", "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
        "output": [{"id": "m", "type": "message", "status": "completed", "role": "assistant",
            "content": [{"type": "output_text", "text": "I recommend Acme.", "annotations": []}]}],
    }))
}
