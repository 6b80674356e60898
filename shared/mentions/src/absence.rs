//! Clauses that say that nothing was found about a brand.
//!
//! The method comes from the reading of negations in clinical texts: NegEx (Chapman et al., 2001) and ConText (Harkema et al.,
//! 2009) look for a trigger, give it a scope, and end the scope at a terminator. Here, a *negator* and a *word of information or
//! finding* must stand in one clause with the brand in their scope. Words in between do not matter if they only qualify
//! (`aucune information fiable sur`, `liegen mir keine verlässlichen Angaben vor`), but a clause with words of its own says
//! something about the brand and is a mention. A contrast (`but`, `however`) ends the scope, and phrases that only look like
//! negations (`not only`, `no doubt`, `nothing beats`) are no triggers.
//!
//! The submodules each do one step:
//!
//! - `scope`: the clause around a name, from its sentence.
//! - `information`: clauses that deny information about the name (`no information on Acme`).
//! - `finding`: clauses that deny that the name was found or is known (`Acme is not mentioned in any source`).
//! - `label`: names that are the label of such a statement (`Acme: no results`, a row of a table, a heading).
//!
//! The terms are in `languages/`.

mod finding;
mod information;
mod label;
mod scope;

use crate::clause::tokens;
use crate::fold::{Folded, GAP};
use crate::text::Text;
use scope::Sentence;

/// The number of bytes of folded text that are read on each side of a name.
const MAX_DISTANCE: usize = 240;

/// The number of bytes beside a name of a sentence that may be a mere label or question.
const MAX_LABEL_BYTES: usize = 48;

/// Returns where the sentence starts that contains the folded byte `to`, but not before `from`.
fn start_of_sentence(folded: &Folded, from: usize, to: usize) -> usize {
    let text = &folded.text[from..to];
    let found = text
        .char_indices()
        .rev()
        .find(|&(i, c)| ends_sentence(folded, from + i, c));
    found.map_or(from, |(i, c)| from + i + c.len_utf8())
}

/// Returns where the sentence ends that contains the folded byte `from`, with its last sign, but not after `to`.
fn end_of_sentence(folded: &Folded, from: usize, to: usize) -> usize {
    let text = &folded.text[from..to];
    let found = text
        .char_indices()
        .find(|&(i, c)| ends_sentence(folded, from + i, c));
    found.map_or(to, |(i, c)| from + i + c.len_utf8())
}

fn ends_sentence(folded: &Folded, at: usize, c: char) -> bool {
    let is_spaced = || folded.flags_at(at + c.len_utf8()) & GAP != 0;
    matches!(c, '!' | '?' | ';' | '\n' | '。' | '؟' | '؛' | '।' | '·') || (c == '.' && is_spaced())
}

/// Returns whether the clause around the name at the folded bytes `start..end` says that nothing was found about it. The
/// caller has set the flag `BRAND_NAME` on all names in the text.
pub(crate) fn says_nothing_found(text: Text<'_>, start: usize, end: usize) -> bool {
    let folded: &Folded = text.folded;
    let low = folded
        .text
        .floor_char_boundary(start.saturating_sub(MAX_DISTANCE));
    let high = folded
        .text
        .floor_char_boundary((end + MAX_DISTANCE).min(folded.text.len()));
    let low = start_of_sentence(folded, low, start);
    let end_of_sentence = end_of_sentence(folded, end, high);
    // A name that stands alone is the label of the next sentence.
    let is_short = end_of_sentence - low < end - start + MAX_LABEL_BYTES;
    let tokens = tokens(text, low, if is_short { high } else { end_of_sentence });
    let Some(name) = tokens
        .iter()
        .position(|token| token.is_name() && token.range.start <= start && start < token.range.end)
    else {
        return false;
    };
    let sentence = Sentence::around(text, &tokens, name);
    sentence
        .clauses()
        .iter()
        .any(|clause| information::is_denied(clause) || finding::is_denied(clause))
        || label::is_denied(text, &tokens, name, &sentence)
}
