//! Mentions of brands in an answer.
//!
//! A brand is mentioned where its name, an alias or its full domain stands in the prose of the answer as
//! complete words. An answer is read in steps, each a file:
//!
//! 1. `prose`: markdown and its tags (`html_tag`) become what a reader reads; targets of links, bare URLs
//!    (`bare_url`) and citation marks are taken out.
//! 2. `fold`: case, accents, widths, quotes and separators no longer make a difference.
//! 3. `matcher`: one automaton finds all spellings (`spelling`) of all brands; the longest at a place wins. What was
//!    found is each brand's first `mention`, or why it has none.
//! 4. `word_boundary`: only complete words count (`script` knows where words touch), and common words
//!    (`common_words`) only as names.
//! 5. `absence`: a clause that says that nothing was found, before or after the name or by its subject, is
//!    no mention.
#![forbid(unsafe_code)]

mod absence;
mod bare_url;
mod common_words;
mod fold;
#[rustfmt::skip] // one tag a line would be a hundred lines
mod html_tag;
mod matcher;
mod mention;
mod prose;
mod script;
mod spelling;
mod word_boundary;

pub use common_words::common_words;
pub use matcher::Matcher;
pub use mention::{Mention, Mentions, Reason, Rejected};
pub use spelling::BrandNames;
