//! Facts: what analytics read. Immutable, columnar segments, one family of them for each kind of question.

pub mod citations;
pub mod column;
pub mod domains;
#[cfg(test)]
mod fanout_samples;
pub mod fanouts;
pub mod fold;
pub mod frame;
mod front;
mod instants;
pub mod links;
pub mod matrix;
pub mod mentions;
pub mod ordinals;
mod outcomes;
mod postings;
pub mod queries;
pub mod ranking;
pub mod responses;
mod revision;
#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod stored_bytes;
pub mod texts;
pub mod trend;
pub mod visibility;

pub use frame::{BadSegment, Family};
pub use matrix::{Matrix, Selection};
pub use ordinals::Ordinals;
pub use revision::{NotARevision, Revision};
pub use texts::Texts;
