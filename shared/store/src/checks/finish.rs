//! Finishes a check. One transaction writes the check, the entity and the credits.

use domain::check::{Check, CheckState};
use domain::entity::{LastCheck, Problem};
use domain::id::EntityId;
use domain::ordinal::CheckNumber;
use domain::time::Timestamp;

use crate::entities::write::replace_entity;
use crate::expression::{number_value, string_value};
use crate::retry::Attempt;
use crate::transaction::{Outcome, Transaction};
use crate::{Store, StoreError, Tenant, keys};

/// The outcome of a check.
#[derive(Debug, Clone)]
pub struct CheckOutcome {
    pub state: CheckState,
    /// The cost of its answers, in credits.
    pub used: i64,
    pub problems: Vec<Problem>,
}

impl Store {
    /// Finishes a running check whose facts are written. Returns `false` if it is finished already.
    pub async fn finish_check(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        check: &Check,
        outcome: &CheckOutcome,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let state = match outcome.state {
            CheckState::Partial => "partial",
            CheckState::Complete | CheckState::Running => "complete",
        };
        let attempt = || async {
            let Some(mut entity) = self.entity_or_deleted(tenant, id).await? else {
                return Ok(Attempt::Done(false));
            };
            if entity.running.as_ref().is_none_or(|r| r.check != check.check) {
                return Ok(Attempt::Done(false));
            }
            entity.running = None;
            entity.last_check = Some(LastCheck {
                check: check.check,
                day: check.day(),
                completed_at: now,
            });
            entity.problems.clone_from(&outcome.problems);

            let mut transaction = Transaction::default();
            let done = transaction.update(
                keys::check(tenant, id, check.check),
                "SET #state = :state",
                "#state = :running",
                vec![
                    (":state", string_value(state)),
                    (":running", string_value("running")),
                ],
            );
            transaction.update(
                keys::credits(tenant),
                "SET #reserved = #reserved - :reserved, #balance = #balance + :unused, #totalUsed = #totalUsed + :used",
                "attribute_exists(PK)",
                vec![
                    (":reserved", number_value(check.reserved)),
                    (":unused", number_value(check.reserved - outcome.used)),
                    (":used", number_value(outcome.used)),
                ],
            );
            replace_entity(&mut transaction, tenant, entity)?;
            Ok(match self.transact(transaction).await? {
                Outcome::Committed => Attempt::Done(true),
                Outcome::Rejected(failed) if failed.contains(done) => Attempt::Done(false),
                Outcome::Rejected(_) => Attempt::Retry,
            })
        };
        self.retry_on_conflict("the entity", attempt).await
    }

    /// Releases an entity whose running check has expired, for example after an outage of months. The reserved credits return to the
    /// balance.
    pub async fn abandon_check(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        check: CheckNumber,
    ) -> Result<(), StoreError> {
        let Some(mut entity) = self.entity_or_deleted(tenant, id).await? else {
            return Ok(());
        };
        let Some(running) = entity.running.take_if(|r| r.check == check) else {
            return Ok(());
        };
        let mut transaction = Transaction::default();
        transaction.update(
            keys::credits(tenant),
            "SET #reserved = #reserved - :reserved, #balance = #balance + :reserved",
            "attribute_exists(PK)",
            vec![(":reserved", number_value(running.reserved))],
        );
        replace_entity(&mut transaction, tenant, entity)?;
        // If the entity has changed, the next reconciliation tries again.
        self.transact(transaction).await.map(|_| ())
    }
}
