//! Fact segments and their index.

mod index;
mod read;
mod segment_ref;
mod write;

use domain::limits::FACT_RETENTION;
use domain::time::{Day, Timestamp};

pub use index::{CheckSegments, FactIndex, IndexEntry, MonthIndex};
pub use segment_ref::{ParseSegmentError, SegmentRef};

/// The attribute with the bytes of a part.
const BYTES: &str = "bytes";
/// The attribute with the number of parts, on the first part of a bucket that has several.
const PARTS: &str = "parts";

fn segment_expiry(day: Day) -> Timestamp {
    day.start() + FACT_RETENTION
}
