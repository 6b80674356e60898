//! Adds a check to the index.
//!
//! If the other checks of its day were read by other names or rules, all of them are read again and indexed together with the
//! check, so that the figures of a day never mix two readings.

use std::collections::BTreeMap;

use domain::answer::ResponseState;
use domain::check::{Plan, Response};
use domain::check_key::CheckKey;
use domain::facts::Family;
use domain::id::EntityId;
use domain::limits::{MAX_CHECKS_REREAD_BY_FINISH, REREADING_LEASE};
use domain::reading::Reading;
use store::{CheckSegments, IndexEntry, MonthIndex, Tenant};

use crate::reading::AnswerReader;
use crate::reread::check::{CheckEnd, Rereader};
use crate::{Checker, CheckerError};

/// The attempts to write the index. Each failed one means that another write changed it.
const MAX_CONFLICTS: u32 = 20;

impl Checker {
    /// Adds the segments of a check, whose answers were read as `reading`, to the index. Returns how the answers of its day are
    /// read afterwards, or `None` if they are read differently.
    pub(super) async fn index_check(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckKey,
        segments: CheckSegments,
        reading: Option<Reading>,
    ) -> Result<Option<Reading>, CheckerError> {
        let own = IndexEntry {
            segments,
            reading,
            is_rewritten: false,
        };
        for attempt in 0..MAX_CONFLICTS {
            let mut month = self.store.month_index(tenant, entity, check.day.month()).await?;
            let mut others = month.of_day(check.day);
            others.remove(&check);
            let mut written = BTreeMap::from([(check, own.clone())]);
            let is_mixed = others.values().any(|entry| entry.reading != own.reading);
            let mut is_reread = false;
            if is_mixed {
                let day = others.clone().into_iter().chain(written.clone()).collect();
                if let Some(reread) = self.reread_entries(tenant, entity, &day, attempt == 0).await? {
                    (written, is_reread) = (reread, true);
                }
                // The entries of rewritten responses were marked, which changed the index.
                month = self.store.month_index(tenant, entity, check.day.month()).await?;
                if has_changed(&month, check, &others) {
                    continue;
                }
            }
            let indexed = self
                .store
                .index_segments(tenant, entity, check.day, &month, &written, None)
                .await?;
            if indexed {
                let reading = written.get(&check).and_then(|entry| entry.reading);
                return Ok(reading.filter(|_| is_reread || !is_mixed));
            }
        }
        Err(CheckerError::Busy)
    }

    /// Reads the answers of all checks of a day again. Returns their new entries, or `None` if that is not possible or takes too
    /// long for a finish. `skip_current` leaves out the checks that were read by the current names; a repeated attempt reads
    /// them as well, because a former one can have rewritten their responses by older names.
    async fn reread_entries(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        entries: &BTreeMap<CheckKey, IndexEntry>,
        skip_current: bool,
    ) -> Result<Option<BTreeMap<CheckKey, IndexEntry>>, CheckerError> {
        if entries.len() > MAX_CHECKS_REREAD_BY_FINISH {
            return Ok(None);
        }
        let rereader = Rereader {
            tenant,
            entity,
            reader: AnswerReader::new(&self.store.current_brands(tenant).await?),
            until: self.clock.now() + self.clock.to_service_time(REREADING_LEASE),
            lease: None,
        };
        let reading = rereader.reader.reading;
        let mut reread = entries.clone();
        for (check, entry) in &mut reread {
            if skip_current && entry.has_reading(reading) {
                continue;
            }
            let end = self.reread_check(&rereader, *check, entry).await?;
            let CheckEnd::Read { segment, .. } = end else {
                return Ok(None);
            };
            entry.segments.insert(Family::Visibility, segment);
            entry.reading = Some(reading);
            entry.is_rewritten = false;
        }
        Ok(Some(reread))
    }
}

/// Returns whether the entries of the other checks of the day are no longer those that were read. Marks make no difference.
fn has_changed(month: &MonthIndex, check: CheckKey, others: &BTreeMap<CheckKey, IndexEntry>) -> bool {
    let facts = |entries: &BTreeMap<CheckKey, IndexEntry>| -> Vec<_> {
        let others = entries.iter().filter(|(other, _)| **other != check);
        others
            .map(|(other, entry)| (*other, entry.segments.clone(), entry.reading))
            .collect()
    };
    facts(&month.of_day(check.day)) != facts(others)
}

/// Returns how the answers of a check were read, or `None` if they were read differently. Without an answer there is nothing
/// to read, and the names of the plan are as good as any.
pub(super) fn common_reading(plan: &Plan, responses: &[Response]) -> Option<Reading> {
    let mut answered = responses
        .iter()
        .filter(|r| r.state == ResponseState::Answered)
        .peekable();
    if answered.peek().is_none() {
        return Some(plan.reading());
    }
    Reading::common(answered.map(|response| response.reading))
}
