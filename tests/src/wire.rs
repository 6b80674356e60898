//! A bare HTTP/1.1 client: what it sends is what a test wrote, byte for byte.

use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What came back.
#[derive(Debug)]
pub struct RawResponse {
    pub status: u16,
    /// Names in lower case, in the order they came.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl RawResponse {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The text of an error of the service; `None`: it did not come from there.
    pub fn error(&self) -> Option<String> {
        let body: Value = serde_json::from_slice(&self.body).ok()?;
        body["error"].as_str().map(str::to_owned)
    }
}

/// How long a server may take that waits for more, or does not close.
const PATIENCE: Duration = Duration::from_secs(10);

/// Sends bytes as they are to `host:port` and reads until the server closes. `None`: there came no answer.
pub async fn send_raw(to: &str, request: &[u8]) -> Option<RawResponse> {
    let mut reply = Vec::new();
    let _ = tokio::time::timeout(PATIENCE, exchange(to, request, &mut reply)).await;
    read(&reply)
}

async fn exchange(to: &str, request: &[u8], reply: &mut Vec<u8>) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(to).await?;
    // A server that has heard enough may close before everything is sent.
    let _ = stream.write_all(request).await;
    stream.read_to_end(reply).await.map(|_| ())
}

fn read(reply: &[u8]) -> Option<RawResponse> {
    let mut rest = reply;
    loop {
        let end = rest.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&rest[..end]).into_owned();
        rest = &rest[end + 4..];
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        // What comes before the answer.
        if (100..200).contains(&status) {
            continue;
        }
        let header = |line: &str| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_lowercase(), value.trim().to_owned()))
        };
        return Some(RawResponse {
            status,
            headers: lines.filter_map(header).collect(),
            body: rest.to_vec(),
        });
    }
}
