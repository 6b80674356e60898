//! The merged segments of a month, as the attribute `merged` of its index names them.
//!
//! Each family is `<family's letter><rev>.<parts>.<kb>=<digest>`; spaces separate them. The digest is that of the entries' segments of
//! the family when they were merged. Once an entry names another segment, the digests differ and the merged segment does not count
//! any more, so that whoever writes an entry needs to know nothing of merged segments.

use std::collections::BTreeMap;

use domain::facts::{Family, Revision};

use super::index_entry::{parse_segment, parts};
use super::segment_ref::SegmentRef;

/// The segments of one family of a month's checks, merged into one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MergedSegment {
    pub(super) segment: SegmentRef,
    /// The digest of the segments that were merged.
    pub(super) of: Revision,
}

/// Encodes the merged segments of a month.
pub(super) fn format_merged(merged: &BTreeMap<Family, MergedSegment>) -> String {
    let texts = merged
        .iter()
        .map(|(family, merged)| format!("{}{}={}", family.letter(), merged.segment, merged.of));
    texts.collect::<Vec<_>>().join(" ")
}

/// Decodes the merged segments of a month. What cannot be read counts as not merged, because the segments of the checks are there.
pub(super) fn parse_merged(text: &str) -> BTreeMap<Family, MergedSegment> {
    let parse = |part: &str| {
        let (segment, of) = part.split_once('=')?;
        let (family, segment) = parse_segment(segment)?;
        let of = of.parse().ok()?;
        Some((family, MergedSegment { segment, of }))
    };
    parts(text).filter_map(parse).collect()
}

/// The names of a month's entries with their texts, from which the digests are computed.
#[derive(Debug, Clone, Default)]
pub(super) struct EntryLines(String);

impl EntryLines {
    /// Adds an entry. The order of the entries does not matter.
    pub(super) fn push(&mut self, name: &str, text: &str) {
        self.0.extend([name, " ", text, "\n"]);
    }

    /// Returns the digest of a family's segments, or `None` if it has none.
    pub(super) fn digest(&self, family: Family) -> Option<Revision> {
        let mut segments: Vec<(&str, &str)> = Vec::new();
        for line in self.0.lines() {
            let mut parts = parts(line);
            let name = parts.next().unwrap_or_default();
            let of_family = parts.filter(|segment| segment.starts_with(family.letter()));
            segments.extend(of_family.map(|segment| (name, segment)));
        }
        segments.sort_unstable();
        let mut digested = String::with_capacity(self.0.len());
        for (name, segment) in &segments {
            digested.extend([name, " ", segment, "\n"]);
        }
        (!segments.is_empty()).then(|| Revision::of(digested.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged() -> BTreeMap<Family, MergedSegment> {
        let merged = |rev: &str| MergedSegment {
            segment: SegmentRef {
                rev: rev.parse().unwrap(),
                parts: 2,
                kb: 600,
            },
            of: "0123456789ff".parse().unwrap(),
        };
        [
            (Family::Visibility, merged("0123456789aa")),
            (Family::Fanouts, merged("0123456789ab")),
        ]
        .into()
    }

    #[test]
    fn merged_segments_read_back_and_what_is_unreadable_is_not_merged() {
        let text = format_merged(&merged());
        assert_eq!(
            text,
            "v0123456789aa.2.600=0123456789ff f0123456789ab.2.600=0123456789ff"
        );
        assert_eq!(parse_merged(&text), merged());
        assert_eq!(
            parse_merged(&format!("{text} x1 v=1 c0123456789ab.1.1=x ")),
            merged()
        );
        assert_eq!(parse_merged(""), BTreeMap::new());
    }

    #[test]
    fn a_digest_depends_on_the_segments_of_its_family_alone() {
        let families = [Family::Visibility, Family::Citations, Family::Fanouts];
        let digests = |entries: [(&str, &str); 2]| {
            let mut lines = EntryLines::default();
            for (name, text) in entries {
                lines.push(name, text);
            }
            assert_eq!(lines.digest(Family::Links), None);
            families.map(|family| lines.digest(family).unwrap())
        };
        let before = digests([("d1c1", "v1 c1 @l"), ("d2c2", "v2 f2")]);
        let same = digests([("d2c2", "v2 f2 ! ~"), ("d1c1", "v1 c1 @other")]);
        assert_eq!(before, same);
        for other in [
            [("d1c1", "v9 c1"), ("d2c2", "v2 f2")],
            [("d1c1", "v2 c1"), ("d2c2", "v1 f2")],
            [("d1c1", "c1"), ("d2c2", "v2 f2")],
        ] {
            let after = digests(other);
            assert_ne!(before[0], after[0]);
            assert_eq!(before[1..], after[1..]);
        }
    }
}
