//! A pass over the days of an entity, from the latest to the earliest.

use std::collections::{BTreeMap, BTreeSet};

use domain::check_key::CheckKey;
use domain::entity::Entity;
use domain::number::to_u32;
use domain::reading::Reading;
use domain::time::Day;
use futures::future::try_join_all;
use store::{IndexEntry, RereadingLease, RereadingPass};

use super::check::Rereader;
use super::day::{Budget, DayEnd};
use crate::reading::AnswerReader;
use crate::{Checker, CheckerError};

/// How a step of a pass ends.
pub(super) enum PassEnd {
    /// Every day was read, and the board is up to date.
    Complete,
    /// The step has done what one step may do.
    Unfinished(RereadingPass),
    /// Every day was read, but a check is running, whose finish updates the board as well.
    WaitsForCheck(RereadingPass),
    LeaseLost,
}

impl Checker {
    /// Continues a pass, or starts one if the names or the request have changed.
    pub(super) async fn continue_pass(&self, lease: &RereadingLease) -> Result<PassEnd, CheckerError> {
        let brands = self.store.current_brands(&lease.tenant).await?;
        let rereader = Rereader {
            tenant: &lease.tenant,
            entity: &lease.entity,
            reader: AnswerReader::new(&brands),
            until: lease.until,
            lease: Some(lease),
        };
        let reading = rereader.reader.reading;
        let entries = self.readable_entries(lease).await?;
        let stale = stale_days(&entries, reading);
        let mut pass = pass_of(lease, reading, &stale);
        let mut budget = Budget::new(self.clock.as_ref());
        let latest = pass.next;
        for day in stale.into_iter().rev().filter(|day| *day <= latest) {
            if day < pass.next {
                pass.prepared.clear();
                pass.next = day;
            }
            match self.reread_day(lease, &rereader, &mut pass, &mut budget).await? {
                DayEnd::Read => {}
                DayEnd::NotReadable => {
                    tracing::info!(%day, "a day has answers that cannot be read again and is not switched");
                }
                DayEnd::BudgetSpent => return Ok(PassEnd::Unfinished(pass)),
                DayEnd::LeaseLost => return Ok(PassEnd::LeaseLost),
            }
            pass.prepared.clear();
            pass.next = day.plus_days(-1);
            pass.done += 1;
        }
        tracing::info!(day.count = pass.done, "the answers of an entity are read again");
        match self.store.entity(&lease.tenant, &lease.entity).await? {
            // What a finish that runs now writes to the board can be outdated already.
            Some(entity) if entity.running.is_some() && entity.last_check.is_some() => {
                Ok(PassEnd::WaitsForCheck(pass))
            }
            Some(entity) => {
                self.refresh_board(lease, &entity).await?;
                Ok(PassEnd::Complete)
            }
            None => Ok(PassEnd::Complete),
        }
    }

    /// Reads the index entries of the days whose texts are kept and requested.
    async fn readable_entries(
        &self,
        lease: &RereadingLease,
    ) -> Result<BTreeMap<CheckKey, IndexEntry>, CheckerError> {
        let today = self.clock.now().day();
        let since = lease.rereading.since.unwrap_or(Day(0));
        // The day of a check that is claimed now can be tomorrow on another clock.
        let days = (since.0.max(0)..=today.0 + 1).rev().map(Day);
        let days: BTreeSet<Day> = days.take_while(|day| self.store.keeps_texts_of(*day)).collect();
        let months: BTreeSet<_> = days.iter().map(|day| day.month()).collect();
        let months = months
            .into_iter()
            .map(|month| self.store.month_index(&lease.tenant, &lease.entity, month));
        let months = try_join_all(months).await?;
        let mut entries: BTreeMap<_, _> = months.into_iter().flat_map(|month| month.entries).collect();
        entries.retain(|check, _| days.contains(&check.day));
        Ok(entries)
    }

    /// Computes the recommendations from the facts that were read again.
    async fn refresh_board(&self, lease: &RereadingLease, entity: &Entity) -> Result<(), CheckerError> {
        let Some(last) = &entity.last_check else {
            return Ok(());
        };
        match self
            .refresh_recommendations(&lease.tenant, &lease.entity, last.key())
            .await
        {
            Err(error) if error.is_transient() => Err(error),
            Err(error) => {
                tracing::error!(%error, "recommendations could not be computed");
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }
}

/// Returns the days with a check that was read otherwise, ascending.
fn stale_days(entries: &BTreeMap<CheckKey, IndexEntry>, reading: Reading) -> BTreeSet<Day> {
    let stale = entries.iter().filter(|(_, entry)| !entry.has_reading(reading));
    stale.map(|(check, _)| check.day).collect()
}

/// Returns the pass to continue, or a new one.
fn pass_of(lease: &RereadingLease, reading: Reading, stale: &BTreeSet<Day>) -> RereadingPass {
    let request = lease.rereading.request;
    let same = |pass: &RereadingPass| pass.request == request && pass.reading == reading;
    lease
        .rereading
        .pass
        .clone()
        .filter(same)
        .unwrap_or_else(|| RereadingPass {
            request,
            reading,
            next: stale.last().copied().unwrap_or(Day(0)),
            done: 0,
            total: to_u32(stale.len()),
            prepared: BTreeMap::new(),
        })
}
