//! Fact segments and their index. What the bytes of a segment mean is not known here. What an index entry
//! means is, because segments are read by their revisions, buckets and sizes, and expire by their kind.

mod index;
mod index_entry;
mod month_index;
mod read;
mod segment_ref;
mod write;

use domain::limits::{FACT_RETENTION, INTERIM_FACT_RETENTION};
use domain::time::{Day, Timestamp};

pub use index::FactIndex;
pub use index_entry::{CheckSegments, IndexEntry};
pub use month_index::MonthIndex;
pub use segment_ref::{ParseSegmentError, SegmentRef};

/// The attribute with the bytes of a part.
const BYTES: &str = "bytes";
/// The attribute with the number of parts, on the first part of a bucket that has several.
const PARTS: &str = "parts";

/// Which answers of a check facts were computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactsKind {
    /// The answers that a running check has so far. The final facts of the check replace them.
    Interim,
    /// All answers of a check that has ended.
    Final,
}

impl FactsKind {
    /// Returns when facts of a day expire.
    fn expiry(self, day: Day) -> Timestamp {
        let retention = match self {
            Self::Interim => INTERIM_FACT_RETENTION,
            Self::Final => FACT_RETENTION,
        };
        day.start() + retention
    }
}
