//! The families of facts in the cache.

use domain::facts::families::{Citations, Fanouts, Links, Responses, Visibility};
use domain::facts::{Family, SegmentError, StringInterner};

/// The decoded facts of one family, as they are cached.
pub(crate) trait CachedFacts: Sized + Send + 'static {
    const FAMILY: Family;

    /// The approximate memory of the facts, in bytes.
    fn bytes(&self) -> usize;
}

/// Facts that are decoded from an entire segment. Links are not: only the URLs of the queried domains are decoded.
pub(crate) trait DecodeSegment: CachedFacts {
    /// Decodes a segment. Its texts are added to `texts`, and the facts refer to them by id.
    fn decode(encoded: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError>;
}

impl CachedFacts for Visibility {
    const FAMILY: Family = Family::Visibility;

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl DecodeSegment for Visibility {
    fn decode(encoded: &[u8], _: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(encoded)
    }
}

impl CachedFacts for Citations {
    const FAMILY: Family = Family::Citations;

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl DecodeSegment for Citations {
    fn decode(encoded: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(encoded, texts)
    }
}

impl CachedFacts for Links {
    const FAMILY: Family = Family::Links;

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl CachedFacts for Fanouts {
    const FAMILY: Family = Family::Fanouts;

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl DecodeSegment for Fanouts {
    fn decode(encoded: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(encoded, texts)
    }
}

impl CachedFacts for Responses {
    const FAMILY: Family = Family::Responses;

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl DecodeSegment for Responses {
    fn decode(encoded: &[u8], _: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(encoded)
    }
}
