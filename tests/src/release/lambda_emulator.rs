//! A function under Lambda's runtime interface emulator, which is invoked over HTTP.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::FutureExt;
use local::bus::EventHandler;
use local::gateway::{self, ApiHandler};
use reqwest::Client;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::process::Child;
use tokio::sync::Mutex;

use super::built_functions::Release;
use super::process::command;

/// The maximum time until the emulator listens.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// A running runtime interface emulator (RIE) with its function. Both end when this is dropped.
pub struct LambdaEmulator {
    url: String,
    client: Client,
    /// Serializes the events, because a second concurrent event kills the emulator.
    invocation: Mutex<()>,
    _child: Child,
}

impl LambdaEmulator {
    /// Starts the emulator. The function's process starts with its first event.
    pub async fn start(release: &Release, function: &str, variables: &[(String, String)]) -> Arc<Self> {
        let (invoke, runtime) = (free_port(), free_port());
        let child = command(&release.emulator, function, variables)
            .args([
                "--runtime-interface-emulator-address",
                &format!("127.0.0.1:{invoke}"),
            ])
            .args(["--runtime-api-address", &format!("127.0.0.1:{runtime}")])
            .arg(release.bootstrap(function))
            .spawn()
            .expect("aws-lambda-rie starts");
        let deadline = Instant::now() + START_TIMEOUT;
        while TcpStream::connect(("127.0.0.1", invoke)).await.is_err() {
            assert!(Instant::now() < deadline, "aws-lambda-rie listens");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Arc::new(Self {
            url: format!("http://127.0.0.1:{invoke}/2015-03-31/functions/function/invocations"),
            client: Client::builder().no_proxy().build().expect("a client"),
            invocation: Mutex::default(),
            _child: child,
        })
    }

    /// Invokes the function and returns its response. `Err` is the function's error.
    pub async fn invoke(&self, event: &Value) -> Result<Value, String> {
        let _guard = self.invocation.lock().await;
        let response = self.client.post(&self.url).body(event.to_string()).send().await;
        let text = match response {
            Ok(response) => response.text().await,
            Err(error) => Err(error),
        };
        let text = text.map_err(|error| format!("the emulator does not answer: {error}"))?;
        let result: Value = match text.as_str() {
            "" => Value::Null,
            text => serde_json::from_str(text).map_err(|_| format!("the emulator returned: {text}"))?,
        };
        if result.get("errorType").is_some() {
            return Err(text);
        }
        Ok(result)
    }

    /// Returns the function as a handler of the gateway.
    pub fn behind_gateway(self: Arc<Self>) -> ApiHandler {
        Arc::new(move |event| {
            let emulator = self.clone();
            async move {
                let result = emulator.invoke(&event).await;
                result.unwrap_or_else(|error| gateway::failed(&error))
            }
            .boxed()
        })
    }

    /// Returns the function as a handler of the queue and the schedule.
    pub fn behind_queue(self: Arc<Self>) -> EventHandler {
        Arc::new(move |event| {
            let emulator = self.clone();
            async move { emulator.invoke(&event).await }.boxed()
        })
    }
}

/// Returns a port that was free a moment ago. The emulator cannot choose one itself.
fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    listener.local_addr().expect("an address").port()
}
