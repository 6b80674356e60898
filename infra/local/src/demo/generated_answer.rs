//! An answer before it is encoded in a vendor's format.

use domain::answer::FinishReason;

/// An answer, independent of the format in which it is encoded.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GeneratedAnswer {
    /// The number from which ids are built.
    pub id: u64,
    pub model: String,
    /// Unix seconds.
    pub created: i64,
    pub finish_reason: FinishReason,
    pub actions: Vec<Action>,
    /// The text. Empty if the answer was refused.
    pub passages: Vec<Passage>,
    pub input_tokens: usize,
    pub output_tokens: usize,
}

/// A use of the search tool.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Action {
    /// A search with this query.
    Search(String),
    /// A page that is opened.
    Open(String),
}

/// A part of the text, and the source that is cited at its end.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Passage {
    pub text: String,
    pub source: Option<Link>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Link {
    pub domain: &'static str,
    pub url: String,
    pub title: String,
}

impl GeneratedAnswer {
    /// Turns the answer into a refusal.
    pub(super) fn refused(self) -> Self {
        Self {
            finish_reason: FinishReason::Refused,
            actions: Vec::new(),
            passages: Vec::new(),
            output_tokens: 12,
            ..self
        }
    }

    /// Cuts the answer off in the middle, as if it had reached `limit` tokens.
    pub(super) fn truncated(mut self, limit: usize) -> Self {
        self.passages.truncate(self.passages.len().div_ceil(2));
        Self {
            finish_reason: FinishReason::Truncated,
            output_tokens: limit,
            ..self
        }
    }

    pub(super) fn queries(&self) -> Vec<&str> {
        self.actions
            .iter()
            .filter_map(|action| match action {
                Action::Search(query) => Some(query.as_str()),
                Action::Open(_) => None,
            })
            .collect()
    }

    /// Returns the cited sources without repetitions, in the order of the text.
    pub(super) fn sources(&self) -> Vec<&Link> {
        let mut sources: Vec<&Link> = Vec::new();
        for link in self.passages.iter().filter_map(|passage| passage.source.as_ref()) {
            if sources.iter().all(|known| known.url != link.url) {
                sources.push(link);
            }
        }
        sources
    }
}
