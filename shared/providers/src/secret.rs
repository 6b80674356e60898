//! The secret that holds the providers' settings, read through AWS's Parameters and Secrets Lambda extension (the Secrets Manager
//! agent speaks the same): `GET http://localhost:2773/secretsmanager/get?secretId=…` with the session's token in a header.
//! <https://docs.aws.amazon.com/secretsmanager/latest/userguide/retrieving-secrets_lambda.html>
//!
//! The extension answers only while an invocation runs, not while a function starts. It is the cache as well, for five
//! minutes, so each question asks it: a key that was changed in the secret is used by then.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{StatusCode, Url};
use serde_json::Value;

use crate::AskError;
use crate::http::{Http, Reply};

const TOKEN: HeaderName = HeaderName::from_static("x-aws-parameters-secrets-token");
const PORT: &str = "2773";
/// For the whole reading, and for one request of it.
const TIMEOUT: Duration = Duration::from_secs(5);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(3);
/// Between two requests while the extension starts: doubled each time, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// A secret whose text is a JSON object: `{"OPENAI_API_KEY": "…", …}`.
pub(crate) struct Secret {
    /// Where it is read; `None`: the port is no number.
    url: Option<Url>,
    token: Option<HeaderValue>,
    http: Arc<Http>,
}

impl Secret {
    /// Reads `SECRET_ID` (an ARN or a name; without it there is no secret), `AWS_SESSION_TOKEN` and
    /// `PARAMETERS_SECRETS_EXTENSION_HTTP_PORT`.
    pub(crate) fn from_lookup(lookup: impl Fn(&str) -> Option<String>, http: Arc<Http>) -> Option<Self> {
        let id = lookup("SECRET_ID")?;
        let port = lookup("PARAMETERS_SECRETS_EXTENSION_HTTP_PORT");
        let port: Option<u16> = port.as_deref().unwrap_or(PORT).parse().ok();
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

    /// The texts in it, by their names. What cannot be had now can be had later; what cannot be read is a matter of keys.
    pub(crate) async fn texts(&self) -> Result<HashMap<String, String>, AskError> {
        let read = tokio::time::timeout(TIMEOUT, self.reply()).await;
        let reply = match read {
            Ok(Ok(reply)) => reply,
            Ok(Err(why)) => {
                tracing::error!(why, "the providers' secret cannot be read");
                return Err(AskError::BadKey {
                    reason: "the providers' secret cannot be read".to_owned(),
                });
            }
            Err(_) => {
                tracing::error!("the providers' secret was not read in time");
                return Err(AskError::wait("the providers' keys cannot be had"));
            }
        };
        texts_in(&reply.body).ok_or_else(|| AskError::BadKey {
            reason: "the providers' secret is no JSON object of texts".to_owned(),
        })
    }

    /// Asks until the extension has started. An error is one that asking again does not mend.
    async fn reply(&self) -> Result<Reply, &'static str> {
        let url = self.url.as_ref().ok_or("the extension's port is no number")?;
        let token = self.token.as_ref().ok_or("there is no session token")?;
        let mut pause = FIRST_PAUSE;
        loop {
            let headers = HeaderMap::from_iter([(TOKEN, token.clone())]);
            match self.http.get(url, headers, REQUEST_TIMEOUT).await {
                Ok(reply) if reply.status.is_success() => return Ok(reply),
                Ok(reply) if !is_passing(&reply) => {
                    return Err("the extension refused it: may the function read it?");
                }
                Ok(_) | Err(_) => {}
            }
            tokio::time::sleep(pause).await;
            pause = LONGEST_PAUSE.min(pause * 2);
        }
    }
}

/// `400 not ready to serve traffic, please wait` while it starts, and what its own trouble looks like.
fn is_passing(reply: &Reply) -> bool {
    let says = String::from_utf8_lossy(&reply.body);
    let starts = reply.status == StatusCode::BAD_REQUEST && says.contains("not ready");
    starts || reply.status.is_server_error() || reply.status == StatusCode::TOO_MANY_REQUESTS
}

/// The reply is `{"SecretString": "<JSON>", …}`.
fn texts_in(body: &[u8]) -> Option<HashMap<String, String>> {
    let reply: Value = serde_json::from_slice(body).ok()?;
    serde_json::from_str(reply["SecretString"].as_str()?).ok()
}

#[cfg(test)]
mod tests;
