//! What the providers are asked in tests, and a server on loopback that plays what it is given, byte for byte.

mod damage;

use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use crate::{Brief, ProviderSettings, Question};
pub(crate) use damage::{assert_sound, damaged};

pub(crate) const QUESTION: Question<'static> = Question {
    model: "model-1",
    prompt: "Qual é o melhor galpão?",
    language: "pt-BR",
    country: Some("BR"),
};

pub(crate) const BRIEF: Brief<'static> = Brief {
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

/// What the server does with a connection once it has read the request.
#[derive(Clone)]
pub(crate) enum Act {
    /// Sends these bytes and closes.
    Send(Vec<u8>),
    /// Sends these bytes and then nothing.
    Hang(Vec<u8>),
    /// Sends these bytes after a while and closes.
    SendLater(Duration, Vec<u8>),
}

impl Act {
    /// A whole reply with a JSON body; `headers` are lines that end in CRLF.
    pub(crate) fn reply(status: u16, headers: &str, body: &str) -> Self {
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

/// The server: its address and the requests it read, head and body.
pub(crate) struct Script {
    pub(crate) origin: String,
    pub(crate) requests: mpsc::UnboundedReceiver<String>,
}

/// A request: its first line, its head in lower case, its body.
pub(crate) struct Request {
    pub(crate) line: String,
    pub(crate) head: String,
    pub(crate) body: Value,
}

impl Script {
    /// The next request, whose body is JSON.
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

/// Starts a server that does `act` with every connection. It ends with the test's runtime.
pub(crate) async fn play(act: Act) -> Script {
    play_in_turn(vec![act]).await
}

/// The same with an act for each connection; the last one for all further ones.
pub(crate) async fn play_in_turn(acts: Vec<Act>) -> Script {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let (sender, requests) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        for served in 0.. {
            let act = acts.get(served).or(acts.last()).unwrap().clone();
            let Ok((stream, _)) = listener.accept().await else {
                return;
            };
            tokio::spawn(serve(stream, act, sender.clone()));
        }
    });
    Script { origin, requests }
}

async fn serve(mut stream: TcpStream, act: Act, requests: mpsc::UnboundedSender<String>) {
    let _ = requests.send(read_request(&mut stream).await);
    match act {
        Act::Send(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        Act::SendLater(wait, bytes) => {
            tokio::time::sleep(wait).await;
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        Act::Hang(bytes) => {
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
