//! An answer while it is read.

use domain::answer::{Answer, End};

use crate::AskError;
use crate::collect::{Citations, Searches};

/// What is collected from an answer's parts, in their order.
#[derive(Default)]
pub(crate) struct Draft {
    pub(crate) text: String,
    /// The next text is of another passage than the text so far.
    is_apart: bool,
    pub(crate) citations: Citations,
    pub(crate) searches: Searches,
}

impl Draft {
    /// Appends a text; the texts of one passage are one text.
    pub(crate) fn push(&mut self, text: &str) {
        if !text.is_empty() && std::mem::take(&mut self.is_apart) {
            self.text.push_str("\n\n");
        }
        self.text.push_str(text);
    }

    /// Ends a passage: its last word and the next one's first are not one word.
    pub(crate) fn set_apart(&mut self) {
        self.is_apart = !self.text.is_empty();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The answer, without usage and version. Only a refusal may be without text.
    pub(crate) fn answer(self, end: End) -> Result<Answer, AskError> {
        if self.is_empty() && end != End::Refused {
            return Err(AskError::fatal("the answer is empty"));
        }
        Ok(Answer {
            text: self.text,
            end,
            citations: self.citations.into_vec(),
            queries: self.searches.queries,
            searched: Some(self.searches.searched),
            ..Answer::default()
        })
    }
}
