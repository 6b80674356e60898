//! Claims a check.
//!
//! A claim is one transaction. It makes the check the entity's running check, fixes the plan and reserves the
//! credits. A scheduled claim also moves `next_check_at` to the following slot; a requested one leaves it.

use domain::catalogue::Catalogue;
use domain::check::{Check, CheckState, Plan, PlanBrand, PlanModel, ShardLists};
use domain::entity::{Entity, Problem, RunningCheck};
use domain::id::EntityId;
use domain::limits::{FIRST_RECONCILIATION, MAX_CHECKS_PER_DAY};
use domain::ordinal::{CheckNumber, PromptOrdinal};
use domain::prompt::Prompt;
use domain::time::Timestamp;
use domain::workspace::Credits;
use thiserror::Error;
use uuid::Uuid;

use super::plan::StoredPlan;
use crate::entities::write::replace_entity;
use crate::expression::number_value;
use crate::items::to_expiring_item;
use crate::refusal::require_subscription;
use crate::retry::Attempt;
use crate::transaction::Transaction;
use crate::{Refusal, ReplyRecorder, Resource, Store, StoreError, Tenant, WriteError, keys};

/// What triggers a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// The schedule. The check slot must be due.
    Schedule,
    /// A request. The check starts now, and the schedule does not change.
    Request,
}

/// A claimed check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub check: CheckNumber,
    pub questions: usize,
}

/// Why a check is not claimed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ClaimError {
    #[error(transparent)]
    Common(#[from] Refusal),
    /// Another check of the entity is running.
    #[error("a check is running")]
    Running,
    /// The check slot is in the future. Another claim may have moved it there.
    #[error("no check is due")]
    NotDue,
    #[error("the entity has no active prompt")]
    NoActivePrompt,
    /// No model of the entity belongs to a configured provider.
    #[error("the entity has no model of a configured provider")]
    NoModel,
    #[error("the check needs {needed} credits, the balance is {balance}")]
    NoCredits { needed: i64, balance: i64 },
    /// The plan does not fit into its item.
    #[error("a plan of {prompts} prompts and {brands} brands does not fit")]
    PlanTooLarge { prompts: usize, brands: usize },
    /// The entity has had as many checks today as clients can request.
    #[error("the daily limit of checks is reached")]
    TooMany,
}

impl Store {
    /// Claims a check of the entity. Each slot is claimed at most once. If the slot of a schedule cannot be
    /// used, it is skipped, and the entity shows the reason.
    pub async fn claim_check(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        trigger: Trigger,
        catalogue: &Catalogue,
        recorder: &ReplyRecorder<'_, Claim>,
    ) -> Result<Claim, WriteError<ClaimError>> {
        let attempt = || async {
            let now = self.clock.now();
            let Some(entity) = self.entity(tenant, id).await? else {
                return Err(Refusal::NotFound(Resource::Entity).into());
            };
            if entity.running.is_some() {
                return Err(WriteError::Refused(ClaimError::Running));
            }
            if trigger == Trigger::Schedule && entity.next_check_at.is_none_or(|slot| slot > now) {
                return Err(WriteError::Refused(ClaimError::NotDue));
            }
            self.try_claim(tenant, entity, trigger, catalogue, recorder).await
        };
        self.retry_on_conflict("the entity", attempt).await
    }

    async fn try_claim(
        &self,
        tenant: &Tenant,
        mut entity: Entity,
        trigger: Trigger,
        catalogue: &Catalogue,
        recorder: &ReplyRecorder<'_, Claim>,
    ) -> Result<Attempt<Claim>, WriteError<ClaimError>> {
        let (workspace, prompts, brands, credits) = tokio::try_join!(
            self.workspace(tenant),
            self.prompts(tenant, &entity.id),
            self.brands_to_match(tenant, None),
            self.credits(tenant),
        )?;
        let now = self.clock.now();
        let claimed = require_subscription(workspace, now)
            .map_err(ClaimError::from)
            .and_then(|_| prepare_claim(&mut entity, trigger, &prompts, brands, credits, catalogue, now));
        let claimed = match claimed {
            Ok(claimed) => claimed,
            Err(refused) if trigger == Trigger::Schedule => {
                entity.skip_slot(refused.problem(now), now);
                return self.write_skipped_slot(tenant, entity, refused).await;
            }
            Err(refused) => return Err(WriteError::Refused(refused)),
        };
        let claim = claimed.claim();
        let mut transaction = Transaction::default();
        claimed.add_to(&mut transaction, self, tenant, &entity.id)?;
        recorder.add_to(self, &mut transaction, tenant, &claim)?;
        replace_entity(&mut transaction, tenant, entity)?;
        Ok(self.transact_with_reply(transaction).await?.done_or_retry(claim))
    }

    /// Writes an entity whose slot is skipped, and returns `refused` as the error.
    async fn write_skipped_slot(
        &self,
        tenant: &Tenant,
        entity: Entity,
        refused: ClaimError,
    ) -> Result<Attempt<Claim>, WriteError<ClaimError>> {
        let mut transaction = Transaction::default();
        replace_entity(&mut transaction, tenant, entity)?;
        if self.transact(transaction).await?.is_committed() {
            Err(WriteError::Refused(refused))
        } else {
            Ok(Attempt::Retry)
        }
    }
}

/// A check and its plan, to be written by a transaction.
pub(crate) struct PreparedClaim {
    check: Check,
    questions: usize,
    plan: StoredPlan,
}

/// Prepares a check of an entity, and updates the entity's ordinals, check slot and running check.
pub(crate) fn prepare_claim(
    entity: &mut Entity,
    trigger: Trigger,
    prompts: &[Prompt],
    brands: Vec<PlanBrand>,
    credits: Credits,
    catalogue: &Catalogue,
    now: Timestamp,
) -> Result<PreparedClaim, ClaimError> {
    let claims = entity.claims_on(now.day());
    if trigger == Trigger::Request && claims >= MAX_CHECKS_PER_DAY {
        return Err(ClaimError::TooMany);
    }
    let asked = prompts.iter().filter(|p| p.is_asked());
    let prompts: Vec<PromptOrdinal> = asked.map(|p| p.ordinal).collect();
    if prompts.is_empty() {
        return Err(ClaimError::NoActivePrompt);
    }
    let (models, model_ordinals) = plan_models(entity, catalogue)?;
    let plan = Plan {
        prompts,
        models,
        brands,
    };
    let (needed, balance) = (plan.credits(), credits.balance);
    if needed > balance {
        return Err(ClaimError::NoCredits { needed, balance });
    }
    let stored_plan = StoredPlan::of(&plan).ok_or(ClaimError::PlanTooLarge {
        prompts: plan.prompts.len(),
        brands: plan.brands.len(),
    })?;
    entity.check_seq = entity.check_seq.next();
    entity.claimed_on = Some((now.day(), claims + 1));
    entity.model_ordinals = model_ordinals;
    entity.problems.clear();
    if trigger == Trigger::Schedule {
        entity.next_check_at = entity.next_check_at.map(|slot| entity.slot_after(slot, now));
    }
    let check = start_check(entity, &plan, now);
    Ok(PreparedClaim {
        check,
        questions: plan.prompts.len() * plan.models.len(),
        plan: stored_plan,
    })
}

/// Returns the entity's models that the catalogue contains, and the UUIDs of all models by ordinal, including
/// new ones.
fn plan_models(entity: &Entity, catalogue: &Catalogue) -> Result<(Vec<PlanModel>, Vec<Uuid>), ClaimError> {
    let models = entity.models.iter().filter_map(|uuid| catalogue.get(*uuid));
    let models: Vec<_> = models.collect();
    if models.is_empty() {
        return Err(ClaimError::NoModel);
    }
    let uuids: Vec<_> = models.iter().map(|model| model.uuid()).collect();
    let (model_ordinals, ordinals) = entity.assign_model_ordinals(&uuids);
    let models = models.iter().zip(ordinals).map(|(model, ordinal)| PlanModel {
        uuid: model.uuid(),
        ordinal,
        credits: model.credits,
    });
    Ok((models.collect(), model_ordinals))
}

/// Creates a check that waits for its admission, and sets it as the entity's running check.
fn start_check(entity: &mut Entity, plan: &Plan, now: Timestamp) -> Check {
    let check = Check {
        check: entity.check_seq,
        state: CheckState::Running,
        claimed_at: now,
        started_at: None,
        deadline: None,
        shards: ShardLists::new(plan.shards()),
        reserved: plan.credits(),
        turn: None,
        folded_at: None,
        down_until: None,
    };
    entity.running = Some(RunningCheck {
        check: check.check,
        reserved: check.reserved,
        next_reconciliation_at: now + FIRST_RECONCILIATION,
        reconcile_after: FIRST_RECONCILIATION * 2,
        is_idle: false,
    });
    check
}

impl PreparedClaim {
    pub(crate) fn claim(&self) -> Claim {
        Claim {
            check: self.check.check,
            questions: self.questions,
        }
    }

    /// Adds the check, its plan and its credits to a transaction. The caller adds the entity.
    pub(crate) fn add_to(
        &self,
        transaction: &mut Transaction,
        store: &Store,
        tenant: &Tenant,
        entity: &EntityId,
    ) -> Result<(), StoreError> {
        let (check, expires) = (self.check.check, store.check_expiry(self.check.claimed_at));
        let key = keys::check(tenant, entity, check);
        transaction.create(to_expiring_item(&key, &self.check, expires)?);
        let key = keys::plan(tenant, entity, check);
        transaction.create(self.plan.to_item(&key, expires)?);
        transaction.update(
            &keys::credits(tenant),
            "SET #balance = #balance - :needed, #reserved = #reserved + :needed",
            "#balance >= :needed",
            vec![(":needed", number_value(self.check.reserved))],
        );
        Ok(())
    }
}

impl ClaimError {
    /// Returns the problem that clients see, if there is one.
    pub(crate) fn problem(&self, since: Timestamp) -> Option<Problem> {
        let reason = match self {
            Self::NoCredits { needed, balance } => {
                format!("A check needs {needed} credits, the balance is {balance}")
            }
            Self::PlanTooLarge { prompts, brands } => {
                format!("A check of {prompts} prompts that looks for {brands} brands is too large")
            }
            Self::NoModel => "No model of a configured provider is selected".to_owned(),
            Self::Common(Refusal::Canceled) => "The subscription is canceled".to_owned(),
            Self::Common(Refusal::Ended) => "The subscription has ended".to_owned(),
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
