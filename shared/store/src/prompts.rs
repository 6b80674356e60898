//! Prompts of an entity, numbered in the transaction that creates them.

use domain::id::EntityId;
use domain::prompt::{NewPrompt, Prompt};
use domain::time::Millis;
use domain::workspace::Status;

use crate::entities::write::replace_entity;
use crate::expression::{n, s};
use crate::items::{Reading, STRONG, Sort, to_item};
use crate::transaction::{Outcome, Transaction, pause};
use crate::{Store, StoreError, Tenant, keys};

/// Tries before the entity counts as too busy. A try fails only because another change succeeded.
const TRIES: u32 = 40;

/// The rule that adding prompts breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddRefused {
    UnknownEntity,
    Canceled,
    PromptLimit { limit: u32, free: u32 },
}

pub(crate) fn new_prompts(new: &[NewPrompt], first: u32, now: Millis) -> Vec<Prompt> {
    (first..)
        .zip(new)
        .map(|(ordinal, new)| Prompt {
            ordinal,
            text: new.text.clone(),
            language: new.language,
            geolocation: new.geolocation,
            created_at: now,
            is_active: true,
            is_deleted: false,
            tags: Vec::new(),
        })
        .collect()
}

impl Store {
    /// The entity's prompts, deleted ones included, in the order of their creation.
    pub async fn prompts(&self, tenant: &Tenant, entity: &EntityId) -> Result<Vec<Prompt>, StoreError> {
        self.prompts_as(tenant, entity, STRONG).await
    }

    pub(crate) async fn prompts_as(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        reading: Reading<'_>,
    ) -> Result<Vec<Prompt>, StoreError> {
        let partition = keys::entity_partition(tenant, entity);
        self.query_as(&partition, Sort::Prefix(keys::PROMPT.to_owned()), reading)
            .await
    }

    /// Some prompts of the entity, as far as they exist, strongly consistent. At most 100.
    pub async fn prompts_by_number(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        ordinals: &[u32],
    ) -> Result<Vec<Prompt>, StoreError> {
        let keys = ordinals
            .iter()
            .map(|ordinal| keys::prompt(tenant, entity, *ordinal))
            .collect();
        self.batch_get(keys).await
    }

    /// Adds prompts to an entity, all or none. The first active prompt of an active entity makes it due.
    pub async fn add_prompts(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        new: &[NewPrompt],
        now: Millis,
    ) -> Result<Result<Vec<Prompt>, AddRefused>, StoreError> {
        let count = u32::try_from(new.len()).unwrap_or(u32::MAX);
        for attempt in 0..TRIES {
            let (entity, workspace) = tokio::try_join!(self.entity(tenant, id), self.workspace(tenant))?;
            let (Some(mut entity), Some(workspace)) = (entity, workspace) else {
                return Ok(Err(AddRefused::UnknownEntity));
            };
            if workspace.status == Status::Canceled {
                return Ok(Err(AddRefused::Canceled));
            }
            let free = workspace.prompts_limit.saturating_sub(workspace.prompts_used);
            if count > free {
                return Ok(Err(AddRefused::PromptLimit {
                    limit: workspace.prompts_limit,
                    free,
                }));
            }
            let prompts = new_prompts(new, entity.prompt_seq + 1, now);
            entity.prompt_seq += count;
            entity.active_prompts += count;
            if entity.is_checkable() && entity.next_check_at.is_none() {
                entity.next_check_at = Some(now);
            }

            let mut transaction = Transaction::default();
            transaction.update(
                keys::workspace(tenant),
                "SET #promptsUsed = #promptsUsed + :count",
                "#promptsUsed <= :most AND #promptsLimit = :limit AND #status <> :canceled",
                vec![
                    (":count", n(count)),
                    (":most", n(i64::from(workspace.prompts_limit) - i64::from(count))),
                    (":limit", n(workspace.prompts_limit)),
                    (":canceled", s(Status::Canceled.name())),
                ],
            );
            replace_entity(&mut transaction, tenant, entity)?;
            for prompt in &prompts {
                transaction.create(to_item(&keys::prompt(tenant, id, prompt.ordinal), prompt)?);
            }
            match self.transact(transaction).await? {
                Outcome::Done => return Ok(Ok(prompts)),
                // The counters or the entity moved: look again.
                Outcome::Refused(_) => pause(attempt.min(2)).await,
            }
        }
        Err(StoreError::Unavailable(
            "too many changes of the entity at once".to_owned(),
        ))
    }
}
