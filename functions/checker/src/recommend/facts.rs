//! Reads the facts that recommendations are computed from.

use domain::family::Family;
use domain::group::ResolvedGroup;
use domain::id::EntityId;
use domain::period::DateRange;
use domain::time::Day;
use facts::SegmentError;
use insights::recommend::EntityFacts;
use store::{FactIndex, Tenant};

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
        let visibility = index.segments_of(Family::Visibility)?;
        let citations = index.segments_of(Family::Citations)?;
        let mut fanouts = index.segments_of(Family::Fanouts)?;
        fanouts.retain(|(check, _)| recent.contains(check.day));
        let (visibility, citations, fanouts) = tokio::try_join!(
            self.store.segments(tenant, id, Family::Visibility, &visibility),
            self.store.segments(tenant, id, Family::Citations, &citations),
            self.store.segments(tenant, id, Family::Fanouts, &fanouts),
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
}
