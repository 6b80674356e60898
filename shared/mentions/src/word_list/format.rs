//! The format in which `build.rs` compiles the lists of words in.
//!
//! A list is front-coded: each word is a byte up to `MAX_SHARED_BYTES`, the number of bytes that it shares
//! with the word before it, and the rest of its bytes. That leaves two thirds of what the package's own
//! compression makes of the words alone.

/// The maximum number of letters of a word that is kept. Few brands are longer words; those that are known
/// are kept.
pub(crate) const MAX_LETTERS: usize = 11;
/// The maximum number of bytes that a word shares with the one before it. No word has such a byte: `build.rs`
/// asserts it.
pub(crate) const MAX_SHARED_BYTES: u8 = 31;
