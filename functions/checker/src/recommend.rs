//! What a finished check recommends: the board is filled from the facts of its last days.

mod links;

use domain::check::Check;
use domain::facts::{BadSegment, Family};
use domain::group::{MergedBrands, Names, merged};
use domain::id::EntityId;
use domain::period::Range;
use domain::recommend::{Brands, Facts, Found, Observed, causes, days, outcomes};
use domain::time::Day;
use store::{FactIndex, Slot, StoreError, Tenant};

use crate::{Checker, CheckerError};

/// What adds a sealed segment of a family to the facts.
type Add = fn(&mut Facts, Day, &[u8]) -> Result<(), BadSegment>;

/// The tracking whose board is filled.
#[derive(Clone, Copy)]
struct At<'a> {
    tenant: &'a Tenant,
    id: &'a EntityId,
}

impl Checker {
    /// Fills the board with what the tracking's own facts of the last days say; a mention of any member of its group
    /// counts. They are written before, and the days hang on the check, not on the clock. A cause that a complete
    /// check does not find is gone.
    pub(crate) async fn recommend(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        check: &Check,
        is_complete: bool,
    ) -> Result<(), CheckerError> {
        let (store, at) = (&self.store, At { tenant, id });
        let (entities, groups, known, prompts, board) = tokio::try_join!(
            store.entities(tenant),
            store.groups(tenant),
            store.brands(tenant),
            store.prompts(tenant, id),
            store.board(tenant, id),
        )?;
        let Some(entity) = entities.iter().find(|entity| entity.id == *id).cloned() else {
            return Ok(());
        };
        let range = days(&board.actionables, check.day());
        let index = store.fact_index(tenant, id, &range, true).await?;
        let rows = MergedBrands::of_tracking(id, &groups, &known);
        let facts = self.facts(at, &index, check.day(), &rows).await?;
        let brands = Brands {
            own: merged(&entity, &groups, &known).brands,
            names: Names::new(Names::oldest(entities), &rows),
            merged: rows,
            known,
        };
        let observed = Observed {
            entity: &entity,
            prompts: &prompts,
            catalogue: &self.catalogue,
            brands: &brands,
            facts: &facts,
            day: check.day(),
        };
        let mut found = Found {
            causes: causes(&observed),
            is_complete,
            outcomes: outcomes(&observed, &board.actionables),
        };
        self.add_urls(at, &index, check.day(), &board, &mut found).await?;
        let refill = store.refill_board(tenant, id, check.check, &found).await?;
        let (created, changed) = (refill.created.len(), refill.changed.len());
        tracing::debug!(created, changed, "the board is filled");
        Ok(())
    }

    /// The facts that the index names; of web searches only the latest.
    async fn facts(
        &self,
        at: At<'_>,
        index: &FactIndex,
        today: Day,
        rows: &[MergedBrands],
    ) -> Result<Facts, CheckerError> {
        let recent = Range::recent(today);
        let is_recent = |(day, _): Slot| recent.contains(day);
        let (visibility, citations, fanouts) = tokio::try_join!(
            self.segments(at, index, Family::Visibility, |_| true),
            self.segments(at, index, Family::Citations, |_| true),
            self.segments(at, index, Family::Fanouts, is_recent),
        )?;
        let mut facts = Facts::new(rows);
        let families: [(_, Add); 3] = [
            (visibility, Facts::add_visibility),
            (citations, Facts::add_citations),
            (fanouts, Facts::add_fanouts),
        ];
        for (segments, add) in families {
            for ((day, _), sealed) in segments {
                add(&mut facts, day, &sealed).map_err(|e| CheckerError::Facts(e.to_string()))?;
            }
        }
        Ok(facts)
    }

    async fn segments(
        &self,
        At { tenant, id }: At<'_>,
        index: &FactIndex,
        family: Family,
        is_wanted: impl Fn(Slot) -> bool,
    ) -> Result<Vec<(Slot, Vec<u8>)>, StoreError> {
        let named = index.of(family)?;
        let segments = self.store.segments(tenant, id, family, &named, is_wanted, false);
        segments.await
    }
}
