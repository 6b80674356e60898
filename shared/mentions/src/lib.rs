//! Finds the brands that an answer mentions.
//!
//! A brand is mentioned if its name, an alias or its full domain appears in the answer's prose as complete
//! words. When in doubt, the occurrence counts: only a clause that says that nothing was found about the
//! brand removes it.
//!
//! [`Matcher::find`] reads an answer in these steps:
//!
//! 1. `prose` parses the answer's markdown and keeps the text that a reader sees. Link targets, bare URLs
//!    (`bare_url`), citation marks, source marks (`source_mark`) and HTML tags (`html_tag`) are removed from
//!    the text; the URLs are kept separately.
//! 2. `language` detects the answer's language. The language's terms, endings and common words are in
//!    `languages/` and `common_words/`.
//! 3. `fold` normalizes the text, so that case, accents, character widths, quotation marks and word
//!    separators make no difference.
//! 4. `matcher` searches the folded text for all usual spellings of all brands (`spelling`) with one
//!    automaton.
//! 5. `word_boundary` drops occurrences that are parts of other words (`longer_word` in scripts without
//!    spaces; `script` classifies characters). `inflection` accepts the endings of the answer's language.
//! 6. `usage` distinguishes a name from the common words that it consists of (`unit`: units and symbols).
//!    Where a capital proves nothing, `evidence` weighs what else may show it (`slot`: the places that name
//!    items of lists, tables and cards; `item`: the items there; `title`: what names a list or a column;
//!    `word_list`: looks common words up).
//! 7. `matcher` drops names that are parts of a longer name.
//! 8. `absence` drops names in sentences (`clause`) that say that nothing was found about the brand.
//! 9. `matcher` reports each brand's first mention, or the reason why none of its occurrences counts
//!    (`mention`).
//!
//! Steps 6 and 8 weigh many features with a `classifier`, whose weights are learned from labelled texts
//! (`training`). Words count by their stems and parts too (`word_parts`).
#![forbid(unsafe_code)]

mod absence;
mod accent;
mod bare_url;
mod capital;
mod citation_mark;
mod classifier;
mod clause;
mod evidence;
mod fold;
#[rustfmt::skip] // With one tag per line, the lists would take a hundred lines.
mod html_tag;
mod inflection;
mod item;
mod language;
mod line;
mod longer_word;
mod matcher;
mod mention;
mod prose;
pub mod public_suffix;
mod script;
mod slot;
mod source_mark;
mod spelling;
mod text;
mod title;
pub mod training;
mod unit;
mod usage;
mod word_boundary;
mod word_list;
mod word_parts;

pub use language::common_words;
pub use matcher::Matcher;
pub use mention::{Mention, Mentions, RejectedBrand, RejectionReason};
pub use spelling::BrandNames;

/// The version of the rules of reading. It changes whenever an answer can be read differently, so that
/// answers that were read by other rules can be found and read again.
pub const RULES_VERSION: u32 = 6;
