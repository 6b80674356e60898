//! A minimal HTTP/1.1 client that sends requests byte for byte as a test writes them.

use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A response to a raw request.
#[derive(Debug)]
pub struct RawResponse {
    pub status: u16,
    /// The headers with names in lower case, in the order of arrival.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl RawResponse {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the text of the service's error. Returns `None` if the service did not write this response.
    pub fn error(&self) -> Option<String> {
        let body: Value = serde_json::from_slice(&self.body).ok()?;
        body["error"].as_str().map(str::to_owned)
    }
}

/// The maximum wait for a server that waits for more bytes or keeps the connection open.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Sends bytes to `host:port` and reads until the server closes the connection. Returns `None` if there is no
/// response.
pub async fn send_raw(to: &str, request: &[u8]) -> Option<RawResponse> {
    let mut response = Vec::new();
    let _ = tokio::time::timeout(TIMEOUT, exchange(to, request, &mut response)).await;
    parse(&response)
}

async fn exchange(to: &str, request: &[u8], response: &mut Vec<u8>) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(to).await?;
    // A server that rejects a request may close the connection before all of it is sent.
    let _ = stream.write_all(request).await;
    stream.read_to_end(response).await.map(|_| ())
}

fn parse(response: &[u8]) -> Option<RawResponse> {
    let mut rest = response;
    loop {
        let end = rest.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&rest[..end]).into_owned();
        rest = &rest[end + 4..];
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        // Skip interim responses.
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
