//! The families of facts in the cache.

use domain::facts::families::{Citations, Fanouts, Links, Responses, Visibility};
use domain::facts::{Family, SegmentError, StringInterner};

/// A decoded segment of one family.
pub trait DecodedSegment: Sized + Send + 'static {
    const FAMILY: Family;

    /// Decodes a segment. Its texts are added to `texts`, and the segment refers to them by id.
    fn decode(encoded: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError>;

    /// The approximate memory of the segment, in bytes.
    fn bytes(&self) -> usize;
}

impl DecodedSegment for Visibility {
    const FAMILY: Family = Family::Visibility;

    fn decode(encoded: &[u8], _: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(encoded)
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl DecodedSegment for Citations {
    const FAMILY: Family = Family::Citations;

    fn decode(encoded: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(encoded, texts)
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

/// A segment of links that is decoded by this trait has no URLs. [`Scope::links`](crate::Scope::links) decodes those of some
/// domains.
impl DecodedSegment for Links {
    const FAMILY: Family = Family::Links;

    fn decode(encoded: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(encoded, &[], texts)
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl DecodedSegment for Fanouts {
    const FAMILY: Family = Family::Fanouts;

    fn decode(encoded: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(encoded, texts)
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl DecodedSegment for Responses {
    const FAMILY: Family = Family::Responses;

    fn decode(encoded: &[u8], _: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(encoded)
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }
}
