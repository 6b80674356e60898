//! The frame around a segment's columns: which family and version it is, compressed, with a checksum.
//!
//! ```text
//! version 1 byte · family 1 byte · method 1 byte · payload length varint · body · CRC-32 of all before it
//! ```
//! Families, versions and methods keep their numbers for ever: segments are read for 400 days.

use std::cell::RefCell;

use thiserror::Error;
use zstd::bulk::Decompressor;

use super::column::{Reader, Writer};

/// The layout that is written. A changed layout of any family's columns takes the next number.
const VERSION: u8 = 1;
/// The body is the payload itself, or one zstd frame.
const PLAIN: u8 = 0;
const ZSTD: u8 = 1;
/// As small as the highest levels make segments of up to 10 KB, in a fraction of their time.
const LEVEL: i32 = 12;
const CRC_BYTES: usize = 4;

/// A payload's most bytes: far above any segment's, far below what a function's memory holds.
pub const MAX_PAYLOAD_BYTES: usize = 64 * 1024 * 1024;
/// A part's most bytes: what one item holds beside its keys.
pub const PART_BYTES: usize = 350_000;

/// What a segment's facts are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Prompt × model: state, brands mentioned and their order.
    Visibility,
    /// Cited domains.
    Citations,
    /// Cited URLs, by domain.
    Links,
    /// Web searches.
    Fanouts,
    /// Responses as a listing shows them.
    Responses,
}

impl Family {
    pub const ALL: [Self; 5] = [
        Self::Visibility,
        Self::Citations,
        Self::Links,
        Self::Fanouts,
        Self::Responses,
    ];

    /// The name in keys.
    pub fn name(self) -> &'static str {
        match self {
            Self::Visibility => "visibility",
            Self::Citations => "citations",
            Self::Links => "links",
            Self::Fanouts => "fanouts",
            Self::Responses => "responses",
        }
    }

    /// The family of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.name() == name)
    }

    /// The letter in an index.
    pub fn letter(self) -> char {
        match self {
            Self::Visibility => 'v',
            Self::Citations => 'c',
            Self::Links => 'l',
            Self::Fanouts => 'f',
            Self::Responses => 'r',
        }
    }

    /// The family of that letter.
    pub fn of_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.letter() == letter)
    }

    fn byte(self) -> u8 {
        match self {
            Self::Visibility => 1,
            Self::Citations => 2,
            Self::Links => 3,
            Self::Fanouts => 4,
            Self::Responses => 5,
        }
    }
}

/// A segment that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BadSegment {
    #[error("the segment is damaged")]
    Damaged,
    #[error("the segment has the unknown version {0}")]
    Version(u8),
    #[error("the segment belongs to another family")]
    Family,
    #[error("the segment is longer than any segment may be")]
    TooLong,
    #[error("the segment's columns are not those of its family")]
    Columns,
}

/// Frames a payload of at most [`MAX_PAYLOAD_BYTES`] bytes. The same payload gives the same bytes.
pub fn seal(family: Family, payload: &[u8]) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.byte(VERSION);
    writer.byte(family.byte());
    match zstd::bulk::compress(payload, LEVEL) {
        Ok(body) if body.len() < payload.len() => {
            writer.byte(ZSTD);
            writer.count(payload.len());
            writer.raw(&body);
        }
        _ => {
            writer.byte(PLAIN);
            writer.count(payload.len());
            writer.raw(payload);
        }
    }
    let mut sealed = writer.finish();
    sealed.extend(crc32fast::hash(&sealed).to_le_bytes());
    sealed
}

/// The payload of a sealed segment of that family.
pub fn open(family: Family, sealed: &[u8]) -> Result<Vec<u8>, BadSegment> {
    let (framed, crc) = sealed
        .split_last_chunk::<CRC_BYTES>()
        .ok_or(BadSegment::Damaged)?;
    if crc32fast::hash(framed).to_le_bytes() != *crc {
        return Err(BadSegment::Damaged);
    }
    let mut reader = Reader::new(framed);
    match reader.byte().map_err(|_| BadSegment::Damaged)? {
        VERSION => {}
        other => return Err(BadSegment::Version(other)),
    }
    if reader.byte().map_err(|_| BadSegment::Damaged)? != family.byte() {
        return Err(BadSegment::Family);
    }
    let method = reader.byte().map_err(|_| BadSegment::Damaged)?;
    let length = reader.varint().map_err(|_| BadSegment::Damaged)?;
    let length = usize::try_from(length)
        .ok()
        .filter(|length| *length <= MAX_PAYLOAD_BYTES)
        .ok_or(BadSegment::TooLong)?;
    let body = reader.raw(reader.left()).map_err(|_| BadSegment::Damaged)?;
    let payload = match method {
        PLAIN => body.to_vec(),
        ZSTD => decompress(body, length)?,
        _ => return Err(BadSegment::Damaged),
    };
    if payload.len() == length {
        Ok(payload)
    } else {
        Err(BadSegment::Damaged)
    }
}

/// Writes no more than `length` bytes, whatever the body says.
fn decompress(body: &[u8], length: usize) -> Result<Vec<u8>, BadSegment> {
    thread_local! {
        // Making one takes longer than a day's segment does.
        static DECOMPRESSOR: RefCell<Decompressor<'static>> = RefCell::default();
    }
    DECOMPRESSOR
        .with_borrow_mut(|decompressor| decompressor.decompress(body, length))
        .map_err(|_| BadSegment::Damaged)
}

/// A sealed segment in parts that fit an item, in order.
pub fn parts(sealed: &[u8]) -> impl ExactSizeIterator<Item = &[u8]> {
    sealed.chunks(PART_BYTES)
}

/// The sealed segment of all its parts, in order. A missing part shows when the segment is opened.
pub fn join<P: AsRef<[u8]>>(parts: impl IntoIterator<Item = P>) -> Vec<u8> {
    let mut sealed = Vec::new();
    for part in parts {
        sealed.extend_from_slice(part.as_ref());
    }
    sealed
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Makes a frame of any content carry the right checksum.
    fn signed(framed: &[u8]) -> Vec<u8> {
        [framed, &crc32fast::hash(framed).to_le_bytes()].concat()
    }

    fn framed(version: u8, family: u8, method: u8, length: u64, body: &[u8]) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.raw(&[version, family, method]);
        writer.varint(length);
        writer.raw(body);
        signed(&writer.finish())
    }

    proptest! {
        #[test]
        fn a_sealed_payload_opens_as_it_was(payload in vec(any::<u8>(), 0..300), times in 1usize..20) {
            let payload = payload.repeat(times);
            for family in Family::ALL {
                let sealed = seal(family, &payload);
                prop_assert_eq!(seal(family, &payload), sealed.clone());
                prop_assert_eq!(open(family, &sealed), Ok(payload.clone()));
            }
        }

        #[test]
        fn a_changed_bit_or_a_lost_end_is_an_error(
            payload in vec(0u8..4, 0..200), at in any::<prop::sample::Index>(), bit in 0u8..8,
        ) {
            let sealed = seal(Family::Links, &payload);
            let at = at.index(sealed.len());
            prop_assert!(open(Family::Links, &sealed[..at]).is_err());
            let mut changed = sealed;
            changed[at] ^= 1 << bit;
            prop_assert!(open(Family::Links, &changed).is_err());
        }

        #[test]
        fn no_bytes_make_opening_panic(bytes in vec(any::<u8>(), 0..80), method in 0u8..3, length in 0u64..200) {
            let _ = open(Family::Fanouts, &bytes);
            let _ = open(Family::Fanouts, &signed(&bytes));
            let _ = open(Family::Fanouts, &framed(VERSION, 4, method, length, &bytes));
        }

        #[test]
        fn parts_fit_an_item_and_join_again(length in 0usize..1_200_000) {
            let sealed: Vec<u8> = (0..length).map(|i| i.to_le_bytes()[0]).collect();
            prop_assert_eq!(parts(&sealed).len(), length.div_ceil(PART_BYTES));
            prop_assert!(parts(&sealed).all(|part| part.len() <= PART_BYTES));
            prop_assert_eq!(join(parts(&sealed)), sealed);
        }
    }

    #[test]
    fn a_foreign_segment_is_told_from_a_damaged_one() {
        let sealed = seal(Family::Links, b"columns");
        assert_eq!(open(Family::Citations, &sealed), Err(BadSegment::Family));
        assert_eq!(
            open(Family::Links, &framed(9, 3, PLAIN, 0, b"")),
            Err(BadSegment::Version(9))
        );
        assert_eq!(
            open(Family::Links, &framed(VERSION, 3, 9, 0, b"")),
            Err(BadSegment::Damaged)
        );
        assert_eq!(open(Family::Links, &[]), Err(BadSegment::Damaged));
    }

    #[test]
    fn a_length_above_the_most_is_refused_before_anything_is_allocated() {
        for length in [MAX_PAYLOAD_BYTES as u64 + 1, u64::MAX] {
            let sealed = framed(VERSION, 1, ZSTD, length, b"");
            assert_eq!(open(Family::Visibility, &sealed), Err(BadSegment::TooLong));
        }
    }

    #[test]
    fn a_body_of_another_length_than_it_claims_is_damaged() {
        let body = zstd::bulk::compress(&[0; 1_000_000], 3).unwrap();
        for length in [0, 10, 999_999, 1_000_001] {
            let sealed = framed(VERSION, 1, ZSTD, length, &body);
            assert_eq!(open(Family::Visibility, &sealed), Err(BadSegment::Damaged));
        }
        let sealed = framed(VERSION, 1, ZSTD, 1_000_000, &body);
        assert_eq!(open(Family::Visibility, &sealed).map(|p| p.len()), Ok(1_000_000));
        let sealed = framed(VERSION, 1, PLAIN, 2, b"one");
        assert_eq!(open(Family::Visibility, &sealed), Err(BadSegment::Damaged));
    }

    #[test]
    fn families_have_names_and_numbers_of_their_own() {
        for family in Family::ALL {
            assert_eq!(Family::of_name(family.name()), Some(family));
            assert_eq!(Family::of_letter(family.letter()), Some(family));
        }
        assert_eq!(Family::of_name("Visibility"), None);
        assert_eq!(Family::ALL.map(Family::byte), [1, 2, 3, 4, 5]);
    }
}
