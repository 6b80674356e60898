//! The interleaved layout of front-coded texts, in which each text is stored completely before the next one.
//!
//! ```text
//! shared   varint: the number of bytes that the text shares with the one before it
//! rest     varint length, then the other bytes
//! ```

use super::super::columns::{ColumnReader, ColumnWriter};
use super::super::error::SegmentError;
use super::{FrontDecoder, shared_prefix};

/// Writes texts one after the other.
#[derive(Debug, Default)]
pub(in crate::facts) struct InterleavedWriter {
    before: String,
}

impl InterleavedWriter {
    /// Clears the previous text, so that the next text shares no prefix with it.
    pub(in crate::facts) fn restart(&mut self) {
        self.before.clear();
    }

    pub(in crate::facts) fn write(&mut self, text: &str, columns: &mut ColumnWriter) {
        let shared = shared_prefix(&self.before, text);
        columns.count(shared);
        columns.text(&text[shared..]);
        self.before.truncate(shared);
        self.before.push_str(&text[shared..]);
    }
}

/// Reads texts one after the other.
#[derive(Debug, Default)]
pub(in crate::facts) struct InterleavedReader {
    decoder: FrontDecoder,
}

impl InterleavedReader {
    /// Clears the previous text. The writer must have restarted at this position as well.
    pub(in crate::facts) fn restart(&mut self) {
        self.decoder.restart();
    }

    /// Returns the next text. Fails with [`SegmentError::TooLong`] if all texts together exceed the maximum size of a segment.
    pub(in crate::facts) fn read(&mut self, columns: &mut ColumnReader<'_>) -> Result<&str, SegmentError> {
        let shared = usize::try_from(columns.varint()?).map_err(|_| SegmentError::InvalidColumns)?;
        self.decoder.next(shared, columns.text()?)
    }

    /// Counts bytes that the caller appends to a text towards the maximum size of all texts.
    pub(in crate::facts) fn claim(&mut self, bytes: usize) -> Result<(), SegmentError> {
        self.decoder.claim(bytes)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn texts_are_read_as_they_were_written(texts in vec("[aéè字]{0,4}", 0..30), restart in 0usize..30) {
            let mut writer = ColumnWriter::default();
            let mut front = InterleavedWriter::default();
            for (at, text) in texts.iter().enumerate() {
                if at == restart {
                    front.restart();
                }
                front.write(text, &mut writer);
            }
            let bytes = writer.finish();
            let mut reader = ColumnReader::new(&bytes);
            let mut front = InterleavedReader::default();
            for (at, text) in texts.iter().enumerate() {
                if at == restart {
                    front.restart();
                }
                prop_assert_eq!(front.read(&mut reader), Ok(text.as_str()));
            }
            prop_assert_eq!(reader.expect_end(), Ok(()));
        }

        #[test]
        fn no_bytes_make_reading_panic(bytes in vec(prop_oneof![9 => 0u8..4, 1 => any::<u8>()], 0..40)) {
            let mut reader = ColumnReader::new(&bytes);
            let mut front = InterleavedReader::default();
            while front.read(&mut reader).is_ok() {}
        }
    }

    #[test]
    fn a_shared_prefix_that_is_too_long_or_cuts_a_character_is_an_error() {
        for shared in [1, 3, 200] {
            let bytes = [0, 2, 0xc3, 0xa9, shared, 0];
            let mut reader = ColumnReader::new(&bytes);
            let mut front = InterleavedReader::default();
            assert_eq!(front.read(&mut reader), Ok("é"));
            assert_eq!(
                front.read(&mut reader),
                Err(SegmentError::InvalidColumns),
                "{shared}"
            );
        }
    }

    #[test]
    fn repeated_texts_do_not_expand_without_limit() {
        // A text of a megabyte, which is repeated with two bytes each.
        let mut writer = ColumnWriter::default();
        let mut front = InterleavedWriter::default();
        let text = "a".repeat(1024 * 1024);
        for _ in 0..65 {
            front.write(&text, &mut writer);
        }
        let bytes = writer.finish();
        let mut reader = ColumnReader::new(&bytes);
        let mut front = InterleavedReader::default();
        for _ in 0..64 {
            assert_eq!(front.read(&mut reader), Ok(text.as_str()));
        }
        assert_eq!(front.read(&mut reader), Err(SegmentError::TooLong));
    }
}
