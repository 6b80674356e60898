//! Clauses that are recognized by whole phrases, without splitting them into words: in scripts that are written without
//! spaces, and in languages that put the phrase after the name.

use super::vocabulary as words;
use crate::fold::Folded;
use crate::script::is_unspaced;

/// The phrases, folded.
pub(super) struct FixedPhrases {
    phrases: Vec<String>,
    not_found_zh: Vec<String>,
    after_name_zh: Vec<String>,
    topic_particles: Vec<String>,
    about_particles: Vec<String>,
    between_words: Vec<String>,
    not_found_endings: Vec<String>,
}

impl FixedPhrases {
    pub(super) fn new() -> Self {
        let fold = |list: &[&str]| list.iter().map(|text| Folded::of(text).text).collect();
        Self {
            phrases: fold(words::PHRASES),
            not_found_zh: fold(words::NOT_FOUND_ZH),
            after_name_zh: fold(words::AFTER_NAME_ZH),
            topic_particles: fold(words::TOPIC_PARTICLES),
            about_particles: fold(words::ABOUT_PARTICLES),
            between_words: fold(words::BETWEEN_WORDS),
            not_found_endings: fold(words::NOT_FOUND_ENDINGS),
        }
    }

    /// Returns whether the clause around a name says that nothing was found about it. `before` and `after` are the
    /// folded texts on both sides of the name.
    pub(super) fn says_nothing_found(&self, before: &str, after: &str) -> bool {
        let is_end = |c: char| matches!(c, '。' | ',' | '、' | '!' | '?' | ';' | '\n');
        let before = before.rsplit(is_end).next().unwrap_or_default();
        let before = before.trim_end_matches(words::CONNECTORS_ZH);
        let after = after
            .split(is_end)
            .next()
            .unwrap_or_default()
            .trim_start_matches(['」', '』', '》', '"', '\'']);
        if self
            .phrases
            .iter()
            .any(|phrase| before.ends_with(phrase.as_str()))
        {
            return after.is_empty() || after.starts_with(['.', '،', '।']);
        }
        if self
            .not_found_zh
            .iter()
            .any(|phrase| before.ends_with(phrase.as_str()))
        {
            return self.is_information_zh(after);
        }
        let is_not_found = |rest: &str| {
            self.not_found_endings
                .iter()
                .any(|phrase| rest.starts_with(phrase.as_str()))
        };
        // A topic that lacks something other than information is praise: `Zendoは欠点が見つかりません` (no flaws).
        skip_one(after, &self.topic_particles).is_some_and(is_not_found)
            || skip_one(after, &self.about_particles)
                .is_some_and(|rest| is_not_found(skip_all(rest, &self.between_words)))
    }

    /// Returns whether the clause only continues with words for information, or with other names.
    fn is_information_zh(&self, after: &str) -> bool {
        let mut rest = after;
        loop {
            let next = skip_all(rest.trim_start_matches(|c| !is_unspaced(c)), &self.after_name_zh);
            if next.len() == rest.len() {
                return rest.is_empty();
            }
            rest = next;
        }
    }
}

/// Skips one of `words`, if `text` starts with one.
fn skip_one<'a>(text: &'a str, words: &[String]) -> Option<&'a str> {
    words.iter().find_map(|word| text.strip_prefix(word.as_str()))
}

/// Skips as many of `words` as `text` starts with.
fn skip_all<'a>(mut text: &'a str, words: &[String]) -> &'a str {
    while let Some(rest) = skip_one(text, words) {
        text = rest;
    }
    text
}
