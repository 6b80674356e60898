//! The answers of providers, independent of the vendor's format.

use serde::{Deserialize, Serialize};

/// A model's answer to a prompt, decoded from the provider's response.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// The complete text, in Markdown as the provider sent it.
    pub text: String,
    pub finish_reason: FinishReason,
    /// The distinct cited URLs, in order of first appearance.
    pub citations: Vec<Citation>,
    /// The web searches that the model ran, in order, including repeated ones.
    pub queries: Vec<String>,
    /// Whether the model searched the web, or `None` if the provider does not report it.
    pub searched: Option<bool>,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// The cost that the provider reports, in millionths of a US dollar.
    pub cost_micros: Option<u64>,
    /// The dated version of the model, if the provider reports it.
    pub model_version: Option<String>,
}

/// The reason why a model stopped generating an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    #[default]
    Complete,
    /// The answer was cut off at a length limit. It counts as answered.
    Truncated,
    /// The model refused to answer.
    Refused,
}

/// A URL that the provider reports as a source of the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    pub url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// The state of a response. Figures count only the answered ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum ResponseState {
    Answered,
    Refused,
    Failed,
}
