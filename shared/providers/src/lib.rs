//! The LLM providers: one file each, behind one trait. Requests leave over plain HTTPS, answers come back as
//! [`domain::answer::Answer`], and whatever goes wrong is one of the few kinds of [`AskError`] that a caller must tell apart.
//!
//! A further provider is a file like `openai.rs` and a line in `registry.rs`.
#![forbid(unsafe_code)]

mod anthropic;
mod brief;
mod collect;
mod draft;
mod endpoint;
mod error;
mod gemini;
mod held;
mod http;
mod mistral;
mod openai;
mod perplexity;
mod refusal;
mod registry;
mod responses;
mod retry;
mod secret;
mod settings;
mod status;
#[cfg(test)]
mod testing;
mod vendor;
mod xai;

use std::pin::Pin;

use domain::answer::Answer;

pub use error::AskError;
pub use http::Reply;
pub use registry::{Providers, read_answer, read_prompts};
pub use settings::ProviderSettings;

/// A future that can be moved between threads: what lets [`Provider`] be used as `dyn`.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// One question to one model.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The provider's own name of the model.
    pub model: &'a str,
    /// What is asked, sent as it is.
    pub prompt: &'a str,
    /// The asker's language: `en`, `pt-BR`.
    pub language: &'a str,
    /// The asker's country, ISO 3166-1 alpha-2 (`DE`); `None` is nowhere in particular.
    pub country: Option<&'a str>,
}

impl Question<'_> {
    /// For providers that take no language: a fact, not an order, so that a question in another language is still
    /// answered in its own.
    pub(crate) fn language_line(&self) -> String {
        format!("The user's language is {}.", self.language)
    }
}

/// What prompts are generated from: a brand, and in which words its buyers ask.
#[derive(Debug, Clone, Copy)]
pub struct Brief<'a> {
    /// The provider's own name of the model.
    pub model: &'a str,
    pub name: &'a str,
    pub domain: Option<&'a str>,
    /// May be empty.
    pub description: &'a str,
    /// The language's code: `pt-BR`.
    pub language: &'a str,
    /// The language's name in English: `Brazilian Portuguese`.
    pub language_name: &'a str,
    /// ISO 3166-1 alpha-2; `None` is nowhere in particular.
    pub country: Option<&'a str>,
    /// How many prompts are wanted.
    pub count: u32,
}

/// An LLM provider. Nothing is retried in here: the caller counts asks and waits.
pub trait Provider: Send + Sync {
    /// The name that the catalogue knows it by: `openai`.
    fn name(&self) -> &'static str;

    /// Asks once. An answer has text unless it was refused.
    fn ask<'a>(&'a self, question: &'a Question<'a>) -> BoxFuture<'a, Result<Answer, AskError>>;

    /// Has up to `brief.count` different prompts written, trimmed and never empty. None at all is an error.
    fn generate<'a>(&'a self, brief: &'a Brief<'a>) -> BoxFuture<'a, Result<Vec<String>, AskError>>;
}
