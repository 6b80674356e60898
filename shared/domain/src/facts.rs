//! Facts: what analytics read. The responses of a check are encoded as immutable segments, one per family and
//! check.
//!
//! - [`codec`] defines how values become bytes. It knows no family.
//! - [`families`] defines the rows of each family, and how they are encoded and decoded.
//! - [`figures`] computes the figures of analytics from decoded segments: trends, rankings, mentions and
//!   searches.

pub mod codec;
pub mod families;
pub mod figures;
#[cfg(test)]
mod stored_bytes;
#[cfg(test)]
pub(crate) mod test_data;

pub use codec::{
    Cell, OrdinalSet, ParseRevisionError, Revision, SegmentError, Selection, StringId, StringInterner,
};
pub use families::Family;
