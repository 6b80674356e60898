//! Sorted texts, each without what it has in common with the beginning of the one before it.
//!
//! ```text
//! count
//! shared    one varint per text: bytes in common with the text before it, whole characters
//! own       one varint per text: bytes after those
//! bytes     the own bytes of all texts
//! ```

use crate::facts::column::{Reader, Writer};
use crate::facts::frame::{BadSegment, MAX_PAYLOAD_BYTES};

/// Writes texts in the order given; sorted ones have the most in common.
pub(super) fn write(texts: &[&str], writer: &mut Writer) {
    let shared: Vec<usize> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| {
            let before = index.checked_sub(1).and_then(|before| texts.get(before));
            before.map_or(0, |before| in_common(before, text))
        })
        .collect();
    writer.count(texts.len());
    for shared in &shared {
        writer.count(*shared);
    }
    for (text, shared) in texts.iter().zip(&shared) {
        writer.count(text.len() - shared);
    }
    for (text, shared) in texts.iter().zip(&shared) {
        writer.raw(&text.as_bytes()[*shared..]);
    }
}

fn in_common(a: &str, b: &str) -> usize {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    b.floor_char_boundary(same)
}

/// Texts, one after the other.
#[derive(Debug)]
pub(super) struct Dictionary {
    all: String,
    /// Where each ends in `all`.
    ends: Vec<usize>,
}

impl Dictionary {
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let spans = starts.zip(&self.ends);
        spans.map(|(start, end)| self.all.get(start..*end).unwrap_or_default())
    }
}

/// Reads the texts. Together they have at most [`MAX_PAYLOAD_BYTES`] bytes: what texts share must not make a small
/// segment a big one.
pub(super) fn read(reader: &mut Reader<'_>) -> Result<Dictionary, BadSegment> {
    let count = reader.count()?;
    let lengths = |reader: &mut Reader<'_>| -> Result<Vec<usize>, BadSegment> {
        let mut lengths = Vec::with_capacity(count);
        for _ in 0..count {
            lengths.push(usize::try_from(reader.varint()?).map_err(|_| BadSegment::Columns)?);
        }
        Ok(lengths)
    };
    let shared = lengths(reader)?;
    let own = lengths(reader)?;
    let bytes = own.iter().fold(0usize, |sum, own| sum.saturating_add(*own));
    let mut bytes = std::str::from_utf8(reader.raw(bytes)?).map_err(|_| BadSegment::Columns)?;

    let mut dictionary = Dictionary {
        all: String::with_capacity(bytes.len()),
        ends: Vec::with_capacity(count),
    };
    let mut text = String::new();
    for (shared, own) in shared.into_iter().zip(own) {
        if !text.is_char_boundary(shared) {
            return Err(BadSegment::Columns);
        }
        let (own, rest) = bytes.split_at_checked(own).ok_or(BadSegment::Columns)?;
        text.truncate(shared);
        text.push_str(own);
        bytes = rest;
        if text.len() > MAX_PAYLOAD_BYTES - dictionary.all.len() {
            return Err(BadSegment::TooLong);
        }
        dictionary.all.push_str(&text);
        dictionary.ends.push(dictionary.all.len());
    }
    Ok(dictionary)
}

#[cfg(test)]
mod tests {
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    fn written(texts: &[&str]) -> Vec<u8> {
        let mut writer = Writer::default();
        write(texts, &mut writer);
        writer.finish()
    }

    fn all(bytes: &[u8]) -> Result<Vec<String>, BadSegment> {
        let mut reader = Reader::new(bytes);
        let texts = read(&mut reader)?.iter().map(str::to_owned).collect();
        reader.end()?;
        Ok(texts)
    }

    proptest! {
        #[test]
        fn texts_read_back_as_they_were_written(texts in btree_set("[aé字🦀]{0,5}", 0..40)) {
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
    fn what_texts_share_is_written_once() {
        let long = "q".repeat(4_000);
        let texts = [long.clone() + "a", long.clone() + "b", long + "ü"];
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert!(written(&texts).len() < 4_030);
        assert_eq!(all(&written(&texts)).unwrap(), texts);
    }

    #[test]
    fn a_character_is_not_cut_in_two() {
        // "é" and "è" share their first byte: the second text claims it of the first.
        let cut = [2, 0, 1, 2, 1, 0xc3, 0xa9, 0xa8];
        assert_eq!(all(&cut), Err(BadSegment::Columns));
        assert_eq!(all(&written(&["è", "é"])).unwrap(), ["è", "é"]);
    }

    #[test]
    fn texts_that_claim_more_than_there_is_are_refused() {
        assert_eq!(all(&[1, 1, 1, b'a']), Err(BadSegment::Columns));
        assert_eq!(all(&[1, 0, 2, b'a']), Err(BadSegment::Columns));
        assert_eq!(all(&[2, 0, 2, 1, 1, b'a', b'b']), Err(BadSegment::Columns));
    }

    #[test]
    fn a_small_segment_does_not_become_a_big_one() {
        // A text of a megabyte, repeated by a few bytes a hundred times.
        let mut writer = Writer::default();
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
        assert_eq!(all(&bytes), Err(BadSegment::TooLong));
    }
}
