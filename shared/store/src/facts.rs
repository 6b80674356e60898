//! Fact segments and their index.

mod index;
mod read;
mod write;

use domain::limits::FACT_RETENTION;
use domain::time::{Day, Timestamp};

pub use index::{CheckSegments, FactIndex, SegmentRef};

/// The attribute that holds a part's bytes.
const BYTES: &str = "bytes";
/// On a bucket's first part, where it has more than one: how many.
const PARTS: &str = "parts";

/// The check that a segment is of, and its day.
pub type Slot = (Day, u32);

fn segment_expiry(day: Day) -> Timestamp {
    day.start() + FACT_RETENTION
}
