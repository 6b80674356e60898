//! The answers of providers, independent of the vendor's format.

use serde::{Deserialize, Serialize};

/// A model's answer to a prompt, decoded from the provider's response.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// The text of the answer, in Markdown as the provider sent it.
    pub text: String,
    /// The passages in which the model says what it is going to do or thinks, in order. They are shown beside
    /// the answer, never read, and cite nothing.
    pub narration: Vec<String>,
    pub finish_reason: FinishReason,
    /// The distinct cited URLs, in order of first appearance.
    pub citations: Vec<Citation>,
    /// The number of reported sources whose page cannot be told.
    pub unresolved_citations: u32,
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

/// A page that an answer cites.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Citation {
    pub url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "CitationKind::is_reported")]
    pub kind: CitationKind,
}

/// How an answer cites a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CitationKind {
    /// The provider reports the page as a source.
    #[default]
    Reported,
    /// The text of an answer that searched the web links to the page, and the provider does not report it.
    InText,
}

impl CitationKind {
    fn is_reported(&self) -> bool {
        *self == Self::Reported
    }
}

/// The state of a response. Figures count only the answered ones.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ResponseState {
    Answered,
    Refused,
    Failed,
}
