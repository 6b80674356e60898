//! The providers of language models: one module per vendor, behind the trait [`Provider`].
//!
//! A provider sends a question over HTTPS and decodes the response into a [`domain::answer::Answer`]. All
//! failures are one of the few kinds of [`AskError`] that a caller handles differently.
//!
//! To add a provider, add a module like `openai` and an entry in `registry`.
#![forbid(unsafe_code)]

mod answer_builder;
mod anthropic;
mod citations;
mod endpoint;
mod error;
mod error_body;
mod error_mapping;
mod gemini;
mod generation;
mod http;
mod http_provider;
mod json_access;
mod mistral;
mod openai;
mod perplexity;
mod provider;
mod registry;
mod responses_api;
mod retry_after;
mod secret;
mod secret_backed;
#[cfg(feature = "secrets-manager")]
mod secrets_manager;
mod settings;
mod stated_limit;
#[cfg(test)]
mod testing;
mod xai;

pub use error::AskError;
pub use http::HttpResponse;
pub use provider::{BoxFuture, GenerationRequest, Provider, Question};
pub use registry::{Providers, decode_answer, decode_prompts};
pub use secret::{SecretError, SecretSource};
#[cfg(feature = "secrets-manager")]
pub use secrets_manager::{SECRET_ID, from_environment};
pub use settings::{InvalidBaseUrl, ProviderSettings};
