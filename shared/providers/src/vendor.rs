//! A provider that answers one request with one reply, which is how all but Anthropic do it.

use std::sync::Arc;

use domain::answer::Answer;
use serde_json::Value;

use crate::endpoint::{Endpoint, KeyIn};
use crate::http::Http;
use crate::{AskError, BoxFuture, Brief, Provider, ProviderSettings, Question, brief};

/// How a vendor is spoken to.
pub(crate) struct Dialect {
    pub(crate) name: &'static str,
    /// The vendor's own.
    pub(crate) base_url: &'static str,
    pub(crate) key_in: KeyIn,
    /// Where a model is asked, below the base URL.
    pub(crate) path: fn(model: &str) -> String,
    pub(crate) question_body: fn(&Question<'_>) -> Value,
    pub(crate) brief_body: fn(&Brief<'_>) -> Value,
    /// Reads a whole response body.
    pub(crate) decode: fn(&[u8]) -> Result<Answer, AskError>,
}

/// A vendor, or whoever speaks its dialect at the base URL.
pub(crate) struct Vendor {
    dialect: Dialect,
    pub(crate) endpoint: Endpoint,
}

impl Vendor {
    pub(crate) fn new(dialect: Dialect, settings: ProviderSettings, http: Arc<Http>) -> Self {
        Self {
            endpoint: Endpoint::new(dialect.base_url, dialect.key_in, settings, http),
            dialect,
        }
    }
}

impl Provider for Vendor {
    fn name(&self) -> &'static str {
        self.dialect.name
    }

    fn ask<'a>(&'a self, question: &'a Question<'a>) -> BoxFuture<'a, Result<Answer, AskError>> {
        Box::pin(async move {
            let path = (self.dialect.path)(question.model);
            let body = (self.dialect.question_body)(question);
            let timeout = self.endpoint.answer_timeout;
            (self.dialect.decode)(&self.endpoint.post(&path, &body, timeout).await?)
        })
    }

    fn generate<'a>(&'a self, brief: &'a Brief<'a>) -> BoxFuture<'a, Result<Vec<String>, AskError>> {
        Box::pin(async move {
            let path = (self.dialect.path)(brief.model);
            let body = (self.dialect.brief_body)(brief);
            let timeout = self.endpoint.generation_timeout;
            let reply = self.endpoint.post(&path, &body, timeout).await?;
            brief::written(&(self.dialect.decode)(&reply)?, brief.count)
        })
    }
}
