//! Front coding, which stores each text without the prefix that it shares with the text before it.
//!
//! Sorted texts share the longest prefixes.
//!
//! `FrontDecoder` and `shared_prefix` implement the coding. Stored segments use two layouts:
//!
//! - `interleaved` stores each text's lengths with its bytes. It is for short lists that are read one by one, and for
//!   lists with other values between their texts.
//! - `columnar` stores the lengths of all texts first and then the bytes of all texts, which zstd compresses better.
//!   It is for the large dictionary of queries.

mod columnar;
mod interleaved;

pub(in crate::facts) use columnar::{read_columnar, write_columnar};
pub(in crate::facts) use interleaved::{InterleavedReader, InterleavedWriter};

use super::error::SegmentError;
use super::frame::MAX_PAYLOAD_BYTES;

/// Returns the length in bytes of the prefix that the texts share, in whole characters.
fn shared_prefix(before: &str, text: &str) -> usize {
    let equal = before.bytes().zip(text.bytes()).take_while(|(a, b)| a == b);
    text.floor_char_boundary(equal.count())
}

/// Restores front-coded texts one after the other.
#[derive(Debug)]
struct FrontDecoder {
    text: String,
    /// The number of bytes that all further texts can have together. Without it, short input could expand without limit.
    bytes_left: usize,
}

impl Default for FrontDecoder {
    fn default() -> Self {
        Self {
            text: String::new(),
            bytes_left: MAX_PAYLOAD_BYTES,
        }
    }
}

impl FrontDecoder {
    /// Returns the text that has `shared` bytes in common with the text before it and continues with `rest`.
    ///
    /// Fails with [`SegmentError::TooLong`] if all texts together exceed [`MAX_PAYLOAD_BYTES`] bytes.
    fn next(&mut self, shared: usize, rest: &str) -> Result<&str, SegmentError> {
        if !self.text.is_char_boundary(shared) {
            return Err(SegmentError::InvalidColumns);
        }
        self.text.truncate(shared);
        self.text.push_str(rest);
        self.claim(self.text.len())?;
        Ok(&self.text)
    }

    /// Clears the previous text, so that the next text shares no prefix with it.
    fn restart(&mut self) {
        self.text.clear();
    }

    /// Counts bytes that the caller appends to a text towards the maximum size of all texts.
    fn claim(&mut self, bytes: usize) -> Result<(), SegmentError> {
        self.bytes_left = self.bytes_left.checked_sub(bytes).ok_or(SegmentError::TooLong)?;
        Ok(())
    }
}
