//! The common parts of the analytics endpoints: their parameters, the scope of a request, and the cache of decoded
//! segments.
#![forbid(unsafe_code)]

mod cached_facts;
mod cached_segment;
mod counted_entity;
mod fact_cache;
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

pub use cached_segment::CachedSegment;
pub use counted_entity::CountedEntity;
pub use filters::Filters;
pub use names::tracked_brands;
pub use request::AnalyticsRequest;
pub use scope::Scope;
pub use state::AnalyticsState;
