//! Reads the secret that contains the providers' settings, through the AWS Parameters and Secrets Lambda extension. The
//! Secrets Manager agent has the same interface: `GET http://localhost:2773/secretsmanager/get?secretId=…` with the session token in a header.
//! <https://docs.aws.amazon.com/secretsmanager/latest/userguide/retrieving-secrets_lambda.html>
//!
//! The extension answers only during an invocation, not while a function starts. It caches the secret for five minutes.
//! Each question reads the secret from it, so a changed key takes effect within that time.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use domain::backoff::Backoff;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{StatusCode, Url};
use serde_json::Value;

use crate::AskError;
use crate::http::{Http, HttpResponse};

const TOKEN_HEADER: HeaderName = HeaderName::from_static("x-aws-parameters-secrets-token");
const DEFAULT_PORT: &str = "2773";
/// The time limit of reading the secret, including retries.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The time limit of one request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(3);
/// The delays between requests while the extension starts.
const BACKOFF: Backoff = Backoff::new(Duration::from_millis(20), Duration::from_millis(500));

/// A secret whose value is a JSON object: `{"OPENAI_API_KEY": "…", …}`.
pub(crate) struct Secret {
    /// The URL to read it from; `None` if the port is invalid.
    url: Option<Url>,
    token: Option<HeaderValue>,
    http: Arc<Http>,
}

impl Secret {
    /// Reads `SECRET_ID` (an ARN or a name), `AWS_SESSION_TOKEN` and
    /// `PARAMETERS_SECRETS_EXTENSION_HTTP_PORT`. Returns `None` without `SECRET_ID`.
    pub(crate) fn from_lookup(lookup: impl Fn(&str) -> Option<String>, http: Arc<Http>) -> Option<Self> {
        let id = lookup("SECRET_ID")?;
        let port = lookup("PARAMETERS_SECRETS_EXTENSION_HTTP_PORT");
        let port: Option<u16> = port.as_deref().unwrap_or(DEFAULT_PORT).parse().ok();
        let url = port.and_then(|port| {
            let base = format!("http://localhost:{port}/secretsmanager/get");
            Url::parse_with_params(&base, [("secretId", id)]).ok()
        });
        let token = lookup("AWS_SESSION_TOKEN").and_then(|token| HeaderValue::from_str(&token).ok());
        let token = token.map(|mut token| {
            token.set_sensitive(true);
            token
        });
        Some(Self { url, token, http })
    }

    /// Reads the values in the secret, by name. A timeout is [`AskError::Unavailable`]; a secret that cannot be read or
    /// parsed is [`AskError::InvalidKey`].
    pub(crate) async fn values(&self) -> Result<HashMap<String, String>, AskError> {
        let read = tokio::time::timeout(TIMEOUT, self.fetch()).await;
        let reply = match read {
            Ok(Ok(reply)) => reply,
            Ok(Err(error)) => {
                tracing::error!(error, "the providers' secret cannot be read");
                return Err(AskError::InvalidKey {
                    reason: "the providers' secret cannot be read".to_owned(),
                });
            }
            Err(_) => {
                tracing::error!("the providers' secret was not read in time");
                return Err(AskError::unavailable("the providers' keys cannot be had"));
            }
        };
        parse_values(&reply.body).ok_or_else(|| AskError::InvalidKey {
            reason: "the providers' secret is no JSON object of texts".to_owned(),
        })
    }

    /// Requests the secret and retries transient errors, such as while the extension starts. Returns a permanent error.
    async fn fetch(&self) -> Result<HttpResponse, &'static str> {
        let url = self.url.as_ref().ok_or("the extension's port is no number")?;
        let token = self.token.as_ref().ok_or("there is no session token")?;
        let mut retry = 0;
        loop {
            let headers = HeaderMap::from_iter([(TOKEN_HEADER, token.clone())]);
            match self.http.get(url, headers, REQUEST_TIMEOUT).await {
                Ok(reply) if reply.status.is_success() => return Ok(reply),
                Ok(reply) if !is_transient(&reply) => {
                    return Err(
                        "the extension refused access; check the function's permission to read the secret",
                    );
                }
                Ok(_) | Err(_) => {}
            }
            tokio::time::sleep(BACKOFF.delay(retry, 0.0)).await;
            retry += 1;
        }
    }
}

/// Returns whether a retry can succeed. While the extension starts, it responds with `400 not ready to serve traffic,
/// please wait`.
fn is_transient(reply: &HttpResponse) -> bool {
    let text = String::from_utf8_lossy(&reply.body);
    let is_starting = reply.status == StatusCode::BAD_REQUEST && text.contains("not ready");
    is_starting || reply.status.is_server_error() || reply.status == StatusCode::TOO_MANY_REQUESTS
}

/// Parses the values in the response `{"SecretString": "<JSON>", …}`.
fn parse_values(body: &[u8]) -> Option<HashMap<String, String>> {
    let reply: Value = serde_json::from_slice(body).ok()?;
    serde_json::from_str(reply["SecretString"].as_str()?).ok()
}

#[cfg(test)]
mod tests;
