//! Reads the answers of a day again and switches its index entries at once.

use domain::check_key::CheckKey;
use domain::facts::Family;
use store::{IndexEntry, RereadingLease, RereadingPass};

use super::budget::Budget;
use super::check::CheckEnd;
use crate::reading::AnswerReader;
use crate::{Checker, CheckerError};

/// The attempts to switch the entries of a day. Each failed one means that another write changed the month's index.
const MAX_CONFLICTS: u32 = 20;

/// How the rereading of a day ends.
pub(super) enum DayEnd {
    Read,
    /// Not all texts of the day's answers are there.
    TextsGone,
    BudgetSpent,
    LeaseLost,
}

impl Checker {
    /// Reads the day `pass.next` again. The new segments of its checks are kept in the pass until all of them are written.
    pub(super) async fn reread_day(
        &self,
        lease: &RereadingLease,
        reader: &AnswerReader,
        pass: &mut RereadingPass,
        budget: &mut Budget,
    ) -> Result<DayEnd, CheckerError> {
        let (tenant, entity, day) = (&lease.tenant, &lease.entity, pass.next);
        for _ in 0..MAX_CONFLICTS {
            let month = self.store.month_index(tenant, entity, day.month()).await?;
            let mut entries = month.of_day(day);
            entries.retain(|_, entry| entry.reading != Some(reader.reading));
            if entries.is_empty() {
                return Ok(DayEnd::Read);
            }
            for (check, entry) in &mut entries {
                let segment = match pass.prepared.get(&check.check) {
                    Some(prepared) => *prepared,
                    None if budget.is_spent(self.clock.as_ref()) => return Ok(DayEnd::BudgetSpent),
                    None => match self.reread_leased(lease, *check, entry, reader).await? {
                        CheckEnd::Read { segment, answers } => {
                            budget.count(answers.max(1));
                            pass.prepared.insert(check.check, segment);
                            segment
                        }
                        CheckEnd::TextsGone => return Ok(DayEnd::TextsGone),
                        CheckEnd::Interrupted if self.has_lease(lease.until) => {
                            return Err(CheckerError::Busy);
                        }
                        CheckEnd::Interrupted => return Ok(DayEnd::LeaseLost),
                    },
                };
                entry.segments.insert(Family::Visibility, segment);
                entry.reading = Some(reader.reading);
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

    /// Reads a check again. A check that can never be read must not stop the other days.
    async fn reread_leased(
        &self,
        lease: &RereadingLease,
        check: CheckKey,
        entry: &IndexEntry,
        reader: &AnswerReader,
    ) -> Result<CheckEnd, CheckerError> {
        let (tenant, entity) = (&lease.tenant, &lease.entity);
        let read = self.reread_check(tenant, entity, check, entry, reader, lease.until);
        match read.await {
            Err(error) if !error.is_transient() => {
                tracing::error!(%error, check.number = check.check.get(), "a check cannot be read again");
                Ok(CheckEnd::TextsGone)
            }
            end => end,
        }
    }
}
