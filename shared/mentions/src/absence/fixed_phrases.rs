//! Clauses that say that nothing was found in set phrases, whose words need no telling apart: in the scripts that
//! are written without spaces, and in languages that put them behind the name.

use super::vocabulary as words;
use crate::fold::Folded;
use crate::script::is_unspaced;

/// The words of these clauses, folded.
pub(super) struct Unspaced {
    phrases: Vec<String>,
    before_zh: Vec<String>,
    after_zh: Vec<String>,
    topic: Vec<String>,
    about: Vec<String>,
    between: Vec<String>,
    none: Vec<String>,
}

impl Unspaced {
    pub(super) fn new() -> Self {
        let fold = |list: &[&str]| list.iter().map(|text| Folded::of(text).text).collect();
        Self {
            phrases: fold(words::PHRASES),
            before_zh: fold(words::BEFORE_ZH),
            after_zh: fold(words::AFTER_ZH),
            topic: fold(words::AFTER_TOPIC),
            about: fold(words::AFTER_ABOUT),
            between: fold(words::BETWEEN),
            none: fold(words::AFTER_NONE),
        }
    }

    /// Whether the clause around a name, between the folded texts `before` and `after`, says it.
    pub(super) fn is_said(&self, before: &str, after: &str) -> bool {
        let ends = |c: char| matches!(c, '。' | ',' | '、' | '!' | '?' | ';' | '\n');
        let before = before.rsplit(ends).next().unwrap_or_default();
        let before = before.trim_end_matches(words::LINK_ZH);
        let after = after
            .split(ends)
            .next()
            .unwrap_or_default()
            .trim_start_matches(['」', '』', '》', '"', '\'']);
        if self.phrases.iter().any(|none| before.ends_with(none.as_str())) {
            return after.is_empty() || after.starts_with(['.', '،', '।']);
        }
        if self.before_zh.iter().any(|none| before.ends_with(none.as_str())) {
            return self.is_all_zh(after);
        }
        let is_none = |rest: &str| self.none.iter().any(|none| rest.starts_with(none.as_str()));
        // What the topic of a clause is without may be anything: `Zendoは欠点が見つかりません`.
        skip_one(after, &self.topic).is_some_and(is_none)
            || skip_one(after, &self.about).is_some_and(|rest| is_none(skip_all(rest, &self.between)))
    }

    /// Whether the clause goes on with no more than what is known of a brand, or other names.
    fn is_all_zh(&self, after: &str) -> bool {
        let mut rest = after;
        loop {
            let next = skip_all(rest.trim_start_matches(|c| !is_unspaced(c)), &self.after_zh);
            if next.len() == rest.len() {
                return rest.is_empty();
            }
            rest = next;
        }
    }
}

fn skip_one<'a>(text: &'a str, words: &[String]) -> Option<&'a str> {
    words.iter().find_map(|word| text.strip_prefix(word.as_str()))
}

fn skip_all<'a>(mut text: &'a str, words: &[String]) -> &'a str {
    while let Some(rest) = skip_one(text, words) {
        text = rest;
    }
    text
}
