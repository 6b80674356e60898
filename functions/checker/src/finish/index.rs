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
use store::{CheckSegments, IndexEntry, Tenant};

use crate::reading::AnswerReader;
use crate::reread::check::CheckEnd;
use crate::{Checker, CheckerError};

/// The attempts to write the index. Each failed one means that another write changed it.
const MAX_CONFLICTS: u32 = 20;

impl Checker {
    /// Adds the segments of a check, whose answers were read as `reading`, to the index. Returns how they are read afterwards.
    pub(super) async fn index_check(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckKey,
        segments: CheckSegments,
        reading: Option<Reading>,
    ) -> Result<Option<Reading>, CheckerError> {
        let own = IndexEntry { segments, reading };
        for attempt in 0..MAX_CONFLICTS {
            let month = self.store.month_index(tenant, entity, check.day.month()).await?;
            let mut entries = month.of_day(check.day);
            entries.remove(&check);
            let is_mixed = entries.values().any(|entry| entry.reading != own.reading);
            entries.insert(check, own.clone());
            let reread = if is_mixed {
                self.reread_entries(tenant, entity, &entries, attempt == 0)
                    .await?
            } else {
                None
            };
            let written = reread.unwrap_or_else(|| BTreeMap::from([(check, own.clone())]));
            let indexed = self
                .store
                .index_segments(tenant, entity, check.day, &month, &written, None)
                .await?;
            if indexed {
                return Ok(written.get(&check).and_then(|entry| entry.reading));
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
        let reader = AnswerReader::new(&self.store.current_brands(tenant).await?);
        let until = self.clock.now() + self.clock.to_service_time(REREADING_LEASE);
        let mut reread = entries.clone();
        for (check, entry) in &mut reread {
            if skip_current && entry.reading == Some(reader.reading) {
                continue;
            }
            let end = self
                .reread_check(tenant, entity, *check, entry, &reader, until)
                .await?;
            let CheckEnd::Read { segment, .. } = end else {
                return Ok(None);
            };
            entry.segments.insert(Family::Visibility, segment);
            entry.reading = Some(reader.reading);
        }
        Ok(Some(reread))
    }
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
