//! Creating an entity: entity, prompts, quota and first schedule in one transaction.

use domain::entity::{Entity, TrackingType};
use domain::id::EntityId;
use domain::limits;
use domain::locale::{Geolocation, Language};
use domain::prompt::{NewPrompt, Prompt};
use domain::target::Target;
use domain::time::{HOUR, Millis, SECOND};
use domain::workspace::{Status, Workspace};
use uuid::Uuid;

use super::write::entity_item;
use crate::brands::Brand;
use crate::expression::{Values, n, s};
use crate::items::to_item;
use crate::prompts::new_prompts;
use crate::transaction::{Outcome, Transaction, pause};
use crate::{Store, StoreError, Tenant, keys};

/// Tries before the workspace counts as too busy. A try fails only because another creation succeeded.
const TRIES: u32 = 40;

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
}

/// The rule that an entity's creation breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreateRefused {
    NoWorkspace,
    Canceled,
    AlreadyTracked,
    EntityLimit {
        limit: u32,
    },
    PromptLimit {
        limit: u32,
        free: u32,
    },
    /// The hourly rate is used up for so many more seconds.
    TooMany {
        retry_after: i64,
    },
}

/// What is created: the entity and its prompts in the order given.
type Created = (Entity, Vec<Prompt>);

impl CreateRefused {
    /// The rule that creating an entity with so many prompts breaks now.
    pub fn check(workspace: &Workspace, prompts: usize, real: Millis) -> Option<Self> {
        if workspace.status == Status::Canceled {
            return Some(Self::Canceled);
        }
        if workspace.entities_used >= workspace.entities_limit {
            return Some(Self::EntityLimit {
                limit: workspace.entities_limit,
            });
        }
        let free = workspace.prompts_limit.saturating_sub(workspace.prompts_used);
        if prompts > usize::try_from(free).unwrap_or(usize::MAX) {
            return Some(Self::PromptLimit {
                limit: workspace.prompts_limit,
                free,
            });
        }
        let hour = real.0.div_euclid(HOUR).max(workspace.create_hour);
        let used = if workspace.create_hour == hour {
            workspace.creates
        } else {
            0
        };
        if used >= workspace.creates_per_hour {
            let left = (hour + 1) * HOUR - real.0;
            return Some(Self::TooMany {
                retry_after: (left + SECOND - 1).div_euclid(SECOND).max(1),
            });
        }
        None
    }
}

impl Store {
    /// Whether the workspace tracks this target already.
    pub async fn is_tracked(&self, tenant: &Tenant, target: &Target) -> Result<bool, StoreError> {
        let key = keys::target(tenant, &target.uniqueness_key());
        Ok(self.get::<TrackedTarget>(&key, true).await?.is_some())
    }

    /// Creates an entity with its prompts, or nothing. `now` is service time, `real` real time.
    pub async fn create_entity(
        &self,
        tenant: &Tenant,
        new: &NewEntity,
        now: Millis,
        real: Millis,
    ) -> Result<Result<Created, CreateRefused>, StoreError> {
        let id = EntityId::from_random(Uuid::new_v4());
        for attempt in 0..TRIES {
            let (workspace, brand) = tokio::try_join!(self.workspace(tenant), self.brand(tenant, new.brand))?;
            let Some(workspace) = workspace else {
                return Ok(Err(CreateRefused::NoWorkspace));
            };
            if let Some(refused) = CreateRefused::check(&workspace, new.prompts.len(), real) {
                return Ok(Err(refused));
            }
            let ordinal = brand.as_ref().map_or(workspace.brand_seq + 1, |b| b.ordinal);
            let entity = entity(new, id.clone(), ordinal, now);
            let prompts = new_prompts(&new.prompts, 1, now);

            let mut transaction = Transaction::default();
            count_entity(
                &mut transaction,
                tenant,
                &workspace,
                new.prompts.len(),
                brand.is_none(),
                real,
            );
            let target = TrackedTarget { entity: id.clone() };
            let target = transaction.create(to_item(
                &keys::target(tenant, &new.target.uniqueness_key()),
                &target,
            )?);
            track_brand(&mut transaction, tenant, brand.as_ref(), &entity)?;
            transaction.create(entity_item(tenant, &entity)?);
            for prompt in &prompts {
                transaction.create(to_item(&keys::prompt(tenant, &id, prompt.ordinal), prompt)?);
            }
            match self.transact(transaction).await? {
                Outcome::Done => return Ok(Ok((entity, prompts))),
                Outcome::Refused(refusals) if refusals.failed(target) => {
                    return Ok(Err(CreateRefused::AlreadyTracked));
                }
                // The counters or the brand moved: look again.
                Outcome::Refused(_) => pause(attempt.min(2)).await,
            }
        }
        Err(StoreError::Unavailable("too many creations at once".to_owned()))
    }
}

#[derive(serde::Serialize, serde::Deserialize)]
struct TrackedTarget {
    entity: EntityId,
}

fn entity(new: &NewEntity, id: EntityId, brand_ordinal: u32, now: Millis) -> Entity {
    let active_prompts = u32::try_from(new.prompts.len()).unwrap_or(u32::MAX);
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
        frequency_hours: limits::FREQUENCY_HOURS_DEFAULT,
        created_at: now,
        prompt_seq: active_prompts,
        check_seq: 0,
        active_prompts,
        next_check_at: (new.start_tracking && active_prompts > 0).then_some(now),
        running: None,
        last_check: None,
        problems: Vec::new(),
        revision: 0,
    }
}

/// Counts the entity, its prompts and its creation. The conditions compare counters with the limits beside
/// them, so that no other creation in between makes it too many.
fn count_entity(
    transaction: &mut Transaction,
    tenant: &Tenant,
    workspace: &Workspace,
    prompts: usize,
    new_brand: bool,
    real: Millis,
) {
    let hour = real.0.div_euclid(HOUR).max(workspace.create_hour);
    let mut update = "SET #entitiesUsed = #entitiesUsed + :one, #promptsUsed = #promptsUsed + :prompts, \
                      #createHour = :hour"
        .to_owned();
    let mut condition = "#entitiesUsed < #entitiesLimit AND #promptsUsed <= :most \
                         AND #promptsLimit = :limit AND #status <> :canceled"
        .to_owned();
    let mut bound: Values = vec![
        (":one", n(1)),
        (":prompts", n(prompts)),
        (":hour", n(hour)),
        (
            ":most",
            n(i64::from(workspace.prompts_limit) - i64::try_from(prompts).unwrap_or(i64::MAX)),
        ),
        (":limit", n(workspace.prompts_limit)),
        (":canceled", s(Status::Canceled.name())),
    ];
    if workspace.create_hour == hour {
        update.push_str(", #creates = #creates + :one");
        condition.push_str(" AND #createHour = :hour AND #creates < #createsPerHour");
    } else {
        update.push_str(", #creates = :one");
        condition.push_str(" AND #createHour = :lastHour AND #createsPerHour >= :one");
        bound.push((":lastHour", n(workspace.create_hour)));
    }
    if new_brand {
        update.push_str(", #brandSeq = #brandSeq + :one");
        condition.push_str(" AND #brandSeq = :brandSeq");
        bound.push((":brandSeq", n(workspace.brand_seq)));
    }
    transaction.update(keys::workspace(tenant), update, condition, bound);
}

fn track_brand(
    transaction: &mut Transaction,
    tenant: &Tenant,
    brand: Option<&Brand>,
    entity: &Entity,
) -> Result<(), StoreError> {
    let key = keys::brand(tenant, entity.brand);
    let tracking = entity.id.to_string();
    if brand.is_none() {
        let brand = Brand {
            uuid: entity.brand,
            ordinal: entity.brand_ordinal,
            domain: entity.domain.clone(),
            trackings: vec![tracking],
        };
        transaction.create(to_item(&key, &brand)?);
        return Ok(());
    }
    let added = aws_sdk_dynamodb::types::AttributeValue::L(vec![s(tracking)]);
    transaction.update(
        key,
        "SET #trackings = list_append(#trackings, :new)",
        "attribute_exists(PK)",
        vec![(":new", added)],
    );
    Ok(())
}
