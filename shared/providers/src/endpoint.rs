//! Sends requests to a provider's address with its key.

use std::sync::Arc;
use std::time::Duration;

use domain::limits::{GENERATION_TIMEOUT, PROVIDER_TIMEOUT};
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::http::{Http, Post};
use crate::settings::parse_base_url;
use crate::{AskError, ProviderSettings, error_mapping};

/// The header that contains the API key.
#[derive(Debug, Clone, Copy)]
pub(crate) enum KeyHeader {
    /// The key is in `Authorization: Bearer <key>`.
    Bearer,
    /// A vendor-specific header.
    Named(&'static str),
}

/// The address, key and time limits of a provider.
pub(crate) struct Endpoint {
    pub(crate) settings: ProviderSettings,
    http: Arc<Http>,
    default_base_url: &'static str,
    key_header: KeyHeader,
    /// Additional headers of every request.
    pub(crate) headers: &'static [(&'static str, &'static str)],
    pub(crate) answer_timeout: Duration,
    pub(crate) generation_timeout: Duration,
}

impl Endpoint {
    /// Creates an endpoint. `default_base_url` is the vendor's own base URL, used if `settings` has none.
    pub(crate) fn new(
        default_base_url: &'static str,
        key_header: KeyHeader,
        settings: ProviderSettings,
        http: Arc<Http>,
    ) -> Self {
        Self {
            settings,
            http,
            default_base_url,
            key_header,
            headers: &[],
            answer_timeout: PROVIDER_TIMEOUT,
            generation_timeout: GENERATION_TIMEOUT,
        }
    }

    /// Posts `body` to `path` below the base URL and returns the response body. A status other than success
    /// is an error.
    pub(crate) async fn post(
        &self,
        path: &str,
        body: &Value,
        timeout: Duration,
    ) -> Result<Vec<u8>, AskError> {
        let response = self
            .http
            .post(Post {
                url: &self.url(path)?,
                headers: self.request_headers()?,
                body: body.to_string(),
                timeout,
            })
            .await?;
        error_mapping::require_success(response)
    }

    /// Appends `path` to the path of the base URL. A query in the base URL stays.
    pub(crate) fn url(&self, path: &str) -> Result<Url, AskError> {
        let base = self.settings.base_url.as_deref().unwrap_or(self.default_base_url);
        let mut url = parse_base_url(base)
            .ok_or_else(|| AskError::permanent("the provider's address is not usable"))?;
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
            let (name, value) = match self.key_header {
                KeyHeader::Bearer => (AUTHORIZATION, format!("Bearer {key}")),
                KeyHeader::Named(name) => (HeaderName::from_static(name), key.clone()),
            };
            let mut value =
                HeaderValue::from_str(&value).map_err(|_| AskError::invalid_key("the key is not usable"))?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        Ok(headers)
    }
}
