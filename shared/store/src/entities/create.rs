//! Creates an entity. One transaction writes the entity, its prompts, the counters and the first check.

use std::time::Duration;

use domain::brand::Brand;
use domain::catalogue::Catalogue;
use domain::entity::{Entity, TrackingType};
use domain::id::EntityId;
use domain::limits::MAX_CLOCK_LEAD;
use domain::locale::{Geolocation, Language};
use domain::number::to_u32;
use domain::ordinal::{BrandOrdinal, CheckNumber, PromptOrdinal};
use domain::prompt::{NewPrompt, Prompt};
use domain::target::Target;
use domain::time::{HOUR, Timestamp};
use domain::workspace::Workspace;
use thiserror::Error;
use uuid::Uuid;

use super::target::track_target;
use super::write::entity_item;
use crate::brands::replace_brand;
use crate::checks::claim::{Claim, ClaimError, Trigger, prepare_claim};
use crate::expression::{Values, number_value};
use crate::items::to_item;
use crate::prompts::add::new_prompts;
use crate::refusal::{check_subscription, require_free_prompts};
use crate::rereading::names_changed;
use crate::retry::Attempt;
use crate::transaction::{Outcome, Transaction};
use crate::{Refusal, ReplyRecorder, Resource, Store, StoreError, Tenant, WriteError, keys};

/// An entity to create, already validated.
#[derive(Debug, Clone)]
pub struct NewEntity {
    pub name: String,
    pub target: Target,
    pub brand: Uuid,
    pub description: String,
    pub language: Language,
    pub geolocation: Geolocation,
    pub tracking_type: TrackingType,
    pub models: Vec<Uuid>,
    pub prompts: Vec<NewPrompt>,
    pub start_tracking: bool,
    /// The hours between two checks.
    pub frequency_hours: u32,
}

/// A created entity with its prompts.
#[derive(Debug, Clone)]
pub struct CreatedEntity {
    pub entity: Entity,
    /// The prompts in the order in which they were given.
    pub prompts: Vec<Prompt>,
    /// Whether another brand of the workspace has the entity's name, so that an answer with the name mentions
    /// both.
    pub shares_name: bool,
    /// The first check, claimed in the same transaction. `None` if tracking does not start or there are no
    /// prompts.
    pub first_check: Option<FirstCheck>,
}

/// Why an entity is not created.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CreateEntityError {
    #[error(transparent)]
    Common(#[from] Refusal),
    /// Another entity tracks the target.
    #[error("another entity tracks the target")]
    AlreadyTracked,
    #[error("the limit of {limit} entities is reached")]
    EntityLimit { limit: u32 },
    /// The hourly limit of creations is reached until `retry_after` has passed.
    #[error("the hourly limit of creations is reached")]
    TooMany { retry_after: Duration },
}

/// The result of claiming a new entity's first check.
#[derive(Debug, Clone)]
pub enum FirstCheck {
    Claimed(Claim),
    /// The entity was created without a check, for this reason.
    NotClaimed(ClaimError),
}

impl Store {
    /// Checks whether the entity can be created now with `prompts` prompts. Returns how many prompts the
    /// workspace can still add.
    pub async fn check_creation_limits(
        &self,
        tenant: &Tenant,
        new: &NewEntity,
        prompts: usize,
    ) -> Result<u32, WriteError<CreateEntityError>> {
        let (workspace, brand, tracking) = tokio::try_join!(
            self.workspace(tenant),
            self.brand(tenant, new.brand),
            self.tracking_of(tenant, &new.target)
        )?;
        let workspace = workspace.ok_or(Refusal::NotFound(Resource::Workspace))?;
        let free = self
            .check_limits(&workspace, brand.as_ref(), prompts)
            .map_err(WriteError::Refused)?;
        match tracking {
            Some(_) => Err(WriteError::Refused(CreateEntityError::AlreadyTracked)),
            None => Ok(free),
        }
    }

    /// Creates an entity with its prompts in one transaction. If tracking starts, the transaction also claims
    /// the first check. Without a catalogue, the entity becomes due instead.
    pub async fn create_entity(
        &self,
        tenant: &Tenant,
        new: &NewEntity,
        catalogue: Option<&Catalogue>,
        recorder: &ReplyRecorder<'_, CreatedEntity>,
    ) -> Result<CreatedEntity, WriteError<CreateEntityError>> {
        let id = EntityId::from_random(Uuid::new_v4());
        let attempt = || self.try_to_create(tenant, new, &id, catalogue, recorder);
        self.retry_on_conflict("the workspace", attempt).await
    }

    async fn try_to_create(
        &self,
        tenant: &Tenant,
        new: &NewEntity,
        id: &EntityId,
        catalogue: Option<&Catalogue>,
        recorder: &ReplyRecorder<'_, CreatedEntity>,
    ) -> Result<Attempt<CreatedEntity>, WriteError<CreateEntityError>> {
        let now = self.clock.now();
        let (workspace, brand, others) = tokio::try_join!(
            self.workspace(tenant),
            self.brand(tenant, new.brand),
            self.entities(tenant)
        )?;
        let workspace = workspace.ok_or(Refusal::NotFound(Resource::Workspace))?;
        self.check_limits(&workspace, brand.as_ref(), new.prompts.len())
            .map_err(WriteError::Refused)?;
        let ordinal = brand.as_ref().map_or(workspace.brand_seq.next(), |b| b.ordinal);
        let mut entity = build_entity(new, *id, ordinal, now);
        let prompts = new_prompts(&new.prompts, PromptOrdinal::new(0), now);

        let mut transaction = Transaction::default();
        self.count_entity(
            &mut transaction,
            tenant,
            &workspace,
            brand.as_ref(),
            prompts.len(),
        );
        let target = track_target(&mut transaction, tenant, &new.target.uniqueness_key(), id)?;
        let mut brand = brand.unwrap_or_else(|| Brand::new(new.brand, ordinal, entity.domain.clone()));
        brand.trackings.push(*id);
        brand.counts_as_used = false;
        replace_brand(&mut transaction, tenant, brand)?;
        names_changed(&mut transaction, tenant, now);
        let first_check = match catalogue.filter(|_| new.start_tracking && !prompts.is_empty()) {
            Some(catalogue) => Some(
                self.claim_first(&mut transaction, tenant, &mut entity, &prompts, catalogue)
                    .await?,
            ),
            None => None,
        };
        transaction.create(entity_item(tenant, &entity)?);
        for prompt in &prompts {
            transaction.create(to_item(&keys::prompt(tenant, id, prompt.ordinal), prompt)?);
        }
        let created = CreatedEntity {
            shares_name: entity.name_of_another_brand(None, &others).is_some(),
            entity,
            prompts,
            first_check,
        };
        recorder.add_to(self, &mut transaction, tenant, &created)?;
        match self.transact_with_reply(transaction).await? {
            Outcome::Committed => Ok(Attempt::Done(created)),
            Outcome::Rejected(failed) if failed.contains(target) => {
                Err(WriteError::Refused(CreateEntityError::AlreadyTracked))
            }
            // Another write changed the counters or the brand.
            Outcome::Rejected(_) => Ok(Attempt::Retry),
        }
    }

    async fn claim_first(
        &self,
        transaction: &mut Transaction,
        tenant: &Tenant,
        entity: &mut Entity,
        prompts: &[Prompt],
        catalogue: &Catalogue,
    ) -> Result<FirstCheck, StoreError> {
        let (credits, brands) =
            tokio::try_join!(self.credits(tenant), self.brands_to_match(tenant, Some(entity)))?;
        let now = self.clock.now();
        let trigger = Trigger::Schedule;
        match prepare_claim(entity, trigger, prompts, brands, credits, catalogue, now) {
            Ok(claimed) => {
                claimed.add_to(transaction, self, tenant, &entity.id)?;
                Ok(FirstCheck::Claimed(claimed.claim()))
            }
            Err(refused) => {
                entity.skip_slot(refused.problem(now), now);
                Ok(FirstCheck::NotClaimed(refused))
            }
        }
    }

    /// Checks whether an entity of the brand can be created with `prompts` prompts. Returns how many prompts
    /// the workspace can still add. A brand that already counts as a member of a group does not count again.
    ///
    /// A creation checks this before it generates prompts and again before it writes, for the sake of good
    /// messages. The conditions of [`Self::count_entity`] decide.
    fn check_limits(
        &self,
        workspace: &Workspace,
        brand: Option<&Brand>,
        prompts: usize,
    ) -> Result<u32, CreateEntityError> {
        let real = self.clock.real_now();
        check_subscription(workspace, self.clock.now())?;
        let limit = workspace.entities_limit;
        if workspace.entities_used + added_entities(brand) > limit {
            return Err(CreateEntityError::EntityLimit { limit });
        }
        let free = require_free_prompts(workspace, prompts)?;
        let hour = create_hour(workspace, real);
        let used = if workspace.create_hour == hour {
            workspace.creates
        } else {
            0
        };
        if used >= workspace.creates_per_hour {
            let retry_after = Timestamp::window_start(hour + 1, HOUR).duration_since(real);
            return Err(CreateEntityError::TooMany { retry_after });
        }
        Ok(free)
    }

    /// Adds the update of the counters to a transaction. Its conditions compare the counters with the limits,
    /// so that concurrent creations cannot exceed them.
    fn count_entity(
        &self,
        transaction: &mut Transaction,
        tenant: &Tenant,
        workspace: &Workspace,
        brand: Option<&Brand>,
        prompts: usize,
    ) {
        let hour = create_hour(workspace, self.clock.real_now());
        let (added, prompts) = (added_entities(brand), to_u32(prompts));
        let room = |limit: u32, added: u32| number_value(i64::from(limit) - i64::from(added));
        let mut update =
            "SET #entitiesUsed = #entitiesUsed + :added, #promptsUsed = #promptsUsed + :prompts, \
                          #createHour = :hour, #namesSeq = #namesSeq + :one"
                .to_owned();
        let mut condition = "#entitiesUsed <= :maxEntities AND #entitiesLimit = :entitiesLimit \
                             AND #promptsUsed <= :maxPrompts AND #promptsLimit = :limit"
            .to_owned();
        let mut bound: Values = vec![
            (":added", number_value(added)),
            (":prompts", number_value(prompts)),
            (":hour", number_value(hour)),
            (":maxEntities", room(workspace.entities_limit, added)),
            (":entitiesLimit", number_value(workspace.entities_limit)),
            (":maxPrompts", room(workspace.prompts_limit, prompts)),
            (":limit", number_value(workspace.prompts_limit)),
            (":one", number_value(1)),
        ];
        if workspace.create_hour == hour {
            update.push_str(", #creates = #creates + :one");
            condition.push_str(" AND #createHour = :hour AND #creates < #createsPerHour");
        } else {
            update.push_str(", #creates = :one");
            condition.push_str(" AND #createHour = :lastHour AND #createsPerHour >= :one");
            bound.push((":lastHour", number_value(workspace.create_hour)));
        }
        if brand.is_none() {
            update.push_str(", #brandSeq = #brandSeq + :one");
            condition.push_str(" AND #brandSeq = :brandSeq");
            bound.push((":brandSeq", number_value(workspace.brand_seq)));
        }
        transaction.update_workspace(tenant, &update, &condition, bound);
    }
}

/// Returns the hour in which a creation counts: the present one, or a later one in which another instance has
/// counted, unless its clock was wrong.
fn create_hour(workspace: &Workspace, real: Timestamp) -> i64 {
    let latest = (real + MAX_CLOCK_LEAD).window(HOUR);
    let (hour, stored) = (real.window(HOUR), workspace.create_hour);
    if stored <= latest { hour.max(stored) } else { hour }
}

/// Returns by how much a new tracking of the brand increases the number of entities in use: 0 or 1.
fn added_entities(brand: Option<&Brand>) -> u32 {
    u32::from(!brand.is_some_and(|brand| brand.counts_as_used))
}

fn build_entity(new: &NewEntity, id: EntityId, brand_ordinal: BrandOrdinal, now: Timestamp) -> Entity {
    Entity {
        id,
        brand: new.brand,
        brand_ordinal,
        name: new.name.clone(),
        target: new.target.as_str().to_owned(),
        target_type: new.target.target_type(),
        domain: new.target.registrable().map(str::to_owned),
        favicon_url: new.target.favicon_url(),
        description: new.description.clone(),
        language: new.language,
        geolocation: new.geolocation,
        tracking_type: new.tracking_type,
        aliases: Vec::new(),
        models: new.models.clone(),
        model_ordinals: new.models.clone(),
        is_active: new.start_tracking,
        frequency_hours: new.frequency_hours,
        created_at: now,
        prompt_seq: PromptOrdinal::from_index(new.prompts.len()),
        prompts: to_u32(new.prompts.len()),
        check_seq: CheckNumber::new(0),
        next_check_at: new.start_tracking.then_some(now),
        running: None,
        last_check: None,
        claimed_on: None,
        problems: Vec::new(),
        last_alert: None,
        active_actionables: 0,
        last_name_request: None,
        revision: 0,
        deleted_at: None,
        erase_again_at: None,
    }
}
