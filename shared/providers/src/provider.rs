//! The interface of a provider.

use std::pin::Pin;

use domain::answer::Answer;

use crate::error::AskError;

/// A future that can move between threads. It lets [`Provider`] be used as `dyn`.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A question to one model.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The provider's name of the model.
    pub model: &'a str,
    /// The text of the question, which is sent unchanged.
    pub prompt: &'a str,
    /// The code of the user's language, such as `en` or `pt-BR`.
    pub language: &'a str,
    /// The user's country as an ISO 3166-1 alpha-2 code (`DE`), if any.
    pub country: Option<&'a str>,
}

impl Question<'_> {
    /// Returns an instruction for providers without a parameter for the language. It states a fact instead of
    /// giving an order, so that a question in another language is answered in that language.
    pub(crate) fn language_instruction(&self) -> String {
        format!("The user's language is {}.", self.language)
    }
}

/// A request to generate prompts for a brand.
#[derive(Debug, Clone, Copy)]
pub struct GenerationRequest<'a> {
    /// The provider's name of the model.
    pub model: &'a str,
    /// The brand's name.
    pub name: &'a str,
    /// The brand's domain, if any.
    pub domain: Option<&'a str>,
    /// A description of what the brand offers. It may be empty.
    pub description: &'a str,
    /// The code of the prompts' language, such as `pt-BR`.
    pub language: &'a str,
    /// The English name of the prompts' language, such as `Brazilian Portuguese`.
    pub language_name: &'a str,
    /// The buyers' country as an ISO 3166-1 alpha-2 code, if any.
    pub country: Option<&'a str>,
    /// The maximum number of prompts.
    pub count: u32,
}

/// A provider of language models. It does not retry: the caller counts attempts and waits.
pub trait Provider: Send + Sync {
    /// Returns the provider's name in the catalogue, such as `openai`.
    fn name(&self) -> &'static str;

    /// Returns the fingerprint of the key: 16 hexadecimal digits of its SHA-256. A limit applies to a key, so
    /// what is learnt about it is stored by fingerprint. Without a key, or if it cannot be read, it is that
    /// of an empty key.
    fn key_fingerprint(&self) -> BoxFuture<'_, String>;

    /// Asks a question once. The answer contains text unless the model refused.
    fn ask<'a>(&'a self, question: &'a Question<'a>) -> BoxFuture<'a, Result<Answer, AskError>>;

    /// Generates one to `request.count` distinct prompts, trimmed and non-empty.
    fn generate_prompts<'a>(
        &'a self,
        request: &'a GenerationRequest<'a>,
    ) -> BoxFuture<'a, Result<Vec<String>, AskError>>;
}
