//! A provider's address and key, and one request to it.

use std::sync::Arc;
use std::time::Duration;

use domain::limits::{GENERATION_TIMEOUT, PROVIDER_TIMEOUT};
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::http::{Http, Post};
use crate::{AskError, ProviderSettings};

/// How a provider is told the key.
#[derive(Debug, Clone, Copy)]
pub(crate) enum KeyIn {
    /// `Authorization: Bearer …`.
    Bearer,
    /// A header of its own.
    Header(&'static str),
}

/// Where a provider is, how it knows us, and how long it may take.
pub(crate) struct Endpoint {
    pub(crate) settings: ProviderSettings,
    http: Arc<Http>,
    vendor: &'static str,
    key_in: KeyIn,
    /// Headers of every request.
    pub(crate) headers: &'static [(&'static str, &'static str)],
    pub(crate) answer_timeout: Duration,
    pub(crate) generation_timeout: Duration,
}

impl Endpoint {
    /// `vendor`: the vendor's own base URL.
    pub(crate) fn new(
        vendor: &'static str,
        key_in: KeyIn,
        settings: ProviderSettings,
        http: Arc<Http>,
    ) -> Self {
        Self {
            settings,
            http,
            vendor,
            key_in,
            headers: &[],
            answer_timeout: PROVIDER_TIMEOUT,
            generation_timeout: GENERATION_TIMEOUT,
        }
    }

    /// Posts to `path` below the base URL. The body of a success; whatever else comes is an error.
    pub(crate) async fn post(
        &self,
        path: &str,
        body: &Value,
        timeout: Duration,
    ) -> Result<Vec<u8>, AskError> {
        let reply = self
            .http
            .post(Post {
                url: &self.url(path)?,
                headers: self.request_headers()?,
                body: body.to_string(),
                timeout,
            })
            .await?;
        reply.success()
    }

    /// The base URL's path with `path` behind it; a query in the base URL stays.
    pub(crate) fn url(&self, path: &str) -> Result<Url, AskError> {
        let base = self.settings.base_url.as_deref().unwrap_or(self.vendor);
        let mut url = Url::parse(base)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"))
            .ok_or_else(|| AskError::fatal("the provider's address is not usable"))?;
        let path = format!("{}{path}", url.path().trim_end_matches('/'));
        url.set_path(&path);
        Ok(url)
    }

    fn request_headers(&self) -> Result<HeaderMap, AskError> {
        let mut headers: HeaderMap = self
            .headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect();
        if let Some(key) = &self.settings.api_key {
            let (name, value) = match self.key_in {
                KeyIn::Bearer => (AUTHORIZATION, format!("Bearer {key}")),
                KeyIn::Header(name) => (HeaderName::from_static(name), key.clone()),
            };
            let mut value = HeaderValue::from_str(&value).map_err(|_| AskError::BadKey {
                reason: "the key is not usable".to_owned(),
            })?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        Ok(headers)
    }
}
