//! A provider whose settings are in the secret.

use std::sync::Arc;

use domain::answer::Answer;

use crate::http::Http;
use crate::provider::{BoxFuture, GenerationRequest, Provider, Question};
use crate::secret::CachedSecret;
use crate::{AskError, ProviderSettings};

/// Creates a provider with its settings.
pub(crate) type ProviderConstructor = fn(ProviderSettings, Arc<Http>) -> Box<dyn Provider>;

/// A provider that takes its settings from the secret for each request.
pub(crate) struct SecretBackedProvider {
    pub(crate) name: &'static str,
    /// The prefix of the settings' names: `OPENAI`.
    pub(crate) prefix: &'static str,
    /// The settings from the environment, which take precedence over the secret.
    pub(crate) environment_settings: ProviderSettings,
    pub(crate) secret: Arc<CachedSecret>,
    pub(crate) construct: ProviderConstructor,
    pub(crate) http: Arc<Http>,
}

impl SecretBackedProvider {
    async fn provider(&self) -> Result<Box<dyn Provider>, AskError> {
        let values = self.secret.values().await?;
        let secret_settings =
            ProviderSettings::from_lookup(self.prefix, &|name: &str| values.get(name).cloned());
        let settings = self.environment_settings.clone().or(secret_settings);
        if !settings.is_configured() {
            return Err(AskError::invalid_key("the providers' secret has no key for it"));
        }
        Ok((self.construct)(settings, Arc::clone(&self.http)))
    }
}

impl Provider for SecretBackedProvider {
    fn name(&self) -> &'static str {
        self.name
    }

    fn key_fingerprint(&self) -> BoxFuture<'_, String> {
        Box::pin(async {
            match self.provider().await {
                Ok(provider) => provider.key_fingerprint().await,
                Err(_) => ProviderSettings::default().key_fingerprint(),
            }
        })
    }

    fn ask<'a>(&'a self, question: &'a Question<'a>) -> BoxFuture<'a, Result<Answer, AskError>> {
        Box::pin(async move { self.provider().await?.ask(question).await })
    }

    fn generate_prompts<'a>(
        &'a self,
        request: &'a GenerationRequest<'a>,
    ) -> BoxFuture<'a, Result<Vec<String>, AskError>> {
        Box::pin(async move { self.provider().await?.generate_prompts(request).await })
    }
}
