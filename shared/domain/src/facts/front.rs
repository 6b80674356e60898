//! Front coding: of each text only what differs from the one before it.
//!
//! ```text
//! shared    varint: how many bytes it begins with are those of the text before
//! rest      varint length, then its other bytes
//! ```
//! Of texts in ascending order that is little.

use super::column::{Reader, Writer};
use super::frame::{BadSegment, MAX_PAYLOAD_BYTES};

/// Writes or reads texts one after the other.
#[derive(Debug)]
pub(super) struct Front {
    text: String,
    /// How many bytes all further texts may have: a few bytes that share much could claim without end.
    room: usize,
}

impl Default for Front {
    fn default() -> Self {
        Self {
            text: String::new(),
            room: MAX_PAYLOAD_BYTES,
        }
    }
}

impl Front {
    /// Makes the next text share nothing, so that it can be read without those before it.
    pub(super) fn restart(&mut self) {
        self.text.clear();
    }

    pub(super) fn write(&mut self, text: &str, writer: &mut Writer) {
        let equal = self.text.bytes().zip(text.bytes()).take_while(|(a, b)| a == b);
        let shared = text.floor_char_boundary(equal.count());
        writer.count(shared);
        writer.text(&text[shared..]);
        self.text.truncate(shared);
        self.text.push_str(&text[shared..]);
    }

    /// The next text. [`BadSegment::TooLong`] where all texts together pass [`MAX_PAYLOAD_BYTES`] bytes.
    pub(super) fn read(&mut self, reader: &mut Reader<'_>) -> Result<&str, BadSegment> {
        let shared = usize::try_from(reader.varint()?).map_err(|_| BadSegment::Columns)?;
        if !self.text.is_char_boundary(shared) {
            return Err(BadSegment::Columns);
        }
        self.text.truncate(shared);
        self.text.push_str(reader.text()?);
        self.spend(self.text.len())?;
        Ok(&self.text)
    }

    /// Counts what a text is completed with as part of it.
    pub(super) fn spend(&mut self, bytes: usize) -> Result<(), BadSegment> {
        self.room = self.room.checked_sub(bytes).ok_or(BadSegment::TooLong)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn texts_read_back_as_they_were_written(texts in vec("[aéè字]{0,4}", 0..30), restart in 0usize..30) {
            let mut writer = Writer::default();
            let mut front = Front::default();
            for (at, text) in texts.iter().enumerate() {
                if at == restart {
                    front.restart();
                }
                front.write(text, &mut writer);
            }
            let bytes = writer.finish();
            let mut reader = Reader::new(&bytes);
            let mut front = Front::default();
            for (at, text) in texts.iter().enumerate() {
                if at == restart {
                    front.restart();
                }
                prop_assert_eq!(front.read(&mut reader), Ok(text.as_str()));
            }
            prop_assert_eq!(reader.end(), Ok(()));
        }

        #[test]
        fn no_bytes_make_reading_panic(bytes in vec(prop_oneof![9 => 0u8..4, 1 => any::<u8>()], 0..40)) {
            let mut reader = Reader::new(&bytes);
            let mut front = Front::default();
            while front.read(&mut reader).is_ok() {}
        }
    }

    #[test]
    fn a_text_that_shares_half_a_character_or_more_than_there_is_is_refused() {
        for shared in [1, 3, 200] {
            let bytes = [0, 2, 0xc3, 0xa9, shared, 0];
            let mut reader = Reader::new(&bytes);
            let mut front = Front::default();
            assert_eq!(front.read(&mut reader), Ok("é"));
            assert_eq!(front.read(&mut reader), Err(BadSegment::Columns), "{shared}");
        }
    }

    #[test]
    fn texts_that_share_much_do_not_grow_without_end() {
        // A text of a megabyte, and then in two bytes each the same again.
        let mut writer = Writer::default();
        let mut front = Front::default();
        let text = "a".repeat(1024 * 1024);
        for _ in 0..65 {
            front.write(&text, &mut writer);
        }
        let bytes = writer.finish();
        let mut reader = Reader::new(&bytes);
        let mut front = Front::default();
        for _ in 0..64 {
            assert_eq!(front.read(&mut reader), Ok(text.as_str()));
        }
        assert_eq!(front.read(&mut reader), Err(BadSegment::TooLong));
    }
}
