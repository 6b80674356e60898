//! The format in which `build.rs` compiles the lists of words in.
//!
//! A list is front-coded: each word is a byte up to `MAX_SHARED_BYTES`, the number of bytes that it shares with the word before it, and
//! the rest of its bytes. Then it is compressed by partial matching (PPMd, Shkarin, 2002), which saves another quarter of
//! what the package's own compression would leave.

/// The maximum number of letters of a word that is kept. Few brands are longer words; those that are known are kept.
pub(crate) const MAX_LETTERS: usize = 11;
/// The maximum number of bytes that a word shares with the one before it. No word has such a byte: `build.rs` asserts it.
pub(crate) const MAX_SHARED_BYTES: u8 = 31;
/// The number of bytes from which the compression predicts the next one.
pub(crate) const PPMD_ORDER: u32 = 4;
/// The memory that the compression may use.
pub(crate) const PPMD_MEMORY_BYTES: u32 = 4 << 20;
