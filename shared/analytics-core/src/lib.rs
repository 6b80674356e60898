//! What the endpoints that read facts share: their filters, what counts as the entity that is asked about, and the
//! decoded segments that an instance keeps.
#![forbid(unsafe_code)]

mod cache;
mod filters;
mod names;
mod scope;
mod shelf;
mod state;

pub use cache::CachedSegment;
pub use filters::Filters;
pub use names::trackings;
pub use scope::{CountedEntity, Scope};
pub use shelf::DecodedSegment;
pub use state::AnalyticsState;
