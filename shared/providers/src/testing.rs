//! A server on loopback that plays what it is given, byte for byte.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// What the server does with a connection once it has read the request.
#[derive(Clone)]
pub(crate) enum Act {
    /// Sends these bytes and closes.
    Send(Vec<u8>),
    /// Sends these bytes and then nothing.
    Hang(Vec<u8>),
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

/// Starts a server that does `act` with every connection. It ends with the test's runtime.
pub(crate) async fn play(act: Act) -> Script {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let (sender, requests) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, act.clone(), sender.clone()));
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
