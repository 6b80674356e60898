//! Builds an answer from its parts, and decides which passages of the text are the answer.
//!
//! All vendors mix what a model says to the user with what it says about its work. What belongs to the answer
//! is decided here, for all of them: a passage that the vendor declares a commentary, reasoning inside the
//! text, and a passage that cites nothing and that a search follows are narration. If that leaves no answer,
//! and the last searches brought nothing, the passages before them are it.

mod inline_reasoning;
mod text_links;

use std::collections::HashSet;

use domain::answer::{Answer, FinishReason};
use serde_json::Value;

use crate::AskError;
use crate::citations::Citations;
use crate::error_body::is_plain_word;
use crate::json_access::non_blank_text;

/// What a vendor says about a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum PassageKind {
    /// Nothing: it is the answer, or announces a search.
    #[default]
    Undeclared,
    /// What the model is about to do.
    Commentary,
    /// The answer, whatever follows it.
    Answer,
}

/// The executed web searches.
#[derive(Debug, Default)]
pub(crate) struct Searches {
    /// The queries, in order. A query that several searches executed occurs several times.
    pub(crate) queries: Vec<String>,
    /// Whether there was a search, even if its query is unknown.
    pub(crate) searched: bool,
}

impl Searches {
    /// Adds the queries of one search, without duplicates within it.
    pub(crate) fn add<'a>(&mut self, queries: impl Iterator<Item = &'a Value>) {
        self.searched = true;
        let mut known = HashSet::new();
        let distinct = queries
            .filter_map(non_blank_text)
            .filter(|query| known.insert(query.trim()));
        self.queries.extend(distinct.map(str::to_owned));
    }
}

/// A text without a search in it.
#[derive(Debug, Default)]
struct Passage {
    kind: PassageKind,
    text: String,
    cited: Vec<Cited>,
}

/// A source that a vendor reports for a passage.
#[derive(Debug)]
struct Cited {
    source: Source,
    /// The byte offset in the passage at which it is cited, if the vendor tells.
    at: Option<usize>,
}

#[derive(Debug)]
enum Source {
    Page {
        url: Value,
        title: Value,
    },
    /// A page of which the vendor tells only the host.
    Site(String),
}

/// A search, and where it was.
#[derive(Debug)]
struct SearchStep {
    /// The number of passages before it.
    after: usize,
    has_results: bool,
}

/// The parts of an answer that have been decoded so far, in their order.
#[derive(Debug, Default)]
pub(crate) struct AnswerBuilder {
    passages: Vec<Passage>,
    /// The kind of the passage that the next part starts. `None` if it continues the last one.
    next_kind: Option<PassageKind>,
    steps: Vec<SearchStep>,
    pub(crate) searches: Searches,
    unresolved_citations: u32,
}

impl AnswerBuilder {
    /// Starts a passage, a paragraph of its own. Without a part, it does not exist.
    pub(crate) fn start_passage(&mut self, kind: PassageKind) {
        self.next_kind = Some(kind);
    }

    /// Appends text to the current passage.
    pub(crate) fn push_text(&mut self, text: &str) {
        if !text.is_empty() {
            self.passage().text.push_str(text);
        }
    }

    /// Adds a source of the current passage, cited at a byte offset in it if that is known.
    pub(crate) fn cite(&mut self, url: &Value, title: &Value, at: Option<usize>) {
        let source = Source::Page {
            url: url.clone(),
            title: title.clone(),
        };
        self.passage().cited.push(Cited { source, at });
    }

    /// Adds a source of the current passage of which the vendor tells only the host.
    pub(crate) fn cite_site(&mut self, host: String) {
        let source = Source::Site(host);
        self.passage().cited.push(Cited { source, at: None });
    }

    /// Returns whether there is no text but white space.
    pub(crate) fn is_blank(&self) -> bool {
        self.passages.iter().all(|passage| passage.text.trim().is_empty())
    }

    /// Returns the length of the current passage in bytes.
    pub(crate) fn passage_length(&self) -> usize {
        let continued = self.passages.last().filter(|_| self.next_kind.is_none());
        continued.map_or(0, |passage| passage.text.len())
    }

    /// Counts a source whose page cannot be told.
    pub(crate) fn add_unresolved_citation(&mut self) {
        self.unresolved_citations = self.unresolved_citations.saturating_add(1);
    }

    /// Adds a call of the search tool, which also starts a passage. `has_results` tells whether it brought
    /// anything. Its queries are added to `searches`.
    pub(crate) fn add_search_step(&mut self, has_results: bool) {
        self.steps.push(SearchStep {
            after: self.passages.len(),
            has_results,
        });
        self.start_passage(PassageKind::Undeclared);
    }

    /// Returns the answer without usage and model version. `stated` is the vendor's word for why the model
    /// stopped. An answer without text is an error, unless it was refused.
    pub(crate) fn build(mut self, finish_reason: FinishReason, stated: &Value) -> Result<Answer, AskError> {
        let reasoning: Vec<Option<String>> = self.passages.iter_mut().map(Passage::take_reasoning).collect();
        let answers = self.answers();
        let (mut text, mut narration) = (String::new(), Vec::new());
        let mut citations = Citations::default();
        for ((passage, is_answer), reasoning) in self.passages.into_iter().zip(answers).zip(reasoning) {
            narration.extend(reasoning);
            if !is_answer {
                narration.push(passage.text);
                continue;
            }
            if !passage.text.trim().is_empty() {
                if !text.is_empty() {
                    text.push_str("\n\n");
                }
                text.push_str(&passage.text);
            }
            for cited in &passage.cited {
                match &cited.source {
                    Source::Page { url, title } => citations.add(url, title),
                    Source::Site(host) => citations.add_site(host),
                }
            }
        }
        narration.retain(|passage| !passage.trim().is_empty());
        if text.trim().is_empty() && finish_reason != FinishReason::Refused {
            return Err(no_text(finish_reason, stated));
        }
        if self.searches.searched {
            text_links::add(&mut citations, &text);
        }
        let (citations, unresolved) = citations.into_parts();
        Ok(Answer {
            text,
            narration,
            finish_reason,
            citations,
            unresolved_citations: self.unresolved_citations.saturating_add(unresolved),
            queries: self.searches.queries,
            searched: Some(self.searches.searched),
            ..Answer::default()
        })
    }

    fn passage(&mut self) -> &mut Passage {
        let starts = self.passages.is_empty() || self.next_kind.is_some();
        if starts {
            let kind = self.next_kind.take().unwrap_or(PassageKind::Undeclared);
            self.passages.push(Passage {
                kind,
                ..Passage::default()
            });
        }
        let last = self.passages.len() - 1;
        &mut self.passages[last]
    }

    fn answers(&self) -> Vec<bool> {
        let last_search = self.steps.last().map_or(0, |step| step.after);
        let is_answer = |(index, passage): (usize, &Passage)| match passage.kind {
            PassageKind::Commentary => false,
            PassageKind::Answer => true,
            PassageKind::Undeclared => index >= last_search || !passage.cited.is_empty(),
        };
        let mut answers: Vec<bool> = self.passages.iter().enumerate().map(is_answer).collect();
        let has_text =
            |(passage, is_answer): (&Passage, &bool)| *is_answer && !passage.text.trim().is_empty();
        if !self.passages.iter().zip(&answers).any(has_text) {
            for index in self.before_vain_searches() {
                answers[index] = self.passages[index].kind != PassageKind::Commentary;
            }
        }
        answers
    }

    /// Returns the passages right before the last searches, if these brought nothing and no text follows
    /// them.
    fn before_vain_searches(&self) -> std::ops::Range<usize> {
        let spoken =
            |passage: &Passage| passage.kind != PassageKind::Commentary && !passage.text.trim().is_empty();
        let Some(last) = self.passages.iter().rposition(spoken) else {
            return 0..0;
        };
        let (before, after): (Vec<&SearchStep>, Vec<&SearchStep>) =
            self.steps.iter().partition(|step| step.after <= last);
        if after.is_empty() || after.iter().any(|step| step.has_results) {
            return 0..0;
        }
        before.last().map_or(0, |step| step.after)..last + 1
    }
}

impl Passage {
    /// Removes reasoning from the beginning of the text, and the sources that are cited in it. Returns it.
    fn take_reasoning(&mut self) -> Option<String> {
        let length = inline_reasoning::length(&self.text);
        if length == 0 {
            return None;
        }
        self.cited.retain(|cited| cited.at.is_none_or(|at| at >= length));
        let reasoning = inline_reasoning::without_tags(&self.text[..length]);
        self.text = self.text[length..].trim_start().to_owned();
        Some(reasoning)
    }
}

/// Returns the error of an answer without text. A model that ends without a word mostly answers when it is
/// asked again; one whose output was cut before its first word does not.
fn no_text(finish_reason: FinishReason, stated: &Value) -> AskError {
    let word = stated
        .as_str()
        .filter(|word| !word.is_empty() && is_plain_word(word));
    let reason = |what: &str| match word {
        Some(word) => format!("{what} ({})", word.to_ascii_lowercase()),
        None => what.to_owned(),
    };
    match finish_reason {
        FinishReason::Truncated => {
            AskError::permanent(reason("the answer was cut off before its first word"))
        }
        _ => AskError::Empty {
            reason: reason("the answer is empty"),
        },
    }
}

#[cfg(test)]
mod tests;
