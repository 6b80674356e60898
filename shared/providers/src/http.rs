//! Sends HTTP requests with limits on time and size.

use std::sync::{Once, OnceLock};
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url, redirect};

use crate::AskError;

/// The maximum size of a decompressed response body.
pub(crate) const MAX_BODY_BYTES: usize = 8 * 1024 * 1024;
/// The number of bytes that are read of an error response.
const MAX_ERROR_BODY_BYTES: usize = 64 * 1024;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The time after which an idle connection is closed. It is less than a minute, because peers drop idle
/// connections, and a sandbox that was frozen can have dead ones.
const POOL_IDLE_TIMEOUT: Duration = Duration::from_secs(50);

/// The HTTP clients. Each is created on first use, because reading the system's certificates takes
/// milliseconds that a function without requests need not spend.
#[derive(Default)]
pub(crate) struct Http {
    plain: OnceLock<Client>,
    tls: OnceLock<Client>,
}

/// A POST request. `timeout` limits the complete exchange.
pub(crate) struct Post<'a> {
    pub url: &'a Url,
    pub headers: HeaderMap,
    pub body: String,
    pub timeout: Duration,
}

/// A response. The body of an error is truncated if it is too long or the connection breaks.
pub struct HttpResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Http {
    pub(crate) async fn post(&self, post: Post<'_>) -> Result<HttpResponse, AskError> {
        let request = self
            .client(post.url)?
            .post(post.url.clone())
            .headers(post.headers)
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .body(post.body);
        exchange(request, post.timeout).await
    }

    fn client(&self, url: &Url) -> Result<&Client, AskError> {
        let (cell, is_plain) = match url.scheme() {
            "http" => (&self.plain, true),
            _ => (&self.tls, false),
        };
        if let Some(client) = cell.get() {
            return Ok(client);
        }
        let client = build_client(is_plain).map_err(|error| {
            let error = error.without_url();
            tracing::error!(%error, "the HTTP client cannot be created; check that the system has CA certificates");
            AskError::unavailable("the provider cannot be reached")
        })?;
        Ok(cell.get_or_init(|| client))
    }
}

async fn exchange(request: RequestBuilder, timeout: Duration) -> Result<HttpResponse, AskError> {
    let result = request.timeout(timeout).send().await;
    let mut response = result.map_err(|error| transport_error(&error, timeout))?;
    let status = response.status();
    let body = if status.is_success() {
        read_body(&mut response, timeout).await?
    } else {
        read_error_body(&mut response).await
    };
    Ok(HttpResponse {
        status,
        headers: std::mem::take(response.headers_mut()),
        body,
    })
}

/// Builds a client for `http://`, which is only used on loopback, or for `https://`.
fn build_client(is_plain: bool) -> reqwest::Result<Client> {
    static RING: Once = Once::new();
    RING.call_once(|| {
        // An error means that the process has already installed a provider, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    let builder = Client::builder()
        .redirect(redirect::Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_idle_timeout(POOL_IDLE_TIMEOUT);
    if is_plain {
        // Plain HTTP needs no system certificates, which may be absent. A proxy cannot reach this machine's
        // loopback.
        builder.tls_certs_only([]).no_proxy().build()
    } else {
        builder.build()
    }
}

async fn read_body(response: &mut Response, timeout: Duration) -> Result<Vec<u8>, AskError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|e| transport_error(&e, timeout))? {
        if body.len() + chunk.len() > MAX_BODY_BYTES {
            return Err(AskError::answer_lost("the answer is larger than 8 MiB"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

async fn read_error_body(response: &mut Response) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        let room = MAX_ERROR_BODY_BYTES - body.len();
        body.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
        if chunk.len() >= room {
            break;
        }
    }
    body
}

/// Maps a transport error. Without a connection, the provider has not accepted the request; with one, it may
/// have.
fn transport_error(error: &reqwest::Error, timeout: Duration) -> AskError {
    if error.is_connect() {
        AskError::unavailable("the provider cannot be reached")
    } else if error.is_builder() {
        AskError::permanent("the request cannot be made")
    } else if error.is_timeout() {
        AskError::timed_out(timeout)
    } else {
        AskError::answer_lost("the connection broke before the answer was complete")
    }
}
