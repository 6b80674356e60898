//! The common parts of the analytics endpoints: their parameters, the scope of a request, and the cache of decoded
//! segments.
#![forbid(unsafe_code)]

mod bounded_join;
mod cached_facts;
mod cached_segment;
mod citations_by_prompt;
mod counted_entity;
mod fact_cache;
mod fact_reader;
mod family_cache;
mod filters;
mod names;
mod needed_segment;
mod query;
mod query_links;
mod request;
mod scope;
mod state;
mod workspace_cache;
mod workspace_scope;

pub use bounded_join::try_join_bounded;
pub use cached_segment::CachedSegment;
pub use counted_entity::CountedEntity;
pub use filters::Filters;
pub use names::tracked_brands;
pub use request::AnalyticsRequest;
pub use scope::Scope;
pub use state::AnalyticsState;
pub use workspace_scope::{EntityScope, WorkspaceEntities, WorkspaceScope};
