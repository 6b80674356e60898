//! Mentions of brands in an answer.
//!
//! A brand is mentioned where its name, an alias or its full domain stands in the prose of the answer as
//! complete words. An answer is read in steps, each a file:
//!
//! 1. `prose`: markdown and its tags (`tags`) become what a reader reads; targets of links, bare URLs (`urls`)
//!    and citation marks are taken out.
//! 2. `fold`: case, accents, widths, quotes and separators no longer make a difference.
//! 3. `matcher`: one automaton finds all spellings (`names`) of all brands; the longest at a place wins. What was
//!    `found` is each brand's first mention, or why it has none.
//! 4. `boundary`: only complete words count (`script` knows where words touch), and common words
//!    (`dictionary`) only as names.
//! 5. `absence`: a clause (`clause`) that says that nothing was found, before or after the name or by its subject, is
//!    no mention.

mod absence;
mod absence_before;
mod absence_ends;
mod absence_subject;
mod absence_unspaced;
#[rustfmt::skip] // one word a line would be hundreds of lines
mod absence_words;
mod boundary;
mod clause;
mod dictionary;
mod fold;
mod found;
mod matcher;
mod names;
mod prose;
mod script;
#[rustfmt::skip] // the same
mod tags;
mod urls;

#[cfg(test)]
mod examples;
#[cfg(test)]
mod examples_absence;
#[cfg(test)]
mod examples_brands;
#[cfg(test)]
mod examples_common;
#[cfg(test)]
mod examples_languages;
#[cfg(test)]
mod examples_links;
#[cfg(test)]
mod examples_names;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod realistic;

pub use dictionary::common_words;
pub use found::{Mention, Mentions, Reason, Rejected};
pub use matcher::Matcher;
pub use names::BrandNames;
