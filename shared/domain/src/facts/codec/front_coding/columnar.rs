//! The columnar layout of front-coded texts.
//!
//! ```text
//! count    varint
//! shared   one varint per text: the number of bytes that it shares with the text before it, in whole characters
//! lengths  one varint per text: the number of its other bytes
//! bytes    the other bytes of all texts
//! ```

use super::super::columns::{ColumnReader, ColumnWriter};
use super::super::error::SegmentError;
use super::{FrontDecoder, shared_prefix};

/// Writes texts in the given order.
pub(in crate::facts) fn write_columnar(texts: &[&str], columns: &mut ColumnWriter) {
    let shared: Vec<usize> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| {
            let before = index.checked_sub(1).and_then(|before| texts.get(before));
            before.map_or(0, |before| shared_prefix(before, text))
        })
        .collect();
    columns.count(texts.len());
    for shared in &shared {
        columns.count(*shared);
    }
    for (text, shared) in texts.iter().zip(&shared) {
        columns.count(text.len() - shared);
    }
    for (text, shared) in texts.iter().zip(&shared) {
        columns.raw(&text.as_bytes()[*shared..]);
    }
}

/// A list of texts in one string.
#[derive(Debug)]
pub(in crate::facts) struct TextList {
    all: String,
    /// The index in `all` at which each text ends.
    ends: Vec<usize>,
}

impl TextList {
    pub(in crate::facts) fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let spans = starts.zip(&self.ends);
        spans.map(|(start, end)| self.all.get(start..*end).unwrap_or_default())
    }
}

/// Reads texts. Fails with [`SegmentError::TooLong`] if they exceed [`MAX_PAYLOAD_BYTES`](super::MAX_PAYLOAD_BYTES) together.
pub(in crate::facts) fn read_columnar(columns: &mut ColumnReader<'_>) -> Result<TextList, SegmentError> {
    let count = columns.count()?;
    let shared = read_lengths(columns, count)?;
    let lengths = read_lengths(columns, count)?;
    let bytes = lengths
        .iter()
        .fold(0usize, |sum, length| sum.saturating_add(*length));
    let mut bytes = std::str::from_utf8(columns.raw(bytes)?).map_err(|_| SegmentError::InvalidColumns)?;

    let mut texts = TextList {
        all: String::with_capacity(bytes.len()),
        ends: Vec::with_capacity(count),
    };
    let mut decoder = FrontDecoder::default();
    for (shared, length) in shared.into_iter().zip(lengths) {
        let (rest, others) = bytes
            .split_at_checked(length)
            .ok_or(SegmentError::InvalidColumns)?;
        bytes = others;
        texts.all.push_str(decoder.next(shared, rest)?);
        texts.ends.push(texts.all.len());
    }
    Ok(texts)
}

fn read_lengths(columns: &mut ColumnReader<'_>, count: usize) -> Result<Vec<usize>, SegmentError> {
    let mut lengths = Vec::with_capacity(count);
    for _ in 0..count {
        lengths.push(usize::try_from(columns.varint()?).map_err(|_| SegmentError::InvalidColumns)?);
    }
    Ok(lengths)
}

#[cfg(test)]
mod tests {
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    fn written(texts: &[&str]) -> Vec<u8> {
        let mut writer = ColumnWriter::default();
        write_columnar(texts, &mut writer);
        writer.finish()
    }

    fn all(bytes: &[u8]) -> Result<Vec<String>, SegmentError> {
        let mut reader = ColumnReader::new(bytes);
        let texts = read_columnar(&mut reader)?.iter().map(str::to_owned).collect();
        reader.expect_end()?;
        Ok(texts)
    }

    proptest! {
        #[test]
        fn texts_are_read_as_they_were_written(texts in btree_set("[aé字🦀]{0,5}", 0..40)) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            prop_assert_eq!(all(&written(&texts)).unwrap(), texts);
        }

        #[test]
        fn no_bytes_make_reading_panic(
            bytes in vec(prop_oneof![0u8..6, any::<u8>()], 0..40), text in "[aé]{0,20}",
        ) {
            let _ = all(&bytes);
            let _ = all(&[&bytes[..], text.as_bytes()].concat());
        }
    }

    #[test]
    fn a_shared_prefix_is_written_once() {
        let long = "q".repeat(4_000);
        let texts = [long.clone() + "a", long.clone() + "b", long + "ü"];
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert!(written(&texts).len() < 4_030);
        assert_eq!(all(&written(&texts)).unwrap(), texts);
    }

    #[test]
    fn a_character_is_not_cut_in_two() {
        // "é" and "è" have the same first byte.
        let cut = [2, 0, 1, 2, 1, 0xc3, 0xa9, 0xa8];
        assert_eq!(all(&cut), Err(SegmentError::InvalidColumns));
        assert_eq!(all(&written(&["è", "é"])).unwrap(), ["è", "é"]);
    }

    #[test]
    fn a_length_above_the_bytes_left_is_an_error() {
        assert_eq!(all(&[1, 1, 1, b'a']), Err(SegmentError::InvalidColumns));
        assert_eq!(all(&[1, 0, 2, b'a']), Err(SegmentError::InvalidColumns));
        assert_eq!(
            all(&[2, 0, 2, 1, 1, b'a', b'b']),
            Err(SegmentError::InvalidColumns)
        );
    }

    #[test]
    fn repeated_prefixes_do_not_expand_without_limit() {
        // A text of a megabyte, which is repeated a hundred times with a few bytes.
        let mut writer = ColumnWriter::default();
        writer.count(101);
        writer.count(0);
        for _ in 0..100 {
            writer.count(1 << 20);
        }
        writer.count(1 << 20);
        for _ in 0..100 {
            writer.count(0);
        }
        writer.raw(&vec![b'a'; 1 << 20]);
        let bytes = writer.finish();
        assert_eq!(all(&bytes), Err(SegmentError::TooLong));
    }
}
