//! A stand-in of the Secrets Manager API on loopback, with one secret that a test changes.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Json, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// What the API replies to a request for the secret.
#[derive(Debug, Clone)]
pub enum SecretReply {
    /// The secret's text.
    Text(String),
    /// A secret whose value is bytes.
    Binary,
    /// An error with this HTTP status and code.
    Error(u16, &'static str),
}

struct Shared {
    reply: Mutex<SecretReply>,
    reads: AtomicUsize,
}

/// The stand-in. Clones share their state.
#[derive(Clone)]
pub struct FakeSecretsManager {
    /// The URL of the API.
    pub endpoint: String,
    shared: Arc<Shared>,
}

impl FakeSecretsManager {
    /// The ARN of the only secret.
    pub const ARN: &str =
        "arn:aws:secretsmanager:eu-central-1:123456789012:secret:visibility-providers-AbCdEf";

    /// Starts the API.
    pub async fn start(reply: SecretReply) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
        let shared = Arc::new(Shared {
            reply: Mutex::new(reply),
            reads: AtomicUsize::new(0),
        });
        let app = Router::new()
            .route("/", post(get_secret_value))
            .with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { endpoint, shared }
    }

    /// Makes the API reply this from now on.
    pub fn set(&self, reply: SecretReply) {
        *self.shared.reply.lock().expect("no panic while replying") = reply;
    }

    /// Returns how many requests the API has received.
    pub fn reads(&self) -> usize {
        self.shared.reads.load(Ordering::Relaxed)
    }

    /// Returns the environment in which a function reads its providers' settings from this secret.
    pub fn lookup(&self) -> impl Fn(&str) -> Option<String> + use<> {
        |name| (name == providers::SECRET_ID).then(|| Self::ARN.to_owned())
    }
}

async fn get_secret_value(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, Json<Value>) {
    shared.reads.fetch_add(1, Ordering::Relaxed);
    // The SDK's type of content is not `application/json`.
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let is_signed = header("authorization").is_some_and(|text| {
        text.starts_with("AWS4-HMAC-SHA256 ") && text.contains("/secretsmanager/aws4_request")
    });
    let reply = shared.reply.lock().expect("no panic while replying").clone();
    let reply = match header("x-amz-target") {
        _ if !is_signed => SecretReply::Error(400, "MissingAuthenticationTokenException"),
        Some("secretsmanager.GetSecretValue") if body["SecretId"] == FakeSecretsManager::ARN => reply,
        Some("secretsmanager.GetSecretValue") => SecretReply::Error(400, "ResourceNotFoundException"),
        _ => SecretReply::Error(400, "UnknownOperationException"),
    };
    let secret = json!({
        "ARN": FakeSecretsManager::ARN, "Name": "visibility-providers", "CreatedDate": 1.7e9,
        "VersionId": "11111111-1111-1111-1111-111111111111", "VersionStages": ["AWSCURRENT"],
    });
    match reply {
        SecretReply::Text(text) => {
            let mut secret = secret;
            secret["SecretString"] = text.into();
            (StatusCode::OK, Json(secret))
        }
        SecretReply::Binary => {
            let mut secret = secret;
            secret["SecretBinary"] = "AAEC".into();
            (StatusCode::OK, Json(secret))
        }
        SecretReply::Error(status, code) => {
            let status = StatusCode::from_u16(status).expect("a status");
            (status, Json(json!({"__type": code, "Message": "hidden"})))
        }
    }
}
