//! Sample requests, and a scripted server on loopback for tests.

mod damage;

use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use crate::{GenerationRequest, ProviderSettings, Question};
pub(crate) use damage::{assert_valid, damaged};

pub(crate) const QUESTION: Question<'static> = Question {
    model: "model-1",
    prompt: "Qual é o melhor galpão?",
    language: "pt-BR",
    country: Some("BR"),
};

pub(crate) const GENERATION_REQUEST: GenerationRequest<'static> = GenerationRequest {
    model: "model-1",
    name: "Shedwright",
    domain: Some("shedwright.example"),
    description: "Garden sheds",
    language: "de",
    language_name: "German",
    country: Some("DE"),
    count: 2,
};

pub(crate) fn settings(base_url: &str) -> ProviderSettings {
    ProviderSettings {
        api_key: Some("key-1".to_owned()),
        base_url: Some(base_url.to_owned()),
    }
}

/// The server's action after it has read a request.
#[derive(Clone)]
pub(crate) enum ServerAction {
    /// Sends these bytes and closes.
    Send(Vec<u8>),
    /// Sends these bytes and keeps the connection open.
    Hang(Vec<u8>),
    /// Sends these bytes after a delay and closes.
    SendAfter(Duration, Vec<u8>),
}

impl ServerAction {
    /// Sends a complete response with a JSON body. `headers` are lines that end in CRLF.
    pub(crate) fn respond(status: u16, headers: &str, body: &str) -> Self {
        let length = body.len();
        Self::Send(
            format!(
                "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
                 connection: close\r\n{headers}\r\n{body}"
            )
            .into_bytes(),
        )
    }
}

/// A server, its address and the requests that it has read, with head and body.
pub(crate) struct TestServer {
    pub(crate) origin: String,
    pub(crate) requests: mpsc::UnboundedReceiver<String>,
}

/// A request with its first line, its head in lower case and its body.
pub(crate) struct Request {
    pub(crate) line: String,
    pub(crate) head: String,
    pub(crate) body: Value,
}

impl TestServer {
    /// Returns the next request, whose body must be JSON.
    pub(crate) async fn request(&mut self) -> Request {
        let request = self.requests.recv().await.unwrap();
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        Request {
            line: head.lines().next().unwrap().to_owned(),
            head: head.to_ascii_lowercase(),
            body: serde_json::from_str(body).unwrap(),
        }
    }
}

/// Starts a server that performs `action` on every connection. It stops with the test's runtime.
pub(crate) async fn start_server(action: ServerAction) -> TestServer {
    start_server_with(vec![action]).await
}

/// Starts a server with an action for each connection. The last action repeats.
pub(crate) async fn start_server_with(actions: Vec<ServerAction>) -> TestServer {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let (sender, requests) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        for served in 0.. {
            let action = actions.get(served).or(actions.last()).unwrap().clone();
            let Ok((stream, _)) = listener.accept().await else {
                return;
            };
            tokio::spawn(serve(stream, action, sender.clone()));
        }
    });
    TestServer { origin, requests }
}

async fn serve(mut stream: TcpStream, action: ServerAction, requests: mpsc::UnboundedSender<String>) {
    let _ = requests.send(read_request(&mut stream).await);
    match action {
        ServerAction::Send(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        ServerAction::SendAfter(delay, bytes) => {
            tokio::time::sleep(delay).await;
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        ServerAction::Hang(bytes) => {
            let _ = stream.write_all(&bytes).await;
            std::future::pending::<()>().await;
        }
    }
}

async fn read_request(stream: &mut TcpStream) -> String {
    let mut read = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&read).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .to_ascii_lowercase()
                .lines()
                .find_map(|line| line.strip_prefix("content-length: ").and_then(|n| n.parse().ok()))
                .unwrap_or(0);
            if body.len() >= length {
                return text;
            }
        }
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return text,
            Ok(n) => read.extend_from_slice(&buffer[..n]),
        }
    }
}
