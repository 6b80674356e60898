//! Adds a check to the index.
//!
//! If the answers of its day, its own among them, were read by different names or rules, all of them are read
//! again and indexed together, so that the figures of a day mix no two readings.
//! Only where a text of the day is gone is a final check indexed beside others.

use std::collections::BTreeMap;

use domain::answer::ResponseState;
use domain::check::{Plan, Response};
use domain::check_key::CheckKey;
use domain::family::Family;
use domain::id::EntityId;
use domain::limits::{MAX_CHECKS_REREAD_BY_FINISH, REREADING_LEASE};
use domain::reading::Reading;
use store::{CheckSegments, FactsKind, IndexEntry, MonthIndex, Tenant};

use crate::reading::AnswerReader;
use crate::reread::check::{CheckEnd, Rereader};
use crate::{Checker, CheckerError};

/// The attempts to write the index. Each failed one means that another write changed it.
const MAX_CONFLICTS: u32 = 20;

/// What was done with the facts of a check.
pub(super) enum Indexed {
    /// They are in the index, with how the answers of the day are read now: `None` if they are read
    /// differently, or if that is not certain.
    Written(Option<Reading>),
    /// The facts of the check in the index have changed since the responses were read, and with them perhaps
    /// the responses.
    Outdated,
    /// The interim facts are not in the index.
    LeftOut,
}

impl Checker {
    /// Adds the entry of a check to the index. `month` was read before the responses from which the entry was
    /// computed.
    ///
    /// If the responses of the check are being rewritten, the entry stays marked, and only a rereading
    /// removes the mark.
    pub(super) async fn index_check(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckKey,
        mut month: MonthIndex,
        mut own: IndexEntry,
    ) -> Result<Indexed, CheckerError> {
        let seen = month.entries.get(&check).map(facts_of);
        for attempt in 0..MAX_CONFLICTS {
            if attempt > 0 {
                month = self.store.month_index(tenant, entity, check.day.month()).await?;
            }
            let before = month.entries.get(&check);
            if before.map(facts_of) != seen {
                return Ok(Indexed::Outdated);
            }
            if own.is_interim && before.is_some_and(|before| !before.is_interim) {
                return Ok(Indexed::LeftOut);
            }
            own.is_being_rewritten = before.is_some_and(|before| before.is_being_rewritten);
            let mut written = BTreeMap::from([(check, own.clone())]);
            let stored = month.of_day(check.day);
            let day: BTreeMap<_, _> = stored.clone().into_iter().chain(written.clone()).collect();
            let is_read_alike = |entry: &IndexEntry| entry.reading.is_some() && entry.reading == own.reading;
            let mut is_uniform = !own.is_being_rewritten && day.values().all(is_read_alike);
            if !is_uniform {
                match self.reread_entries(tenant, entity, &day, attempt == 0).await? {
                    Some(reread) => (written, is_uniform) = (reread, true),
                    None if own.is_interim => return Ok(Indexed::LeftOut),
                    None => {} // A text is gone, and the check must end.
                }
                // The entries of rewritten responses were marked, which changed the index.
                month = self.store.month_index(tenant, entity, check.day.month()).await?;
                if facts_of_all(&month.of_day(check.day)) != facts_of_all(&stored) {
                    continue;
                }
            }
            let is_being_rewritten = month
                .entries
                .get(&check)
                .is_some_and(|entry| entry.is_being_rewritten);
            let mut reading = None;
            if let Some(entry) = written.get_mut(&check) {
                entry.is_being_rewritten = is_being_rewritten;
                reading = entry.reading.filter(|_| is_uniform && !is_being_rewritten);
            }
            let (store, day) = (&self.store, check.day);
            let indexed = store.index_segments(tenant, entity, day, &month, &written, None);
            if indexed.await? {
                return Ok(Indexed::Written(reading));
            }
        }
        Err(CheckerError::Busy)
    }

    /// Reads the answers of all checks of a day again. Returns their new entries, or `None` if that is not
    /// possible or takes too long for a finish. `skip_current` leaves out the checks that were read by the
    /// current names; a repeated attempt reads them as well, because a former one can have rewritten their
    /// responses by older names.
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
            until: self.clock.now() + REREADING_LEASE,
            lease: None,
        };
        let reading = rereader.reader.reading;
        let mut reread = entries.clone();
        for (check, entry) in &mut reread {
            if skip_current && entry.has_reading(reading) {
                continue;
            }
            let end = self.reread_check(&rereader, *check, entry).await?;
            let CheckEnd::Read { prepared, .. } = end else {
                return Ok(None);
            };
            entry.segments.insert(Family::Visibility, prepared.segment);
            entry.reading = Some(reading);
            entry.is_being_rewritten = false;
        }
        Ok(Some(reread))
    }
}

/// The segments of an index entry, how the answers were read, and whether the check had ended. A mark makes
/// no difference.
type EntryFacts = (CheckSegments, Option<Reading>, FactsKind);

fn facts_of(entry: &IndexEntry) -> EntryFacts {
    (entry.segments.clone(), entry.reading, entry.kind())
}

fn facts_of_all(entries: &BTreeMap<CheckKey, IndexEntry>) -> Vec<(CheckKey, EntryFacts)> {
    let facts = entries.iter().map(|(check, entry)| (*check, facts_of(entry)));
    facts.collect()
}

/// Returns how the answers of a check were read, or `None` if they were read differently. Without an answer
/// there is nothing to read, and the names of the plan are as good as any.
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
