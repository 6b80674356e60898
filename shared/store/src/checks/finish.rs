//! Finishes a check. One transaction writes the check, the entity and the credits. Its answers so far can
//! have been folded into facts before that.

use domain::check::{Check, CheckState, EndState, Transition};
use domain::entity::{LastCheck, Problem};
use domain::id::EntityId;
use domain::limits::CREDITS_LOW_DAYS;
use domain::ordinal::CheckNumber;
use domain::time::{Day, Timestamp};
use domain::webhook::{CreditsLow, Event, EventData, EventId};

use crate::entities::write::replace_entity;
use crate::expression::{number_value, string_value};
use crate::retry::Attempt;
use crate::transaction::{Outcome, Transaction};
use crate::webhooks::add_events;
use crate::{Store, StoreError, Tenant, keys};

use super::transition::CheckUpdate;

/// The outcome of a check.
#[derive(Debug, Clone)]
pub struct CheckOutcome {
    pub end: EndState,
    /// The cost of its answers, in credits.
    pub used: i64,
    pub problems: Vec<Problem>,
    /// The events of the check that webhooks want.
    pub events: Vec<Event>,
    /// What the scheduled checks of the workspace cost a day, in credits, if a webhook wants to be told of a
    /// low balance.
    pub credits_per_day: Option<i64>,
    /// The last day of the days in which the check has found a change of the visibility that is told.
    pub alerted_on: Option<Day>,
}

/// How the charge of a check changes whether the balance of credits is low.
enum Balance {
    IsAsBefore,
    BecomesLow(CreditsLow),
    Recovers,
}

impl Store {
    /// Records when the answers so far of a running check were folded. If the check has ended, nothing is
    /// written.
    pub async fn record_interim_fold(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckNumber,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let at = vec![(":at", number_value(at.as_millis()))];
        let update = CheckUpdate::of(&Transition::default(), &["#foldedAt = :at"], at);
        self.update_check(tenant, entity, check, update).await.map(|_| ())
    }

    /// Finishes a running check whose facts are written, and records its events. Returns `false` if it is
    /// finished already.
    pub async fn finish_check(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        check: &Check,
        outcome: &CheckOutcome,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
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
            entity.last_alert = outcome.alerted_on.or(entity.last_alert);
            let balance = self.low_balance(tenant, check, outcome).await?;

            let mut transaction = Transaction::default();
            let done = transaction.update(
                &keys::check(tenant, id, check.check),
                "SET #state = :state",
                "#state = :running",
                vec![
                    (":state", string_value(outcome.end.state().into_str())),
                    (":running", string_value(CheckState::Running.into_str())),
                ],
            );
            let mut bound = vec![
                (":reserved", number_value(check.reserved)),
                (":unused", number_value(check.reserved - outcome.used)),
                (":used", number_value(outcome.used)),
            ];
            let (low_since, condition) = match &balance {
                Balance::BecomesLow(_) => {
                    bound.push((":now", number_value(now.as_millis())));
                    (", #lowSince = :now", "attribute_not_exists(#lowSince)")
                }
                Balance::Recovers => (" REMOVE #lowSince", "attribute_exists(#lowSince)"),
                Balance::IsAsBefore => ("", "attribute_exists(PK)"),
            };
            transaction.update(
                &keys::credits(tenant),
                format!(
                    "SET #reserved = #reserved - :reserved, #balance = #balance + :unused, #totalUsed = #totalUsed + :used{low_since}"
                ),
                condition,
                bound,
            );
            let mut events = outcome.events.clone();
            if let Balance::BecomesLow(low) = balance {
                events.push(Event {
                    id: EventId::at("credits", tenant.workspace().as_str(), now),
                    at: now,
                    entity: None,
                    only: None,
                    data: EventData::CreditsLow(low),
                });
            }
            add_events(self, &mut transaction, tenant, &events)?;
            replace_entity(&mut transaction, tenant, entity)?;
            Ok(match self.transact(transaction).await? {
                Outcome::Committed => Attempt::Done(true),
                Outcome::Rejected(failed) if failed.contains(done) => Attempt::Done(false),
                Outcome::Rejected(_) => Attempt::Retry,
            })
        };
        self.retry_on_conflict("the entity", attempt).await
    }

    /// Finds out whether the balance becomes low or recovers when a check is charged.
    async fn low_balance(
        &self,
        tenant: &Tenant,
        check: &Check,
        outcome: &CheckOutcome,
    ) -> Result<Balance, StoreError> {
        let Some(credits_per_day) = outcome.credits_per_day.filter(|credits| *credits > 0) else {
            return Ok(Balance::IsAsBefore);
        };
        let credits = self.credits(tenant).await?;
        let balance = credits.balance + check.reserved - outcome.used;
        let is_low = balance < CREDITS_LOW_DAYS.saturating_mul(credits_per_day);
        Ok(match (is_low, credits.low_since) {
            (true, None) => Balance::BecomesLow(CreditsLow {
                balance,
                credits_per_day,
                days_left: balance / credits_per_day,
            }),
            (false, Some(_)) => Balance::Recovers,
            _ => Balance::IsAsBefore,
        })
    }

    /// Releases an entity whose running check has expired, for example after an outage of months. The
    /// reserved credits return to the balance.
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
            &keys::credits(tenant),
            "SET #reserved = #reserved - :reserved, #balance = #balance + :reserved",
            "attribute_exists(PK)",
            vec![(":reserved", number_value(running.reserved))],
        );
        replace_entity(&mut transaction, tenant, entity)?;
        // If the entity has changed, the next reconciliation tries again.
        self.transact(transaction).await.map(|_| ())
    }
}
