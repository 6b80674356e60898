//! The configured providers.

use std::fmt;
use std::sync::Arc;

use crate::anthropic::Anthropic;
use crate::gemini::GEMINI;
use crate::held::Held;
use crate::http::Http;
use crate::mistral::MISTRAL;
use crate::openai::OPENAI;
use crate::perplexity::PERPLEXITY;
use crate::secret::Secret;
use crate::vendor::Vendor;
use crate::xai::XAI;
use crate::{Provider, ProviderSettings};

pub(crate) type Build = fn(ProviderSettings, Arc<Http>) -> Box<dyn Provider>;

/// Every provider the service can speak to: what its variables start with, and how it is made. In the order of the
/// shipped catalogue.
const KNOWN: &[(&str, Build)] = &[
    ("OPENAI", |settings, http| {
        Box::new(Vendor::new(OPENAI, settings, http))
    }),
    ("ANTHROPIC", |settings, http| {
        Box::new(Anthropic::new(settings, http))
    }),
    ("GEMINI", |settings, http| {
        Box::new(Vendor::new(GEMINI, settings, http))
    }),
    ("PERPLEXITY", |settings, http| {
        Box::new(Vendor::new(PERPLEXITY, settings, http))
    }),
    ("XAI", |settings, http| Box::new(Vendor::new(XAI, settings, http))),
    ("MISTRAL", |settings, http| {
        Box::new(Vendor::new(MISTRAL, settings, http))
    }),
];

/// The configured providers, with one HTTP client for all of them.
#[derive(Default)]
pub struct Providers {
    configured: Vec<Box<dyn Provider>>,
}

impl Providers {
    /// Reads `OPENAI_API_KEY`, `OPENAI_BASE_URL` and so on. With `SECRET_ID` every provider counts as configured, and what the
    /// environment does not say is in that secret. Nothing is connected and no certificate is read before the first question.
    pub fn from_lookup(lookup: impl Fn(&str) -> Option<String>) -> Self {
        let http = Arc::new(Http::default());
        let secret = Secret::from_lookup(&lookup, Arc::clone(&http)).map(Arc::new);
        let provider = |(prefix, build): &(&'static str, Build)| -> Option<Box<dyn Provider>> {
            let given = ProviderSettings::from_lookup(prefix, &lookup);
            match &secret {
                Some(secret) if given.api_key.is_none() => Some(Box::new(Held {
                    name: build(ProviderSettings::default(), Arc::clone(&http)).name(),
                    prefix,
                    given,
                    secret: Arc::clone(secret),
                    build: *build,
                    http: Arc::clone(&http),
                })),
                _ => given.is_configured().then(|| build(given, Arc::clone(&http))),
            }
        };
        KNOWN.iter().filter_map(provider).collect()
    }

    pub fn get(&self, name: &str) -> Option<&dyn Provider> {
        self.configured
            .iter()
            .find(|p| p.name() == name)
            .map(AsRef::as_ref)
    }

    pub fn names(&self) -> Vec<&'static str> {
        self.configured.iter().map(|p| p.name()).collect()
    }
}

impl FromIterator<Box<dyn Provider>> for Providers {
    fn from_iter<I: IntoIterator<Item = Box<dyn Provider>>>(configured: I) -> Self {
        Self {
            configured: configured.into_iter().collect(),
        }
    }
}

impl fmt::Debug for Providers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Providers").field(&self.names()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(pairs: &[(&str, &str)]) -> Providers {
        Providers::from_lookup(|name| {
            pairs
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn a_provider_is_configured_by_its_key_or_its_base_url() {
        assert_eq!(from(&[("OPENAI_API_KEY", "k")]).names(), ["openai"]);
        let by_url = from(&[("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")]);
        assert_eq!(by_url.get("openai").map(Provider::name), Some("openai"));
        assert!(by_url.get("anthropic").is_none());
    }

    #[test]
    fn every_provider_of_the_shipped_catalogue_is_known_in_its_order() {
        let all = Providers::from_lookup(|name| name.ends_with("_API_KEY").then(|| "k".to_owned())).names();
        let shipped = domain::catalogue::Catalogue::shipped().unwrap();
        let mut named: Vec<&str> = shipped
            .models()
            .iter()
            .map(|model| model.provider.as_str())
            .collect();
        named.dedup();
        assert_eq!(all, named);
    }

    #[test]
    fn empty_and_unknown_variables_configure_nothing() {
        let pairs = [
            ("OPENAI_API_KEY", " \n"),
            ("OPENAI_BASE_URL", ""),
            ("OTHER_API_KEY", "k"),
        ];
        assert!(from(&pairs).names().is_empty());
    }

    #[test]
    fn no_key_and_no_address_is_ever_printed() {
        let settings = ProviderSettings {
            api_key: Some("sk-hidden".to_owned()),
            base_url: Some("http://user:hidden@127.0.0.1/v1".to_owned()),
        };
        let providers = from(&[("OPENAI_API_KEY", "sk-hidden")]);
        let shown = format!("{settings:?} {providers:?}");
        assert!(shown.contains("openai") && !shown.contains("hidden"), "{shown}");
    }
}
