//! The families of facts as the cache keeps them.

use domain::facts::families::{Citations, Fanouts, Links, Responses, Visibility};
use domain::facts::{Family, SegmentError, StringInterner};

/// A decoded segment of one family.
pub trait DecodedSegment: Sized + Send + 'static {
    const FAMILY: Family;

    /// Decodes a sealed segment. Its texts are added to `texts`, and the segment refers to them by number.
    fn decode(sealed: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError>;

    /// The approximate memory of the segment, in bytes.
    fn bytes(&self) -> usize;
}

impl DecodedSegment for Visibility {
    const FAMILY: Family = Family::Visibility;

    fn decode(sealed: &[u8], _: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(sealed)
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl DecodedSegment for Citations {
    const FAMILY: Family = Family::Citations;

    fn decode(sealed: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(sealed, texts)
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

/// Decoded this way, a segment has no URLs: [`Scope::links`](crate::Scope::links) decodes those of some domains.
impl DecodedSegment for Links {
    const FAMILY: Family = Family::Links;

    fn decode(sealed: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(sealed, &[], texts)
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl DecodedSegment for Fanouts {
    const FAMILY: Family = Family::Fanouts;

    fn decode(sealed: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(sealed, texts)
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl DecodedSegment for Responses {
    const FAMILY: Family = Family::Responses;

    fn decode(sealed: &[u8], _: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(sealed)
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }
}
