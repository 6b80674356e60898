//! Queries of the facts in a scope.

use api::ApiError;
use domain::facts::StringInterner;
use domain::facts::families::{Citations, Fanouts, Responses, Visibility};
use domain::group::row_domains;

use crate::cached_facts::DecodeSegment;
use crate::cached_segment::CachedSegment;
use crate::fact_reader::FactReader;
use crate::family_cache::FamilyCache;
use crate::scope::Scope;

impl Scope<'_> {
    /// Queries the visibility facts.
    pub async fn query_visibility<R>(
        &self,
        aggregate: impl FnOnce(&[CachedSegment<'_, Visibility>]) -> R,
    ) -> Result<R, ApiError> {
        let aggregate = |_: &StringInterner, segments: &[CachedSegment<'_, Visibility>]| aggregate(segments);
        self.query(&self.cache.visibility, &[], aggregate).await
    }

    /// Queries the cited domains. The domains of the groups' rows have ids even if they are not cited.
    pub async fn query_citations<R>(
        &self,
        aggregate: impl FnOnce(&StringInterner, &[CachedSegment<'_, Citations>]) -> R,
    ) -> Result<R, ApiError> {
        self.query(&self.cache.citations, &row_domains(&self.groups), aggregate)
            .await
    }

    /// Queries the query fanouts.
    pub async fn query_fanouts<R>(
        &self,
        aggregate: impl FnOnce(&StringInterner, &[CachedSegment<'_, Fanouts>]) -> R,
    ) -> Result<R, ApiError> {
        self.query(&self.cache.fanouts, &[], aggregate).await
    }

    /// Queries the listed responses.
    pub async fn query_responses<R>(
        &self,
        aggregate: impl FnOnce(&[CachedSegment<'_, Responses>]) -> R,
    ) -> Result<R, ApiError> {
        let aggregate = |_: &StringInterner, segments: &[CachedSegment<'_, Responses>]| aggregate(segments);
        self.query(&self.cache.responses, &[], aggregate).await
    }

    async fn query<F: DecodeSegment, R>(
        &self,
        cache: &FamilyCache<F>,
        interned: &[&str],
        aggregate: impl FnOnce(&StringInterner, &[CachedSegment<'_, F>]) -> R,
    ) -> Result<R, ApiError> {
        self.reader().query(cache, interned, aggregate).await
    }

    pub(crate) fn reader(&self) -> FactReader<'_> {
        FactReader {
            store: self.store,
            tenant: self.tenant,
            ranges: &self.ranges,
            entities: &self.entities,
        }
    }
}
