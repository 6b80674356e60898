//! Columns of integers, texts and sets of ordinals. Small numbers take few bytes, and sets are stored as
//! gaps.

use domain::number::to_u64;
use domain::ordinal::Ordinal;
use domain::ordinal_set::OrdinalSet;

use super::error::SegmentError;
use super::text_list::TextList;

/// The byte after each text of a list. No text in UTF-8 has it.
const END_OF_TEXT: u8 = 0xff;

/// Writes values one after the other.
#[derive(Debug, Default)]
pub struct ColumnWriter(Vec<u8>);

impl ColumnWriter {
    /// Writes seven bits per byte, the lowest first. The top bit is set on all bytes but the last.
    pub fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value.to_le_bytes()[0] | 0x80);
            value >>= 7;
        }
        self.0.push(value.to_le_bytes()[0]);
    }

    /// Writes a count or a length as a varint.
    pub fn count(&mut self, count: usize) {
        self.varint(to_u64(count));
    }

    /// Writes a signed integer in zigzag order: 0, -1, 1, -2 and 2 become 0, 1, 2, 3 and 4.
    pub fn signed(&mut self, value: i64) {
        self.varint(((value << 1) ^ (value >> 63)).cast_unsigned());
    }

    pub fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Writes bytes without their length, which the reader must know.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Writes the length of a text in bytes, then the text.
    pub fn text(&mut self, text: &str) {
        self.count(text.len());
        self.raw(text.as_bytes());
    }

    /// Writes a list of texts: their number, then each text and [`END_OF_TEXT`]. zstd compresses this better
    /// than texts with their lengths. Sorted texts take the least space.
    pub fn texts<'t>(&mut self, texts: impl ExactSizeIterator<Item = &'t str>) {
        self.count(texts.len());
        for text in texts {
            self.raw(text.as_bytes());
            self.byte(END_OF_TEXT);
        }
    }

    /// Writes a set: its size, then the gap before each ordinal.
    pub fn ordinals<T: Ordinal>(&mut self, ordinals: &OrdinalSet<T>) {
        self.count(ordinals.len());
        let mut min = 0;
        for ordinal in ordinals.as_slice() {
            let number: u32 = (*ordinal).into();
            let number = u64::from(number);
            self.varint(number - min);
            min = number + 1;
        }
    }

    pub fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Reads values in the order in which they were written.
#[derive(Debug, Clone)]
pub struct ColumnReader<'a>(&'a [u8]);

impl<'a> ColumnReader<'a> {
    pub fn new(columns: &'a [u8]) -> Self {
        Self(columns)
    }

    pub fn byte(&mut self) -> Result<u8, SegmentError> {
        let (byte, rest) = self.0.split_first().ok_or(SegmentError::InvalidColumns)?;
        self.0 = rest;
        Ok(*byte)
    }

    #[inline]
    pub fn varint(&mut self) -> Result<u64, SegmentError> {
        // Most values are small.
        if let Some((byte @ 0..0x80, rest)) = self.0.split_first() {
            self.0 = rest;
            return Ok(u64::from(*byte));
        }
        self.long_varint()
    }

    fn long_varint(&mut self) -> Result<u64, SegmentError> {
        let mut value = 0u64;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            let shifted = bits << shift;
            if shifted >> shift != bits {
                return Err(SegmentError::InvalidColumns);
            }
            value |= shifted;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(SegmentError::InvalidColumns)
    }

    /// Reads a varint that is an ordinal.
    pub fn ordinal(&mut self) -> Result<u32, SegmentError> {
        u32::try_from(self.varint()?).map_err(|_| SegmentError::InvalidColumns)
    }

    /// Reads the number of values that follow and take at least one byte each.
    ///
    /// Fails if fewer bytes are left, so that it is safe to allocate for the values.
    pub fn count(&mut self) -> Result<usize, SegmentError> {
        usize::try_from(self.varint()?)
            .ok()
            .filter(|count| *count <= self.0.len())
            .ok_or(SegmentError::InvalidColumns)
    }

    pub fn signed(&mut self) -> Result<i64, SegmentError> {
        let coded = self.varint()?;
        Ok((coded >> 1).cast_signed() ^ -((coded & 1).cast_signed()))
    }

    pub fn raw(&mut self, count: usize) -> Result<&'a [u8], SegmentError> {
        let (bytes, rest) = self
            .0
            .split_at_checked(count)
            .ok_or(SegmentError::InvalidColumns)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// Reads a text after its length.
    pub fn text(&mut self) -> Result<&'a str, SegmentError> {
        let length = self.count()?;
        as_text(self.raw(length)?)
    }

    pub fn ordinals<T: Ordinal>(&mut self) -> Result<OrdinalSet<T>, SegmentError> {
        let mut min = 0u64;
        let count = self.count()?;
        let mut ordinals = Vec::with_capacity(count);
        for _ in 0..count {
            let ordinal = self.varint()?.checked_add(min);
            let ordinal = ordinal.ok_or(SegmentError::InvalidColumns)?;
            min = ordinal.saturating_add(1);
            let number = u32::try_from(ordinal).map_err(|_| SegmentError::InvalidColumns)?;
            ordinals.push(T::from(number));
        }
        Ok(OrdinalSet::from_ascending(ordinals))
    }

    /// Reads a list of texts.
    pub fn texts(&mut self) -> Result<TextList, SegmentError> {
        let count = self.count()?;
        let mut texts = TextList::with_capacity(count);
        for _ in 0..count {
            let end = self.0.iter().position(|byte| *byte == END_OF_TEXT);
            texts.push(as_text(self.raw(end.ok_or(SegmentError::InvalidColumns)?)?)?);
            self.byte()?;
        }
        Ok(texts)
    }

    /// Returns the number of bytes that are left.
    pub fn remaining(&self) -> usize {
        self.0.len()
    }

    /// Fails if bytes are left.
    pub fn expect_end(self) -> Result<(), SegmentError> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(SegmentError::InvalidColumns)
        }
    }
}

fn as_text(bytes: &[u8]) -> Result<&str, SegmentError> {
    std::str::from_utf8(bytes).map_err(|_| SegmentError::InvalidColumns)
}

#[cfg(test)]
mod tests {
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn values_are_read_as_they_were_written(
            number in any::<u64>(), values in vec(any::<i64>(), 0..20), set in btree_set(any::<u32>(), 0..20), text in ".{0,20}",
            texts in vec("[aé字🦀]{0,5}", 0..20),
        ) {
            let set: OrdinalSet<u32> = set.into_iter().collect();
            let mut writer = ColumnWriter::default();
            writer.varint(number);
            writer.ordinals(&set);
            writer.text(&text);
            writer.texts(texts.iter().map(String::as_str));
            for value in &values {
                writer.signed(*value);
            }
            writer.byte(7);
            let bytes = writer.finish();
            let mut reader = ColumnReader::new(&bytes);
            prop_assert_eq!(reader.varint(), Ok(number));
            prop_assert_eq!(reader.ordinals(), Ok(set));
            prop_assert_eq!(reader.text(), Ok(text.as_str()));
            let read = reader.texts().unwrap();
            prop_assert_eq!(read.iter().collect::<Vec<_>>(), texts);
            for value in values {
                prop_assert_eq!(reader.signed(), Ok(value));
            }
            prop_assert_eq!(reader.byte(), Ok(7));
            prop_assert_eq!(reader.expect_end(), Ok(()));
        }

        #[test]
        fn no_bytes_make_a_reader_panic(bytes in vec(any::<u8>(), 0..40), count in any::<usize>()) {
            let reader = ColumnReader::new(&bytes);
            let _ = reader.clone().varint();
            let _ = reader.clone().signed();
            let _ = reader.clone().ordinals::<u32>();
            let _ = reader.clone().text();
            let _ = reader.clone().texts();
            let _ = reader.clone().raw(count);
        }
    }

    #[test]
    fn consecutive_ordinals_take_one_byte_each() {
        let mut writer = ColumnWriter::default();
        writer.ordinals(&(100_000..100_010).collect());
        assert_eq!(writer.finish().len(), 1 + 3 + 9);
    }

    #[test]
    fn a_count_above_the_bytes_left_is_an_error() {
        assert_eq!(
            ColumnReader::new(&[3, 0, 0]).count(),
            Err(SegmentError::InvalidColumns)
        );
        assert_eq!(ColumnReader::new(&[2, 0, 0]).count(), Ok(2));
        // The second text has no end, and the first one ends within a character.
        for texts in [&[2, b'a', 0xff, b'b'][..], &[1, 0xc3, 0xff]] {
            assert_eq!(
                ColumnReader::new(texts).texts(),
                Err(SegmentError::InvalidColumns)
            );
        }
    }

    #[test]
    fn a_number_above_its_type_is_an_error() {
        let mut above = vec![0xff; 9];
        above.push(2);
        assert_eq!(
            ColumnReader::new(&above).varint(),
            Err(SegmentError::InvalidColumns)
        );
        above[9] = 1;
        assert_eq!(ColumnReader::new(&above).varint(), Ok(u64::MAX));
        assert_eq!(
            ColumnReader::new(&above).ordinal(),
            Err(SegmentError::InvalidColumns)
        );
        assert_eq!(
            ColumnReader::new(&[0x80; 11]).varint(),
            Err(SegmentError::InvalidColumns)
        );
        // The second ordinal would be 2^32.
        let set = [2, 0xff, 0xff, 0xff, 0xff, 0x0f, 0];
        assert_eq!(
            ColumnReader::new(&set).ordinals::<u32>(),
            Err(SegmentError::InvalidColumns)
        );
    }

    #[test]
    fn bytes_that_are_left_over_are_an_error() {
        assert_eq!(
            ColumnReader::new(&[0]).expect_end(),
            Err(SegmentError::InvalidColumns)
        );
    }
}
