//! Where a provider is and how it knows us.

use std::fmt;

/// A provider's key and base URL. A provider is configured when either is set.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ProviderSettings {
    pub api_key: Option<String>,
    /// What the vendor's own SDK takes under that name; `None` is the vendor's own address.
    pub base_url: Option<String>,
}

impl ProviderSettings {
    /// Reads `<PREFIX>_API_KEY` and `<PREFIX>_BASE_URL`; white space around a value is dropped, an empty one is none.
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

    /// With what another source says about the rest.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            api_key: self.api_key.or(other.api_key),
            base_url: self.base_url.or(other.base_url),
        }
    }

    pub(crate) fn is_configured(&self) -> bool {
        self.api_key.is_some() || self.base_url.is_some()
    }
}

/// Neither value is shown: a base URL can hold a password.
impl fmt::Debug for ProviderSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value: &Option<String>| if value.is_some() { "set" } else { "not set" };
        f.debug_struct("ProviderSettings")
            .field("api_key", &shown(&self.api_key))
            .field("base_url", &shown(&self.base_url))
            .finish()
    }
}
