//! An answer before it is encoded.

/// An answer, independent of how it is encoded.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GeneratedAnswer {
    /// The number from which ids are built.
    pub id: u64,
    pub model: String,
    /// Unix seconds.
    pub created: i64,
    pub is_refused: bool,
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
            is_refused: true,
            actions: Vec::new(),
            passages: Vec::new(),
            output_tokens: 12,
            ..self
        }
    }
}
