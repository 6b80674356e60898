//! One request, bounded in time and size.

use std::sync::{Once, OnceLock};
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url, redirect};

use crate::{AskError, status};

/// The largest body that is read, decompressed.
pub(crate) const MAX_BODY_BYTES: usize = 8 * 1024 * 1024;
/// How much of an error's body is read.
const ERROR_BYTES: usize = 64 * 1024;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Below a minute, because peers drop idle connections and a thawed sandbox holds dead ones.
const POOL_IDLE: Duration = Duration::from_secs(50);

/// The HTTP clients, each made when it is first needed: reading the system's certificates takes milliseconds that a
/// function which asks nothing need not spend.
#[derive(Default)]
pub(crate) struct Http {
    plain: OnceLock<Client>,
    tls: OnceLock<Client>,
}

/// What is sent, and how long the whole exchange may take.
pub(crate) struct Post<'a> {
    pub url: &'a Url,
    pub headers: HeaderMap,
    pub body: String,
    pub timeout: Duration,
}

/// What came back. The body of a refusal is cut off where it is too long or breaks.
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Reply {
    /// The body of a success; whatever else came is an error.
    pub(crate) fn success(self) -> Result<Vec<u8>, AskError> {
        if self.status.is_success() {
            Ok(self.body)
        } else {
            Err(status::refused(&self))
        }
    }
}

impl Http {
    pub(crate) async fn post(&self, post: Post<'_>) -> Result<Reply, AskError> {
        let request = self
            .client(post.url)?
            .post(post.url.clone())
            .headers(post.headers)
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .body(post.body);
        exchange(request, post.timeout).await
    }

    pub(crate) async fn get(
        &self,
        url: &Url,
        headers: HeaderMap,
        timeout: Duration,
    ) -> Result<Reply, AskError> {
        let request = self.client(url)?.get(url.clone()).headers(headers);
        exchange(request, timeout).await
    }

    fn client(&self, url: &Url) -> Result<&Client, AskError> {
        let (cell, plain) = match url.scheme() {
            "http" => (&self.plain, true),
            _ => (&self.tls, false),
        };
        if let Some(client) = cell.get() {
            return Ok(client);
        }
        let made = make(plain).map_err(|error| {
            let error = error.without_url();
            tracing::error!(%error, "no HTTPS client could be made: are there CA certificates on this system?");
            AskError::wait("the provider cannot be reached")
        })?;
        Ok(cell.get_or_init(|| made))
    }
}

async fn exchange(request: RequestBuilder, timeout: Duration) -> Result<Reply, AskError> {
    let sent = request.timeout(timeout).send().await;
    let mut response = sent.map_err(|error| unanswered(&error, timeout))?;
    let status = response.status();
    let body = if status.is_success() {
        whole_body(&mut response, timeout).await?
    } else {
        start_of_body(&mut response).await
    };
    Ok(Reply {
        status,
        headers: std::mem::take(response.headers_mut()),
        body,
    })
}

/// A client for `http://`, which is for loopback, or for `https://`.
fn make(plain: bool) -> reqwest::Result<Client> {
    static RING: Once = Once::new();
    RING.call_once(|| {
        // An error says that the process has chosen a provider already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    let builder = Client::builder()
        .redirect(redirect::Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_idle_timeout(POOL_IDLE);
    if plain {
        // The system's certificates are not needed, and may be absent; a proxy cannot reach this machine's loopback.
        builder.tls_certs_only([]).no_proxy().build()
    } else {
        builder.build()
    }
}

async fn whole_body(response: &mut Response, timeout: Duration) -> Result<Vec<u8>, AskError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|e| unanswered(&e, timeout))? {
        if body.len() + chunk.len() > MAX_BODY_BYTES {
            return Err(AskError::lost("the answer is larger than 8 MiB"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

async fn start_of_body(response: &mut Response) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        let room = ERROR_BYTES - body.len();
        body.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
        if chunk.len() >= room {
            break;
        }
    }
    body
}

/// Without a connection the provider took nothing; with one it may have taken everything.
fn unanswered(error: &reqwest::Error, timeout: Duration) -> AskError {
    if error.is_connect() {
        AskError::wait("the provider cannot be reached")
    } else if error.is_builder() {
        AskError::fatal("the request cannot be made")
    } else if error.is_timeout() {
        AskError::late(timeout)
    } else {
        AskError::lost("the connection broke before the answer was complete")
    }
}
