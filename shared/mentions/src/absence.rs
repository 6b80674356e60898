//! Clauses that say that nothing was found about a brand.
//!
//! A clause is read word by word, from the name outwards. Only words that are known to belong to such a clause may
//! stand between the name and the negation: `no information on Acme` is one, `no tool better than Acme` is not. A clause
//! that cannot be classified does not remove the mention.
//!
//! The submodules each recognize one form:
//!
//! - `before_name`: the negation precedes the name (`no information on Acme`).
//! - `after_name`: the negation follows the name (`Acme was not found`).
//! - `subject`: the model, the sources or a list of brands is the subject (`I have never heard of Acme`).
//! - `fixed_phrases`: whole phrases, in scripts without spaces and in languages that put them after the name.
//!
//! They use `clause` (splits text into tokens), `endings` (decides whether a clause ends) and `vocabulary` (the words).
//! The tokens before a name are in reverse order: the token next to the name comes first.

mod after_name;
mod before_name;
mod clause;
mod endings;
mod fixed_phrases;
mod subject;
#[rustfmt::skip] // With one word per line, the lists would take hundreds of lines.
mod vocabulary;

use crate::fold::LINE_BROKEN;
use crate::word_boundary::Text;
use after_name::{
    denies_after_name, is_information_about, is_search_topic, says_unavailable, search_found_nothing,
};
use before_name::denies_before_name;
use clause::{Token, tokens};
use fixed_phrases::FixedPhrases;
use subject::{denies_list, model_does_not_know, sources_do_not_mention};

/// The number of bytes of folded text that are read on each side of a name.
const MAX_DISTANCE: usize = 200;

/// Recognizes clauses that say that nothing was found. Create it once and share it.
pub(crate) struct AbsenceDetector {
    fixed_phrases: FixedPhrases,
}

impl AbsenceDetector {
    pub(crate) fn new() -> Self {
        Self {
            fixed_phrases: FixedPhrases::new(),
        }
    }

    /// Returns whether the clause around the name at the folded bytes `start..end` says that nothing was found about
    /// it. The caller has set the flag `BRAND_NAME` on all names in the text.
    pub(crate) fn says_nothing_found(&self, text: Text<'_>, start: usize, end: usize) -> bool {
        let folded = &text.folded.text;
        let low = folded.floor_char_boundary(start.saturating_sub(MAX_DISTANCE));
        let high = folded.floor_char_boundary(end.saturating_add(MAX_DISTANCE));
        let mut before = tokens(text, low, start);
        if let Some(last) = before.iter().rposition(|&token| token == Token::End) {
            before.drain(..=last);
        }
        if text.folded.flags_at(start) & LINE_BROKEN != 0 {
            before.clear();
        }
        before.reverse();
        let mut after = tokens(text, end, high);
        if let Some(first) = after.iter().position(|&token| token == Token::End) {
            after.truncate(first);
        }
        let is_possessive = matches!(
            after.as_slice(),
            [Token::Word("'s"), Token::Word(_) | Token::Name, ..]
        );
        let denied_directly = !is_possessive
            && (denies_before_name(&before, &after)
                || model_does_not_know(&before, &after)
                || sources_do_not_mention(&before, &after));
        denied_directly
            || denies_after_name(&after)
            || denies_list(&before, &after)
            || (is_information_about(&before) && says_unavailable(&after))
            || (is_search_topic(&before) && search_found_nothing(&after))
            || self
                .fixed_phrases
                .says_nothing_found(&folded[low..start], &folded[end..high])
    }
}
