//! Clauses that say that nothing was found about a brand.
//!
//! A clause is read word by word from the name outwards. Only words known to belong to such a clause may
//! stand between the name and the negation, so `no information on Acme` is one and `no tool better than
//! Acme` is not. What is in doubt is a mention.

mod after_name;
mod before_name;
mod clause;
mod endings;
mod fixed_phrases;
mod subject;
#[rustfmt::skip] // one word a line would be hundreds of lines
mod vocabulary;

use crate::fold::LINED;
use crate::word_boundary::Text;
use after_name::{denied, is_knowledge, is_searched, not_available, said_after};
use before_name::said_before;
use clause::{Token, tokens};
use fixed_phrases::Unspaced;
use subject::{said_of_itself, said_of_list, said_of_sources};

/// How far a clause is read to each side, in bytes of folded text.
const REACH: usize = 200;

/// Knows the clauses; made once.
pub(crate) struct Absence {
    unspaced: Unspaced,
}

impl Absence {
    pub(crate) fn new() -> Self {
        Self {
            unspaced: Unspaced::new(),
        }
    }

    /// Whether the clause says that nothing was found about the name at the folded bytes `start..end`. All
    /// names in the text carry the flag `NAMED`.
    pub(crate) fn is_said(&self, text: Text<'_>, start: usize, end: usize) -> bool {
        let folded = &text.folded.text;
        let low = folded.floor_char_boundary(start.saturating_sub(REACH));
        let high = folded.floor_char_boundary(end.saturating_add(REACH));
        let mut before = tokens(text, low, start);
        if let Some(last) = before.iter().rposition(|&token| token == Token::End) {
            before.drain(..=last);
        }
        if text.folded.flags_at(start) & LINED != 0 {
            before.clear();
        }
        before.reverse();
        let mut after = tokens(text, end, high);
        if let Some(first) = after.iter().position(|&token| token == Token::End) {
            after.truncate(first);
        }
        let owner = matches!(
            after.as_slice(),
            [Token::Word("'s"), Token::Word(_) | Token::Name, ..]
        );
        let said_here = !owner
            && (said_before(&before, &after)
                || said_of_itself(&before, &after)
                || said_of_sources(&before, &after));
        said_here
            || said_after(&after)
            || said_of_list(&before, &after)
            || (is_knowledge(&before) && not_available(&after))
            || (is_searched(&before) && denied(&after))
            || self.unspaced.is_said(&folded[low..start], &folded[end..high])
    }
}
