//! The known providers, and those that are configured.

use std::fmt;
use std::sync::Arc;

use domain::answer::Answer;
use domain::clock::Clock;

use crate::anthropic::{self, Anthropic};
use crate::gemini::GEMINI;
use crate::http::{Http, HttpResponse};
use crate::http_provider::HttpProvider;
use crate::mistral::MISTRAL;
use crate::openai::OPENAI;
use crate::perplexity::PERPLEXITY;
use crate::secret::{CachedSecret, SecretSource};
use crate::secret_backed::{ProviderConstructor, SecretBackedProvider};
use crate::xai::XAI;
use crate::{AskError, InvalidBaseUrl, Provider, ProviderSettings, error_mapping, generation};

/// A provider that the service supports.
struct KnownProvider {
    /// The prefix of the provider's environment variables. In lower case, it is the provider's name.
    prefix: &'static str,
    construct: ProviderConstructor,
    /// Decodes a complete response body.
    decode: fn(&[u8]) -> Result<Answer, AskError>,
}

/// Describes a provider that has this wire format.
macro_rules! known {
    ($prefix:literal, $format:ident) => {
        KnownProvider {
            prefix: $prefix,
            construct: |settings, http| Box::new(HttpProvider::new($format, settings, http)),
            decode: $format.decode,
        }
    };
}

/// All supported providers, in the order of the shipped catalogue.
const KNOWN_PROVIDERS: &[KnownProvider] = &[
    known!("OPENAI", OPENAI),
    KnownProvider {
        prefix: "ANTHROPIC",
        construct: |settings, http| Box::new(Anthropic::new(settings, http)),
        decode: anthropic::decode,
    },
    known!("GEMINI", GEMINI),
    known!("PERPLEXITY", PERPLEXITY),
    known!("XAI", XAI),
    known!("MISTRAL", MISTRAL),
];

/// Decodes a recorded or made-up response to [`Provider::ask`], as the provider with that name does. Returns
/// `None` if no provider has that name.
pub fn decode_answer(provider: &str, response: HttpResponse) -> Option<Result<Answer, AskError>> {
    let known = KNOWN_PROVIDERS
        .iter()
        .find(|known| known.prefix.to_ascii_lowercase() == provider)?;
    Some(error_mapping::require_success(response).and_then(|body| (known.decode)(&body)))
}

/// Decodes a recorded or made-up response to [`Provider::generate_prompts`] into up to `count` prompts.
/// Returns `None` if no provider has that name.
pub fn decode_prompts(
    provider: &str,
    response: HttpResponse,
    count: u32,
) -> Option<Result<Vec<String>, AskError>> {
    let answer = decode_answer(provider, response)?;
    Some(answer.and_then(|answer| generation::parse_answer(&answer, count)))
}

/// The configured providers. They share one HTTP client.
#[derive(Default)]
pub struct Providers {
    configured: Vec<Box<dyn Provider>>,
}

impl Providers {
    /// Reads the settings of all providers: `OPENAI_API_KEY`, `OPENAI_BASE_URL` and so on. Connects to
    /// nothing and reads no certificate before the first request.
    pub fn from_lookup(lookup: impl Fn(&str) -> Option<String>) -> Self {
        Self::new(lookup, None)
    }

    /// Reads the settings of all providers as [`Self::from_lookup`] does. Settings without a key are
    /// completed by those in the secret, so every provider counts as configured. The secret is read on first
    /// use.
    pub fn with_secret(
        lookup: impl Fn(&str) -> Option<String>,
        source: Arc<dyn SecretSource>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self::new(lookup, Some(CachedSecret::new(source, clock)))
    }

    fn new(lookup: impl Fn(&str) -> Option<String>, secret: Option<CachedSecret>) -> Self {
        let http = Arc::new(Http::default());
        let secret = secret.map(Arc::new);
        let provider = |known: &KnownProvider| -> Option<Box<dyn Provider>> {
            let (prefix, construct) = (known.prefix, known.construct);
            let settings = ProviderSettings::from_lookup(prefix, &lookup);
            match &secret {
                Some(secret) if settings.api_key.is_none() => Some(Box::new(SecretBackedProvider {
                    name: construct(ProviderSettings::default(), Arc::clone(&http)).name(),
                    prefix,
                    environment_settings: settings,
                    secret: Arc::clone(secret),
                    construct,
                    http: Arc::clone(&http),
                })),
                _ => settings
                    .is_configured()
                    .then(|| construct(settings, Arc::clone(&http))),
            }
        };
        KNOWN_PROVIDERS.iter().filter_map(provider).collect()
    }

    /// Checks the base URLs that the settings contain. Without this check, each request to such an address
    /// fails.
    pub fn check_base_urls(lookup: impl Fn(&str) -> Option<String>) -> Result<(), InvalidBaseUrl> {
        KNOWN_PROVIDERS.iter().try_for_each(|known| {
            ProviderSettings::from_lookup(known.prefix, &lookup).check_base_url(known.prefix)
        })
    }

    /// Returns the configured provider with this name.
    pub fn get(&self, name: &str) -> Option<&dyn Provider> {
        self.configured
            .iter()
            .find(|provider| provider.name() == name)
            .map(AsRef::as_ref)
    }

    /// Returns the names of the configured providers, in the order of the shipped catalogue.
    pub fn names(&self) -> Vec<&'static str> {
        self.configured.iter().map(|provider| provider.name()).collect()
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
    use reqwest::StatusCode;
    use reqwest::header::HeaderMap;

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

    #[tokio::test]
    async fn a_key_has_a_short_fingerprint_that_is_the_same_for_every_provider() {
        let fingerprint = async |pairs: &[(&str, &str)], name: &str| {
            let providers = from(pairs);
            providers.get(name).unwrap().key_fingerprint().await
        };
        let key = [("OPENAI_API_KEY", "sk-1"), ("ANTHROPIC_API_KEY", "sk-1")];
        let openai = fingerprint(&key, "openai").await;
        assert_eq!(openai.len(), 16);
        assert!(openai.chars().all(|c| c.is_ascii_hexdigit()) && !openai.contains("sk"));
        assert_eq!(openai, fingerprint(&key, "anthropic").await);
        assert_ne!(openai, fingerprint(&[("OPENAI_API_KEY", "sk-2")], "openai").await);
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
    fn a_recorded_response_is_decoded_by_the_name_of_every_provider() {
        let response = |status: u16, body: &str| HttpResponse {
            status: StatusCode::from_u16(status).unwrap(),
            headers: HeaderMap::new(),
            body: body.into(),
        };
        for name in Providers::from_lookup(|name| name.ends_with("_API_KEY").then(|| "k".to_owned())).names()
        {
            let rejected = decode_answer(name, response(429, "{}")).unwrap();
            assert!(matches!(rejected, Err(AskError::Unavailable { .. })), "{name}");
            let unreadable = decode_prompts(name, response(200, "[]"), 3).unwrap();
            assert!(matches!(unreadable, Err(AskError::AnswerLost { .. })), "{name}");
        }
        assert!(decode_answer("OPENAI", response(200, "{}")).is_none());
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
