//! Claiming a check: the entity's slot, the plan and the credits, in one transaction.

use domain::catalogue::Catalogue;
use domain::check::{Check, CheckState, Plan, PlanModel};
use domain::clock::Clock;
use domain::entity::{Entity, Problem, Running};
use domain::id::EntityId;
use domain::limits::{CHECK_DEADLINE, FIRST_LOOK};
use domain::time::Millis;
use domain::workspace::Status;

use crate::brands::known_brands;
use crate::entities::write::replace_entity;
use crate::expression::n;
use crate::items::{STRONG, to_expiring_item};
use crate::transaction::{Outcome, Transaction, pause};
use crate::{Store, StoreError, Tenant, keys};

/// Tries before the entity counts as too busy.
const TRIES: u32 = 10;

/// Who wants the check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// The schedule: only if the slot has come.
    Schedule,
    /// A client: now, and the schedule stays as it is.
    Request,
}

/// A check that was claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub check: u32,
    pub questions: usize,
}

/// Why there is no check now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotClaimed {
    UnknownEntity,
    /// One is running.
    Running,
    /// The slot has not come, or another claim took it.
    NotDue,
    NoActivePrompt,
    /// No model of the entity belongs to a configured provider.
    NoModel,
    NoCredits {
        needed: i64,
        balance: i64,
    },
    Canceled,
}

impl Store {
    /// Claims a check of the entity: a second claim of the same slot finds nothing. A scheduled slot that
    /// cannot be used passes, with the reason on the entity.
    pub async fn claim_check(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        trigger: Trigger,
        catalogue: &Catalogue,
        clock: &dyn Clock,
    ) -> Result<Result<Claim, NotClaimed>, StoreError> {
        for attempt in 0..TRIES {
            let now = clock.now();
            let Some(entity) = self.entity(tenant, id).await? else {
                return Ok(Err(NotClaimed::UnknownEntity));
            };
            if entity.running.is_some() {
                return Ok(Err(NotClaimed::Running));
            }
            if trigger == Trigger::Schedule && entity.next_check_at.is_none_or(|slot| slot > now) {
                return Ok(Err(NotClaimed::NotDue));
            }
            match self.try_claim(tenant, entity, trigger, catalogue, clock).await? {
                Tried::Claimed(claim) => return Ok(Ok(claim)),
                Tried::Refused(entity, refused) => {
                    if trigger == Trigger::Schedule && !self.pass_slot(tenant, *entity, &refused, now).await?
                    {
                        continue;
                    }
                    return Ok(Err(refused));
                }
                // The entity or the credits moved: look again.
                Tried::Moved => pause(attempt.min(2)).await,
            }
        }
        Err(StoreError::Unavailable("the entity keeps changing".to_owned()))
    }

    async fn try_claim(
        &self,
        tenant: &Tenant,
        mut entity: Entity,
        trigger: Trigger,
        catalogue: &Catalogue,
        clock: &dyn Clock,
    ) -> Result<Tried, StoreError> {
        let now = clock.now();
        let (workspace, prompts, entities, credits) = tokio::try_join!(
            self.workspace(tenant),
            self.prompts_as(tenant, &entity.id, STRONG),
            self.entities(tenant),
            self.credits(tenant),
        )?;
        let refused = |entity, why| Ok(Tried::Refused(Box::new(entity), why));
        if workspace.is_none_or(|w| w.status == Status::Canceled) {
            return refused(entity, NotClaimed::Canceled);
        }
        let prompts: Vec<u32> = prompts
            .iter()
            .filter(|p| p.is_asked())
            .map(|p| p.ordinal)
            .collect();
        if prompts.is_empty() {
            return refused(entity, NotClaimed::NoActivePrompt);
        }
        let models: Vec<_> = entity
            .models
            .iter()
            .filter_map(|uuid| catalogue.get(*uuid))
            .collect();
        if models.is_empty() {
            return refused(entity, NotClaimed::NoModel);
        }
        let uuids: Vec<_> = models.iter().map(|m| m.uuid()).collect();
        let (known, ordinals) = entity.number_models(&uuids);
        let plan = Plan {
            prompts,
            models: models
                .iter()
                .zip(&ordinals)
                .map(|(m, ordinal)| PlanModel {
                    uuid: m.uuid(),
                    ordinal: *ordinal,
                    credits: m.credits,
                })
                .collect(),
            brands: known_brands(&entities),
        };
        let needed = plan.credits();
        if needed > credits.balance {
            return refused(
                entity,
                NotClaimed::NoCredits {
                    needed,
                    balance: credits.balance,
                },
            );
        }

        entity.check_seq += 1;
        entity.model_ordinals = known;
        entity.problems.clear();
        if trigger == Trigger::Schedule {
            entity.next_check_at = entity.next_check_at.map(|slot| entity.slot_after(slot, now));
        }
        let check = Check {
            check: entity.check_seq,
            state: CheckState::Running,
            claimed_at: now,
            deadline: now.plus(clock.stretch(CHECK_DEADLINE)),
            shards: plan.shards(),
            shards_left: plan.shards(),
            reserved: needed,
        };
        entity.running = Some(Running {
            check: check.check,
            deadline: check.deadline,
            reserved: needed,
            next_look_at: now.plus(clock.stretch(FIRST_LOOK)),
            look_after: FIRST_LOOK * 2,
        });
        let claim = Claim {
            check: check.check,
            questions: plan.prompts.len() * plan.models.len(),
        };
        let expires = self.check_expiry(now);
        let mut transaction = Transaction::default();
        transaction.create(to_expiring_item(
            &keys::check(tenant, &entity.id, check.check),
            &check,
            expires,
        )?);
        transaction.create(to_expiring_item(
            &keys::plan(tenant, &entity.id, check.check),
            &plan,
            expires,
        )?);
        transaction.update(
            keys::credits(tenant),
            "SET #balance = #balance - :needed, #reserved = #reserved + :needed",
            "#balance >= :needed",
            vec![(":needed", n(needed))],
        );
        replace_entity(&mut transaction, tenant, entity)?;
        Ok(match self.transact(transaction).await? {
            Outcome::Done => Tried::Claimed(claim),
            Outcome::Refused(_) => Tried::Moved,
        })
    }

    /// Lets a slot pass that cannot be used. `false`: the entity changed meanwhile.
    async fn pass_slot(
        &self,
        tenant: &Tenant,
        mut entity: Entity,
        refused: &NotClaimed,
        now: Millis,
    ) -> Result<bool, StoreError> {
        // A prompt that becomes active makes the entity due again; a provider that is configured again does
        // not tell, so that its slots go on.
        let nothing_to_ask = matches!(refused, NotClaimed::NoActivePrompt);
        entity.next_check_at = match entity.next_check_at {
            Some(slot) if !nothing_to_ask => Some(entity.slot_after(slot, now)),
            _ => None,
        };
        entity.problems = refused.problem(now).into_iter().collect();
        let mut transaction = Transaction::default();
        replace_entity(&mut transaction, tenant, entity)?;
        Ok(matches!(self.transact(transaction).await?, Outcome::Done))
    }
}

impl NotClaimed {
    /// What clients are told while it lasts.
    fn problem(&self, since: Millis) -> Option<Problem> {
        let reason = match self {
            Self::NoCredits { needed, balance } => {
                format!("A check needs {needed} credits, the balance is {balance}")
            }
            Self::NoModel => "No model of a configured provider is selected".to_owned(),
            Self::Canceled => "The subscription is canceled".to_owned(),
            _ => return None,
        };
        Some(Problem {
            provider: None,
            model_id: None,
            reason,
            since,
        })
    }
}

enum Tried {
    Claimed(Claim),
    Refused(Box<Entity>, NotClaimed),
    Moved,
}
