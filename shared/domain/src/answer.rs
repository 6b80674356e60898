//! What a provider answered, in the service's own terms.

use serde::{Deserialize, Serialize};

/// One answer of one model to one prompt, as decoded from a provider.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// The whole answer text, Markdown as the provider sent it.
    pub text: String,
    pub end: FinishReason,
    /// Cited URLs as reported, in order of first appearance, each once.
    pub citations: Vec<Citation>,
    /// Web searches that were executed, in order, repeated ones included.
    pub queries: Vec<String>,
    /// Whether the model searched the web; `None` where the provider does not tell.
    pub searched: Option<bool>,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// What the provider says the answer cost, in millionths of a US dollar.
    pub cost_micros: Option<u64>,
    /// The dated version of the model that answered.
    pub model_version: Option<String>,
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    #[default]
    Complete,
    /// Cut off at a length limit: still an answer.
    Truncated,
    Refused,
}

/// A URL that the provider reports as cited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    pub url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// The state of a response. Only answered ones are in any denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum ResponseState {
    Answered,
    Refused,
    Failed,
}
