//! Builds an answer from its parts.

use std::ops::Range;

use domain::answer::{Answer, FinishReason, text_to_read};

use crate::AskError;
use crate::citations::Citations;
use crate::searches::Searches;

/// The parts of an answer that have been decoded so far, in their order.
#[derive(Default)]
pub(crate) struct AnswerBuilder {
    pub(crate) text: String,
    /// The byte ranges of `text` that are narration.
    narration: Vec<Range<usize>>,
    /// Whether the next text starts a paragraph.
    starts_paragraph: bool,
    pub(crate) citations: Citations,
    pub(crate) searches: Searches,
}

impl AnswerBuilder {
    /// Appends text to the current paragraph.
    pub(crate) fn push_text(&mut self, text: &str) {
        if !text.is_empty() && std::mem::take(&mut self.starts_paragraph) {
            self.text.push_str("\n\n");
        }
        self.text.push_str(text);
    }

    /// Appends a paragraph that is shown, but not read.
    pub(crate) fn push_narration(&mut self, text: &str) {
        self.start_paragraph();
        self.push_text(text);
        if !text.is_empty() {
            self.narration.push(self.text.len() - text.len()..self.text.len());
        }
        self.start_paragraph();
    }

    /// Starts a paragraph, so that the words on both sides do not become one word.
    pub(crate) fn start_paragraph(&mut self) {
        self.starts_paragraph = !self.text.is_empty();
    }

    /// Returns whether the text is empty or white space, apart from narration.
    pub(crate) fn is_blank(&self) -> bool {
        text_to_read(&self.text, &self.narration).trim().is_empty()
    }

    /// Returns the answer without usage and model version. An answer without text is an error, unless it was refused.
    pub(crate) fn build(self, finish_reason: FinishReason) -> Result<Answer, AskError> {
        if self.is_blank() && finish_reason != FinishReason::Refused {
            return Err(AskError::permanent("the answer is empty"));
        }
        Ok(Answer {
            text: self.text,
            narration: self.narration,
            finish_reason,
            citations: self.citations.into_vec(),
            queries: self.searches.queries,
            searched: Some(self.searches.searched),
            ..Answer::default()
        })
    }
}
