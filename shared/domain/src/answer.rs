//! The answers of providers, independent of the vendor's format.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A model's answer to a prompt, decoded from the provider's response.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// The complete text, in Markdown as the provider sent it.
    pub text: String,
    /// The byte ranges of the text in which the model only says what it is going to do, in order. They are shown, but
    /// not read.
    pub narration: Vec<Range<usize>>,
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

/// Returns the text of an answer in which mentions are searched: line breaks replace its narration, so that all other text
/// keeps its byte offsets. Ignores ranges that are not in the text.
pub fn text_to_read<'a>(text: &'a str, narration: &[Range<usize>]) -> Cow<'a, str> {
    let mut read = Cow::Borrowed(text);
    for range in narration
        .iter()
        .filter(|range| text.get((*range).clone()).is_some())
    {
        read.to_mut()
            .replace_range(range.clone(), &"\n".repeat(range.len()));
    }
    read
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ResponseState {
    Answered,
    Refused,
    Failed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narration_is_replaced_by_line_breaks_of_the_same_length() {
        let text = "Ich suche für Acme.\n\nBéta ist gut.\n\nNoch eine Suche.";
        let last = text.find("Noch").unwrap();
        let first = text.find("\n").unwrap();
        let read = text_to_read(text, &[0..first, last..text.len()]);
        assert_eq!(read.trim(), "Béta ist gut.");
        assert_eq!((read.len(), read.find("Béta")), (text.len(), text.find("Béta")));
        assert!(matches!(text_to_read(text, &[]), Cow::Borrowed(same) if same == text));
    }

    #[test]
    #[expect(clippy::reversed_empty_ranges, reason = "stored ranges can be invalid")]
    fn ranges_that_are_not_in_the_text_are_ignored() {
        let text = "für Acme";
        for range in [0..2, 0..99, 5..3, 99..100, 3..3] {
            assert_eq!(text_to_read(text, &[range]), text);
        }
    }
}
