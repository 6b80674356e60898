//! The settings of a provider.

use std::fmt;

use reqwest::Url;
use sha2::{Digest, Sha256};
use thiserror::Error;

/// The bytes of a key's SHA-256 in its fingerprint.
const FINGERPRINT_BYTES: usize = 8;

/// A base URL that no request, and no key, is sent to.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{name} must be a URL that begins with https:// or http://")]
pub struct InvalidBaseUrl {
    /// The variable that has the base URL.
    name: String,
}

/// Parses a base URL. Returns `None` unless it is an HTTP URL.
pub(crate) fn parse_base_url(text: &str) -> Option<Url> {
    Url::parse(text)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"))
}

/// The key and base URL of a provider. A provider is configured if either is set.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ProviderSettings {
    /// The API key.
    pub api_key: Option<String>,
    /// The base URL in the form that the vendor's own SDK expects; `None` for the vendor's own URL.
    pub base_url: Option<String>,
}

impl ProviderSettings {
    /// Reads `<PREFIX>_API_KEY` and `<PREFIX>_BASE_URL`; trims values and ignores empty ones.
    pub(crate) fn from_lookup(prefix: &str, lookup: &impl Fn(&str) -> Option<String>) -> Self {
        let read = |suffix: &str| {
            let value = lookup(&format!("{prefix}_{suffix}"))?;
            let value = value.trim();
            (!value.is_empty()).then(|| value.to_owned())
        };
        Self {
            api_key: read("API_KEY"),
            base_url: read("BASE_URL"),
        }
    }

    /// Returns an error if there is a base URL and it is not an HTTP URL.
    pub(crate) fn check_base_url(&self, prefix: &str) -> Result<(), InvalidBaseUrl> {
        match &self.base_url {
            Some(url) if parse_base_url(url).is_none() => Err(InvalidBaseUrl {
                name: format!("{prefix}_BASE_URL"),
            }),
            _ => Ok(()),
        }
    }

    /// Fills missing settings from another source.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            api_key: self.api_key.or(other.api_key),
            base_url: self.base_url.or(other.base_url),
        }
    }

    /// Returns the fingerprint of the key.
    pub(crate) fn key_fingerprint(&self) -> String {
        let key = self.api_key.as_deref().unwrap_or("");
        let digest = Sha256::digest(key.as_bytes());
        hex::encode(&digest[..FINGERPRINT_BYTES])
    }

    /// Returns whether the provider can be used.
    pub(crate) fn is_configured(&self) -> bool {
        self.api_key.is_some() || self.base_url.is_some()
    }
}

/// Shows neither value, because a base URL can contain a password too.
impl fmt::Debug for ProviderSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value: &Option<String>| if value.is_some() { "set" } else { "not set" };
        f.debug_struct("ProviderSettings")
            .field("api_key", &shown(&self.api_key))
            .field("base_url", &shown(&self.base_url))
            .finish()
    }
}
