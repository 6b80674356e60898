//! A minimal HTTP/1.1 client for tests, which sends exactly the bytes that the test writes.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A response as it was received.
pub(crate) struct HttpResponse {
    pub(crate) status: u16,
    /// Names in lower case, in the order in which they were received.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl HttpResponse {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// Sends a request line without its protocol version (`GET /v1`), header lines and a body on a connection of
/// its own.
pub(crate) async fn send(to: SocketAddr, line: &str, headers: &[&str], body: &[u8]) -> HttpResponse {
    let mut head = format!("{line} HTTP/1.1\r\nHost: {to}\r\nConnection: close\r\n");
    if !body.is_empty() {
        head.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    for header in headers {
        head.push_str(header);
        head.push_str("\r\n");
    }
    head.push_str("\r\n");
    raw(to, &[head.as_bytes(), body].concat()).await
}

/// Sends bytes as they are and reads until the server closes.
pub(crate) async fn raw(to: SocketAddr, request: &[u8]) -> HttpResponse {
    let mut stream = TcpStream::connect(to).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut received = Vec::new();
    stream.read_to_end(&mut received).await.unwrap();
    let end = received.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(received[..end].to_vec()).unwrap();
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines
        .map(|line| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_lowercase(), value.trim().to_owned())
        })
        .collect();
    HttpResponse {
        status,
        headers,
        body: received[end + 4..].to_vec(),
    }
}
