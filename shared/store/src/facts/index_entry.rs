//! The entries of an index: the segments of one check, as a short text.

use std::collections::BTreeMap;

use domain::family::Family;
use domain::reading::Reading;

use super::FactsKind;
use super::segment_ref::SegmentRef;

/// The first character of the part of an entry that is the reading.
const READING: char = '@';
/// The part of an entry whose responses are being rewritten.
const REWRITTEN: &str = "!";
/// The part of an entry whose check still runs.
const INTERIM: &str = "~";

/// The segments of one check, by family.
pub type CheckSegments = BTreeMap<Family, SegmentRef>;

/// The index entry of one check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IndexEntry {
    pub segments: CheckSegments,
    /// How the answers of the check were read. `None` if they were read differently, or before readings were
    /// recorded.
    pub reading: Option<Reading>,
    /// Whether the responses of the check are being rewritten, so that some of them can have been read
    /// otherwise.
    pub is_being_rewritten: bool,
    /// Whether the check still runs, so that the segments are those of its answers so far.
    pub is_interim: bool,
}

impl IndexEntry {
    /// Returns whether all responses of the check were read like this.
    pub fn has_reading(&self, reading: Reading) -> bool {
        self.reading == Some(reading) && !self.is_being_rewritten
    }

    /// Returns which answers of the check the segments were computed from.
    pub fn kind(&self) -> FactsKind {
        if self.is_interim {
            FactsKind::Interim
        } else {
            FactsKind::Final
        }
    }
}

/// Encodes an entry. Each family is `<family's letter><rev>.<buckets>.<kb>`, the reading is `@<reading>`, `!`
/// says that the responses are being rewritten, and `~` that the check still runs. Spaces separate them.
pub(super) fn format_entry(entry: &IndexEntry) -> String {
    let format_segment = |(family, segment): (&Family, &SegmentRef)| format!("{}{segment}", family.letter());
    let segments = entry.segments.iter().map(format_segment);
    let reading = entry.reading.map(|reading| format!("{READING}{reading}"));
    let rewritten = entry.is_being_rewritten.then(|| REWRITTEN.to_owned());
    let interim = entry.is_interim.then(|| INTERIM.to_owned());
    segments
        .chain(reading)
        .chain(rewritten)
        .chain(interim)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the parts of an entry.
pub(super) fn parts(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split_ascii_whitespace()
}

pub(super) fn parse_entry(text: &str) -> Option<IndexEntry> {
    let mut entry = IndexEntry::default();
    for part in parts(text) {
        if part == REWRITTEN {
            entry.is_being_rewritten = true;
        } else if part == INTERIM {
            entry.is_interim = true;
        } else if part.starts_with(READING) {
            entry.reading = Some(parse_reading(part)?);
        } else {
            let (family, segment) = parse_segment(part)?;
            entry.segments.insert(family, segment);
        }
    }
    Some(entry)
}

/// Returns which answers of a check the segments of its entry were computed from.
pub(super) fn kind_of(text: &str) -> FactsKind {
    // Few entries are interim, and a text is searched faster than split.
    if text.contains(INTERIM) && parts(text).any(|part| part == INTERIM) {
        FactsKind::Interim
    } else {
        FactsKind::Final
    }
}

pub(super) fn parse_reading(text: &str) -> Option<Reading> {
    text.strip_prefix(READING)?.parse().ok()
}

pub(super) fn parse_segment(text: &str) -> Option<(Family, SegmentRef)> {
    let mut characters = text.chars();
    let family = Family::from_letter(characters.next()?)?;
    Some((family, characters.as_str().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_reads_back_and_is_short() {
        let segment = |buckets, kb| SegmentRef {
            rev: "0123456789ab".parse().unwrap(),
            buckets,
            kb,
        };
        let all = IndexEntry {
            segments: Family::ALL.map(|family| (family, segment(1, 350))).into(),
            reading: Some("0123456789ac".parse().unwrap()),
            is_being_rewritten: true,
            is_interim: true,
        };
        let written = format_entry(&all);
        assert_eq!(parse_entry(&written), Some(all));
        assert!(written.len() <= 128, "{written}");
        let mut one = IndexEntry {
            segments: CheckSegments::from([(Family::Links, segment(16, 0))]),
            reading: None,
            is_being_rewritten: false,
            is_interim: false,
        };
        assert_eq!(format_entry(&one), "l0123456789ab.16.0");
        assert_eq!(parse_entry(&format_entry(&one)), Some(one.clone()));
        one.reading = Some("0123456789ac".parse().unwrap());
        assert_eq!(format_entry(&one), "l0123456789ab.16.0 @0123456789ac");
        assert_eq!(parse_entry(""), Some(IndexEntry::default()));
        let bad = [
            "x0123456789ab.1.1",
            "v0123.1.1",
            "v0123456789ab.1",
            "v",
            "v0123456789ab.1.x",
            "@",
            "@0123456789a",
            "v0123456789ab.1.1 @0123456789AB",
        ];
        for bad in bad {
            assert_eq!(parse_entry(bad), None, "{bad}");
        }
    }
}
