//! Reads the facts that recommendations are computed from.

use domain::check_key::CheckKey;
use domain::facts::{Family, SegmentError};
use domain::group::ResolvedGroup;
use domain::id::EntityId;
use domain::period::DateRange;
use domain::recommend::EntityFacts;
use domain::time::Day;
use store::{FactIndex, StoreError, Tenant};

use crate::{Checker, CheckerError};

/// A function that decodes a segment and adds it to the facts of its day.
type AddSegment = fn(&mut EntityFacts, Day, &[u8]) -> Result<(), SegmentError>;

impl Checker {
    /// Reads the segments that the index lists. Query fanouts are read for the latest days only.
    pub(super) async fn facts(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        index: &FactIndex,
        today: Day,
        groups: &[ResolvedGroup],
    ) -> Result<EntityFacts, CheckerError> {
        let recent = DateRange::recent(today);
        let is_recent = |check: CheckKey| recent.contains(check.day);
        let (visibility, citations, fanouts) = tokio::try_join!(
            self.segments(tenant, id, index, Family::Visibility, |_| true),
            self.segments(tenant, id, index, Family::Citations, |_| true),
            self.segments(tenant, id, index, Family::Fanouts, is_recent),
        )?;
        let mut facts = EntityFacts::new(groups);
        let families: [(_, AddSegment); 3] = [
            (visibility, EntityFacts::add_visibility),
            (citations, EntityFacts::add_citations),
            (fanouts, EntityFacts::add_fanouts),
        ];
        for (segments, add) in families {
            for (check, encoded) in segments {
                add(&mut facts, check.day, &encoded).map_err(|e| CheckerError::Facts(e.to_string()))?;
            }
        }
        Ok(facts)
    }

    /// Reads the segments of a family that the index lists and `is_wanted` selects.
    pub(crate) async fn segments(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        index: &FactIndex,
        family: Family,
        is_wanted: impl Fn(CheckKey) -> bool,
    ) -> Result<Vec<(CheckKey, Vec<u8>)>, StoreError> {
        let indexed = index.segments_of(family)?;
        let segments = self
            .store
            .segments(tenant, id, family, &indexed, is_wanted, false);
        segments.await
    }
}
