//! A running instance of the binary.

use std::path::Path;
use std::process::Stdio;
use std::sync::Once;
use std::time::Duration;

use reqwest::{Client, Method};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::mpsc;

/// The timeout of every step, which is far longer than any step takes.
const LONG: Duration = Duration::from_secs(180);

/// Returns the command that runs the binary with these arguments, asking `provider` or its own demo provider.
pub(crate) fn command(arguments: &[&str], provider: Option<&str>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_local"));
    command.args(arguments);
    for name in ["OPENAI", "ANTHROPIC", "GEMINI", "PERPLEXITY", "XAI", "MISTRAL"] {
        command
            .env_remove(format!("{name}_API_KEY"))
            .env_remove(format!("{name}_BASE_URL"));
    }
    if let Some(base_url) = provider {
        command.env("OPENAI_BASE_URL", base_url);
    }
    command
        .env("RUST_LOG", "warn,checker=info")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

/// A running process, which may not be ready yet.
pub(crate) struct Process {
    child: Child,
    out: Lines<BufReader<ChildStdout>>,
    log: mpsc::UnboundedReceiver<String>,
    /// The line that reports that the process is ready.
    pub(crate) ready: Value,
    client: Client,
}

/// The exit status of a process, and its output from the stop request on.
#[derive(Debug)]
pub(crate) struct Exit {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) log: String,
}

impl Process {
    /// Starts the binary on `data` without waiting.
    pub(crate) fn spawn(data: &Path, more: &[&str], provider: Option<&str>) -> Self {
        static RING: Once = Once::new();
        RING.call_once(|| {
            let _ = rustls::crypto::ring::default_provider().install_default();
        });
        let data = data.to_str().unwrap();
        let arguments = [&["--data", data, "--port", "0"], more].concat();
        let mut child = command(&arguments, provider).spawn().unwrap();
        // The output is read all the time, because a full pipe would block the process.
        let (lines, log) = mpsc::unbounded_channel();
        let mut err = BufReader::new(child.stderr.take().unwrap()).lines();
        tokio::spawn(async move {
            while let Ok(Some(line)) = err.next_line().await {
                let _ = lines.send(line);
            }
        });
        Self {
            out: BufReader::new(child.stdout.take().unwrap()).lines(),
            log,
            child,
            ready: Value::Null,
            client: Client::builder().no_proxy().timeout(LONG).build().unwrap(),
        }
    }

    /// Starts the binary on `data` and waits until it is ready.
    pub(crate) async fn start(data: &Path, more: &[&str], provider: Option<&str>) -> Self {
        let mut process = Self::spawn(data, more, provider);
        let ready = tokio::time::timeout(LONG, process.out.next_line()).await;
        let line = ready.expect("the process is ready in time").unwrap();
        let Some(line) = line else {
            let exit = process.ended().await;
            unreachable!("the process ended before it was ready: {exit:?}");
        };
        process.ready = serde_json::from_str(&line).unwrap();
        process
    }

    /// Waits until the process ends by itself, and returns its exit status and output.
    pub(crate) async fn ended(self) -> Exit {
        self.wait_for_exit().await
    }

    /// Waits for `times` log lines that contain `text`.
    pub(crate) async fn wait_for_log(&mut self, text: &str, mut times: usize) {
        while times > 0 {
            let line = tokio::time::timeout(LONG, self.log.recv()).await;
            let line = line.expect("the line is logged in time");
            times -= usize::from(line.expect("the process keeps logging").contains(text));
        }
    }

    /// Kills the process with `kill -9`.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// Interrupts the process as Ctrl-C does.
    pub(crate) async fn interrupt(self) -> Exit {
        let id = self.child.id().unwrap().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().await.unwrap();
        assert!(sent.success());
        self.wait_for_exit().await
    }

    async fn wait_for_exit(mut self) -> Exit {
        let mut rest = self.out.into_inner();
        let (mut out, mut log) = (String::new(), String::new());
        let ended = tokio::time::timeout(LONG, async {
            let (code, _) = tokio::join!(self.child.wait(), rest.read_to_string(&mut out));
            while let Some(line) = self.log.recv().await {
                log.push_str(&line);
                log.push('\n');
            }
            code.unwrap().code()
        });
        let code = ended.await.expect("the process ends in time");
        Exit { code, out, log }
    }

    /// Returns the key with which the console signs in.
    pub(crate) async fn demo_key(&self) -> Value {
        let url = format!("{}demo-key", self.ready["consoleUrl"].as_str().unwrap());
        let reply: Value = self.client.get(url).send().await.unwrap().json().await.unwrap();
        reply["apiKey"].clone()
    }

    /// Moves the service's clock forward, and returns the new time in milliseconds.
    pub(crate) async fn advance(&self, seconds: u64) -> i64 {
        let url = format!("{}/clock", self.ready["eventsEndpoint"].as_str().unwrap());
        let body = serde_json::json!({ "advanceSeconds": seconds });
        let response = self.client.post(url).json(&body).send().await.unwrap();
        assert_eq!(response.status(), 200);
        response.json::<Value>().await.unwrap()["now"].as_i64().unwrap()
    }

    /// Sends a request that succeeds, and returns the response body.
    pub(crate) async fn call(&self, key: &str, method: Method, path: &str, body: Option<&Value>) -> Value {
        let url = format!("{}{path}", self.ready["baseUrl"].as_str().unwrap());
        let mut request = self.client.request(method, url).bearer_auth(key);
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = request.send().await.unwrap();
        let status = response.status();
        let body: Value = response.json().await.unwrap();
        assert_eq!(status, 200, "{body}");
        body
    }

    pub(crate) async fn get(&self, key: &str, path: &str) -> Value {
        self.call(key, Method::GET, path, None).await["data"].clone()
    }

    /// Waits until no check of the entity runs and one was completed after `since`, and returns the status.
    pub(crate) async fn wait_for_check(&self, key: &str, entity: &str, since: &Value) -> Value {
        let path = format!("/entities/tracking-status?entityId={entity}");
        let wait = async {
            loop {
                let status = self.get(key, &path).await;
                let completed = &status["lastCheckCompletedAt"];
                if status["isProcessing"] == false && !completed.is_null() && completed != since {
                    return status;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        tokio::time::timeout(LONG, wait)
            .await
            .expect("the check ends in time")
    }
}
