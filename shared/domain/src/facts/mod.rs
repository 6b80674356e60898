//! Facts: what analytics read. Immutable, columnar segments, one family of them for each kind of question.

pub mod column;
pub mod frame;
pub mod matrix;
pub mod ordinals;
mod outcomes;
#[cfg(test)]
pub(crate) mod samples;
pub mod texts;
pub mod trend;
pub mod visibility;

pub use frame::{BadSegment, Family};
pub use matrix::{Matrix, Selection};
pub use ordinals::Ordinals;
pub use texts::Texts;
