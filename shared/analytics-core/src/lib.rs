//! The common parts of the analytics endpoints: their parameters, the scope of a request, and the cache of
//! segments.
#![forbid(unsafe_code)]

mod bounded_join;
mod counted_entity;
mod fact_reader;
mod facts;
mod filters;
mod names;
mod request;
mod scope;
mod segment_cache;
mod state;
mod workspace_scope;

pub use bounded_join::try_join_bounded;
pub use counted_entity::CountedEntity;
pub use facts::{EntitySegment, Facts};
pub use filters::Filters;
pub use names::tracked_brands;
pub use request::AnalyticsRequest;
pub use scope::Scope;
pub use state::AnalyticsState;
pub use workspace_scope::{EntityScope, WorkspaceEntities, WorkspaceScope};
