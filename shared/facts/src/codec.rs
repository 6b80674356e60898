//! The encoding of segments as columns of numbers and texts in a compressed frame, independently of the
//! families.
//!
//! A segment holds the facts of one check and one family. It is written once, never changes and is read for
//! 400 days, so its layout must not change either. The frame has a version for new layouts.
//!
//! ```text
//! segment   version 1 byte · family 1 byte · compression 1 byte · length of the columns varint · body
//!           · CRC-32
//! body      the columns, uncompressed or as one zstd frame
//! columns   the cell index, then the columns of the family
//! ```
//!
//! Each module documents the layout of one kind of column:
//!
//! - `columns`: Integers as varints (7 bits per byte, lowest first), signed integers in zigzag, texts with
//!   their length in bytes, lists of texts as all lengths and then all texts, sets of ordinals as gaps.
//! - `cell_index`: The prompts and models that a segment has a row for.
//! - `timestamps`: Timestamps in milliseconds since 1970, split into byte planes.
//!
//! Decoding never panics and never allocates more than a small multiple of [`MAX_PAYLOAD_BYTES`]. Bytes that
//! are no segment are a [`SegmentError`].

mod cell_index;
mod columns;
mod error;
mod frame;
mod string_interner;
mod text_list;
mod timestamps;

pub use cell_index::{CellIndex, Selection};
pub use columns::{ColumnReader, ColumnWriter};
pub use error::SegmentError;
pub use frame::{MAX_PAYLOAD_BYTES, decode_segment, encode_segment};
pub use string_interner::{StringId, StringInterner};
pub use text_list::TextList;

pub(crate) use timestamps::{read_timestamps, write_timestamps};
