//! A provider whose settings are held in the secret: they are read for each question.

use std::sync::Arc;

use domain::answer::Answer;

use crate::http::Http;
use crate::registry::Build;
use crate::secret::Secret;
use crate::{AskError, BoxFuture, Brief, Provider, ProviderSettings, Question};

pub(crate) struct Held {
    pub(crate) name: &'static str,
    /// What the names of its settings start with: `OPENAI`.
    pub(crate) prefix: &'static str,
    /// What the environment says already, which counts.
    pub(crate) given: ProviderSettings,
    pub(crate) secret: Arc<Secret>,
    pub(crate) build: Build,
    pub(crate) http: Arc<Http>,
}

impl Held {
    /// The provider as the secret says now.
    async fn provider(&self) -> Result<Box<dyn Provider>, AskError> {
        let texts = self.secret.texts().await?;
        let held = ProviderSettings::from_lookup(self.prefix, &|name: &str| texts.get(name).cloned());
        let settings = self.given.clone().or(held);
        if !settings.is_configured() {
            let reason = "the providers' secret has no key for it".to_owned();
            return Err(AskError::BadKey { reason });
        }
        Ok((self.build)(settings, Arc::clone(&self.http)))
    }
}

impl Provider for Held {
    fn name(&self) -> &'static str {
        self.name
    }

    fn ask<'a>(&'a self, question: &'a Question<'a>) -> BoxFuture<'a, Result<Answer, AskError>> {
        Box::pin(async move { self.provider().await?.ask(question).await })
    }

    fn generate<'a>(&'a self, brief: &'a Brief<'a>) -> BoxFuture<'a, Result<Vec<String>, AskError>> {
        Box::pin(async move { self.provider().await?.generate(brief).await })
    }
}
