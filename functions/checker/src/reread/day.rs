//! Reads the answers of a day again and switches its index entries at once.

use domain::clock::Clock;
use domain::family::Family;
use domain::limits::{MAX_ANSWERS_PER_REREADING_STEP, REREADING_STEP};
use domain::time::Timestamp;
use store::{RereadingLease, RereadingPass};

use super::check::{CheckEnd, Rereader};
use crate::{Checker, CheckerError};

/// The attempts to switch the entries of a day. Each failed one means that another write changed the month's
/// index.
const MAX_CONFLICTS: u32 = 20;

/// What one step has done, compared with what it may do.
pub(super) struct Budget {
    started: Timestamp,
    answers: usize,
}

impl Budget {
    pub(super) fn new(clock: &dyn Clock) -> Self {
        Self {
            started: clock.real_now(),
            answers: 0,
        }
    }

    pub(super) fn count(&mut self, answers: usize) {
        self.answers += answers;
    }

    /// Returns whether the step has to end. A step that has read nothing goes on.
    pub(super) fn is_spent(&self, clock: &dyn Clock) -> bool {
        self.answers > 0
            && (self.answers >= MAX_ANSWERS_PER_REREADING_STEP
                || clock.real_now().duration_since(self.started) >= REREADING_STEP)
    }
}

/// How the rereading of a day ends.
pub(super) enum DayEnd {
    Read,
    /// Not all texts of the day's answers are there, or they cannot be read.
    NotReadable,
    BudgetSpent,
    LeaseLost,
}

impl Checker {
    /// Reads the day `pass.next` again. The new segments of its checks are kept in the pass until all of them
    /// are written, except those of a check that still runs, whose responses become more.
    pub(super) async fn reread_day(
        &self,
        lease: &RereadingLease,
        rereader: &Rereader<'_>,
        pass: &mut RereadingPass,
        budget: &mut Budget,
    ) -> Result<DayEnd, CheckerError> {
        let (tenant, entity, day) = (rereader.tenant, rereader.entity, pass.next);
        let reading = rereader.reader.reading;
        for _ in 0..MAX_CONFLICTS {
            let month = self.store.month_index(tenant, entity, day.month()).await?;
            let mut entries = month.of_day(day);
            entries.retain(|_, entry| !entry.has_reading(reading));
            if entries.is_empty() {
                return Ok(DayEnd::Read);
            }
            for (check, entry) in &mut entries {
                let prepared = pass
                    .prepared
                    .get(&check.check)
                    .filter(|of| of.is_valid_for(entry));
                let segment = match prepared {
                    Some(prepared) => prepared.segment,
                    None if budget.is_spent(self.clock.as_ref()) => return Ok(DayEnd::BudgetSpent),
                    None => match self.reread_check(rereader, *check, entry).await? {
                        CheckEnd::Read { prepared, answers } => {
                            budget.count(answers.max(1));
                            if !entry.is_interim {
                                pass.prepared.insert(check.check, prepared);
                            }
                            prepared.segment
                        }
                        CheckEnd::NotReadable => return Ok(DayEnd::NotReadable),
                        CheckEnd::Interrupted if self.has_lease(lease.until) => {
                            return Err(CheckerError::Busy);
                        }
                        CheckEnd::Interrupted => return Ok(DayEnd::LeaseLost),
                    },
                };
                entry.segments.insert(Family::Visibility, segment);
                entry.reading = Some(reading);
                entry.is_being_rewritten = false;
            }
            let switched = self
                .store
                .index_segments(tenant, entity, day, &month, &entries, Some(lease))
                .await?;
            if switched {
                return Ok(DayEnd::Read);
            }
            if !self.has_lease(lease.until) {
                return Ok(DayEnd::LeaseLost);
            }
        }
        Err(CheckerError::Busy)
    }
}
