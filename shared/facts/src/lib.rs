//! Facts: what analytics read. The responses of a check are encoded as immutable segments, one per family and
//! check.
//!
//! - [`codec`] defines how values become bytes. It knows no family.
//! - [`families`] defines the rows of each family, and how they are encoded and decoded.
//! - [`CountedEntity`] and [`FactReader`] read the segments of entities, of which an instance keeps some.
//! - [`figures`] computes the figures of analytics from decoded segments: trends, rankings, mentions and
//!   searches.
#![forbid(unsafe_code)]

mod bounded_join;
pub mod codec;
mod counted_entity;
mod fact_reader;
pub mod families;
pub mod figures;
mod segment_cache;
mod selected_facts;
#[cfg(test)]
mod stored_bytes;
#[cfg(test)]
pub(crate) mod test_data;

pub use bounded_join::try_join_bounded;
pub use codec::{SegmentError, Selection, StringId, StringInterner};
pub use counted_entity::{CountedEntity, counted_since};
pub use fact_reader::FactReader;
pub use segment_cache::{SegmentCache, segment_cache};
pub use selected_facts::{SelectedFacts, SelectedSegment};
