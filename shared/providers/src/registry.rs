//! The configured providers.

use std::fmt;
use std::sync::Arc;

use domain::answer::Answer;

use crate::anthropic::{self, Anthropic};
use crate::gemini::GEMINI;
use crate::held::Held;
use crate::http::{Http, Reply};
use crate::mistral::MISTRAL;
use crate::openai::OPENAI;
use crate::perplexity::PERPLEXITY;
use crate::secret::Secret;
use crate::vendor::Vendor;
use crate::xai::XAI;
use crate::{AskError, Provider, ProviderSettings, brief};

pub(crate) type Build = fn(ProviderSettings, Arc<Http>) -> Box<dyn Provider>;

/// A provider the service can speak to.
struct Known {
    /// What its variables start with; in lower case its name.
    prefix: &'static str,
    build: Build,
    /// Reads a whole response body.
    decode: fn(&[u8]) -> Result<Answer, AskError>,
}

impl Known {
    const fn new(prefix: &'static str, decode: fn(&[u8]) -> Result<Answer, AskError>, build: Build) -> Self {
        Self {
            prefix,
            build,
            decode,
        }
    }
}

/// Every one of them, in the order of the shipped catalogue.
const KNOWN: &[Known] = &[
    Known::new("OPENAI", OPENAI.decode, |settings, http| {
        Box::new(Vendor::new(OPENAI, settings, http))
    }),
    Known::new("ANTHROPIC", anthropic::decode, |settings, http| {
        Box::new(Anthropic::new(settings, http))
    }),
    Known::new("GEMINI", GEMINI.decode, |settings, http| {
        Box::new(Vendor::new(GEMINI, settings, http))
    }),
    Known::new("PERPLEXITY", PERPLEXITY.decode, |settings, http| {
        Box::new(Vendor::new(PERPLEXITY, settings, http))
    }),
    Known::new("XAI", XAI.decode, |settings, http| {
        Box::new(Vendor::new(XAI, settings, http))
    }),
    Known::new("MISTRAL", MISTRAL.decode, |settings, http| {
        Box::new(Vendor::new(MISTRAL, settings, http))
    }),
];

/// Reads a reply to a question of [`Provider::ask`] that was recorded, or made up, as the provider of that name
/// reads it when it comes. `None`: no provider has that name.
pub fn read_answer(provider: &str, reply: Reply) -> Option<Result<Answer, AskError>> {
    let known = KNOWN
        .iter()
        .find(|known| known.prefix.to_ascii_lowercase() == provider)?;
    Some(reply.success().and_then(|body| (known.decode)(&body)))
}

/// The same for a reply to [`Provider::generate`]: up to `count` prompts.
pub fn read_prompts(provider: &str, reply: Reply, count: u32) -> Option<Result<Vec<String>, AskError>> {
    let answer = read_answer(provider, reply)?;
    Some(answer.and_then(|answer| brief::written(&answer, count)))
}

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
        let provider = |known: &Known| -> Option<Box<dyn Provider>> {
            let (prefix, build) = (known.prefix, known.build);
            let given = ProviderSettings::from_lookup(prefix, &lookup);
            match &secret {
                Some(secret) if given.api_key.is_none() => Some(Box::new(Held {
                    name: build(ProviderSettings::default(), Arc::clone(&http)).name(),
                    prefix,
                    given,
                    secret: Arc::clone(secret),
                    build,
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
    fn a_recorded_reply_is_read_under_the_name_of_every_provider() {
        let reply = |status: u16, body: &str| Reply {
            status: StatusCode::from_u16(status).unwrap(),
            headers: HeaderMap::new(),
            body: body.into(),
        };
        for name in Providers::from_lookup(|name| name.ends_with("_API_KEY").then(|| "k".to_owned())).names()
        {
            let refused = read_answer(name, reply(429, "{}")).unwrap();
            assert!(matches!(refused, Err(AskError::Wait { .. })), "{name}");
            let unreadable = read_prompts(name, reply(200, "[]"), 3).unwrap();
            assert!(matches!(unreadable, Err(AskError::Lost { .. })), "{name}");
        }
        assert!(read_answer("OPENAI", reply(200, "{}")).is_none());
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
