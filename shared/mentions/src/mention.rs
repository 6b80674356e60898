//! What was found in an answer.

use serde::{Deserialize, Serialize};

/// What was found in an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mentions {
    /// The brands mentioned, each once, in order of first mention: a brand's position is its index + 1.
    pub mentioned: Vec<Mention>,
    /// The brands that occur, but only in ways that do not count, by ordinal.
    pub rejected: Vec<Rejected>,
}

/// A brand that is mentioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mention {
    /// Its ordinal.
    pub brand: u32,
    /// The byte of the answer where its first mention starts; always a char boundary.
    pub at: usize,
}

/// A brand that occurs and is not mentioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rejected {
    /// Its ordinal.
    pub brand: u32,
    /// Why it does not count.
    pub reason: Reason,
}

/// Why an occurrence does not count. Of several reasons the first in this order is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The clause says that nothing was found about the brand.
    NothingFound,
    /// The name is made of common words, and here it is those words.
    CommonWord,
    /// The name is a part of a longer name that another brand has.
    LongerName,
    /// It occurs only where a link leads, in a bare URL or in a citation mark.
    LinkOnly,
}
