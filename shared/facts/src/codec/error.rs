//! The error of segments that cannot be decoded.

use store::StoreError;
use thiserror::Error;

/// The reason why a segment cannot be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SegmentError {
    /// The checksum or the frame is wrong, or bytes are missing.
    #[error("the segment is damaged")]
    Damaged,
    /// The segment was written by another version of the layout.
    #[error("the segment has the unknown version {0}")]
    UnknownVersion(u8),
    #[error("the segment belongs to another family")]
    WrongFamily,
    /// The decoded columns would exceed [`MAX_PAYLOAD_BYTES`](super::MAX_PAYLOAD_BYTES).
    #[error("the segment is longer than any segment may be")]
    TooLong,
    /// The frame is intact, but its columns contradict each other or the layout of the family.
    #[error("the segment's columns are not those of its family")]
    InvalidColumns,
}

impl From<SegmentError> for StoreError {
    fn from(error: SegmentError) -> Self {
        Self::Internal(format!("a segment cannot be decoded: {error}"))
    }
}
