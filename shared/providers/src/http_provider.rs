//! A provider that needs one HTTP request per question. All vendors but Anthropic work like this.

use std::sync::Arc;

use domain::answer::Answer;
use serde_json::Value;

use crate::endpoint::{Endpoint, KeyHeader};
use crate::http::Http;
use crate::{AskError, BoxFuture, GenerationRequest, Provider, ProviderSettings, Question, generation};

/// The wire format of a vendor.
pub(crate) struct WireFormat {
    pub(crate) name: &'static str,
    /// The vendor's own base URL.
    pub(crate) base_url: &'static str,
    pub(crate) key_header: KeyHeader,
    /// Returns the path for a model, below the base URL.
    pub(crate) path: fn(model: &str) -> String,
    /// Returns the request body for a question.
    pub(crate) question_body: fn(&Question<'_>) -> Value,
    /// Returns the request body for generating prompts.
    pub(crate) generation_body: fn(&GenerationRequest<'_>) -> Value,
    /// Decodes a complete response body.
    pub(crate) decode: fn(&[u8]) -> Result<Answer, AskError>,
}

/// A vendor, or a server that speaks its wire format at the base URL.
pub(crate) struct HttpProvider {
    format: WireFormat,
    pub(crate) endpoint: Endpoint,
}

impl HttpProvider {
    pub(crate) fn new(format: WireFormat, settings: ProviderSettings, http: Arc<Http>) -> Self {
        Self {
            endpoint: Endpoint::new(format.base_url, format.key_header, settings, http),
            format,
        }
    }
}

impl Provider for HttpProvider {
    fn name(&self) -> &'static str {
        self.format.name
    }

    fn key_fingerprint(&self) -> BoxFuture<'_, String> {
        let fingerprint = self.endpoint.settings.key_fingerprint();
        Box::pin(async { fingerprint })
    }

    fn ask<'a>(&'a self, question: &'a Question<'a>) -> BoxFuture<'a, Result<Answer, AskError>> {
        Box::pin(async move {
            let path = (self.format.path)(question.model);
            let body = (self.format.question_body)(question);
            let timeout = self.endpoint.answer_timeout;
            (self.format.decode)(&self.endpoint.post(&path, &body, timeout).await?)
        })
    }

    fn generate_prompts<'a>(
        &'a self,
        request: &'a GenerationRequest<'a>,
    ) -> BoxFuture<'a, Result<Vec<String>, AskError>> {
        Box::pin(async move {
            let path = (self.format.path)(request.model);
            let body = (self.format.generation_body)(request);
            let timeout = self.endpoint.generation_timeout;
            let response = self.endpoint.post(&path, &body, timeout).await?;
            generation::parse_answer(&(self.format.decode)(&response)?, request.count)
        })
    }
}
