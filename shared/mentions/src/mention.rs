//! The result of searching an answer for brands.

use serde::{Deserialize, Serialize};

/// The brands that occur in an answer. Each brand is in at most one of the lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mentions {
    /// The mentioned brands, in order of their first mention. A brand's position is its index + 1.
    pub mentioned: Vec<Mention>,
    /// The brands of which no occurrence counts, by ordinal.
    pub rejected: Vec<RejectedBrand>,
}

/// A mentioned brand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mention {
    /// The brand's ordinal.
    pub brand: u32,
    /// The byte offset of the brand's first mention in the answer; always a char boundary.
    pub offset: usize,
}

/// A brand that occurs but is not mentioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RejectedBrand {
    /// The brand's ordinal.
    pub brand: u32,
    /// Why its occurrences do not count.
    pub reason: RejectionReason,
}

/// Why an occurrence of a brand does not count. If several reasons apply, the first one in this order is
/// reported.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum RejectionReason {
    /// The clause says that nothing was found about the brand.
    NothingFound,
    /// The name consists of common words, and the occurrence means those words.
    CommonWord,
    /// The occurrence is part of a longer name of another brand.
    LongerName,
    /// The name occurs only in link targets, bare URLs or citation marks.
    LinkOnly,
}
