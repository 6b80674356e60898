//! Updates all prompts of a request, or none.

use std::collections::BTreeMap;
use std::sync::Arc;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::entity::Entity;
use domain::id::EntityId;
use domain::ordinal::PromptOrdinal;
use domain::prompt::{Prompt, PromptChange, PromptUpdate};
use futures::{StreamExt, TryStreamExt};

use crate::entities::write::replace_entity;
use crate::expression::{Values, bool_value, string_value};
use crate::refusal::require_subscription;
use crate::retry::Attempt;
use crate::transaction::{MAX_ACTIONS, Transaction};
use crate::{Refusal, Resource, Store, StoreError, Tenant, WriteError, keys};

const CONCURRENCY: usize = 10;

/// An updated prompt and its entity, whose language and location it can inherit.
#[derive(Debug, Clone)]
pub struct UpdatedPrompt {
    pub entity: Arc<Entity>,
    /// The prompt without deleted tags.
    pub prompt: Prompt,
}

/// An entity and those of its prompts that are updated, by ordinal.
struct EntityPrompts {
    entity: Arc<Entity>,
    prompts: BTreeMap<PromptOrdinal, Prompt>,
    /// Whether the update activates the first active prompt of the entity.
    becomes_due: bool,
}

impl Store {
    /// Updates all of the prompts or none. `updates` has at most 100 entries, each for a different prompt.
    /// Returns the prompts in the order of `updates`. The first active prompt of an active entity makes the
    /// entity due.
    pub async fn update_prompts(
        &self,
        tenant: &Tenant,
        updates: &[PromptUpdate],
    ) -> Result<Vec<UpdatedPrompt>, WriteError<Refusal>> {
        let attempt = async || self.try_to_update(tenant, updates).await;
        self.retry_on_conflict("a prompt", attempt).await
    }

    async fn try_to_update(
        &self,
        tenant: &Tenant,
        updates: &[PromptUpdate],
    ) -> Result<Attempt<Vec<UpdatedPrompt>>, WriteError<Refusal>> {
        let (workspace, tags, entities) = tokio::try_join!(
            self.workspace(tenant),
            self.tags(tenant),
            self.read_prompts_of_entities(tenant, updates)
        )?;
        let mut changed = Vec::new();
        for (index, update) in updates.iter().enumerate() {
            let stored = entities.get(&update.id.entity);
            let prompt =
                stored.and_then(|stored| Some((&stored.entity, stored.prompts.get(&update.id.ordinal)?)));
            let (entity, prompt) = prompt
                .ok_or_else(|| Refusal::NotFoundAt(Resource::Prompt, format!("updates[{index}].promptId")))?;
            let (entity, mut prompt) = (entity.clone(), prompt.clone());
            update.change.apply(&mut prompt);
            prompt.drop_deleted_tags(&tags);
            changed.push(UpdatedPrompt { entity, prompt });
        }
        require_subscription(workspace, self.clock.now())?;

        let mut transaction = Transaction::default();
        for update in updates {
            let (update_expression, bound) = update_expression(&update.change);
            let key = keys::prompt(tenant, &update.id.entity, update.id.ordinal);
            transaction.update(&key, update_expression, "#isDeleted = :no", bound);
        }
        let due = entities.values().filter(|stored| stored.becomes_due);
        let due: Vec<&Entity> = due.map(|stored| stored.entity.as_ref()).collect();
        let room = MAX_ACTIONS.saturating_sub(updates.len());
        let (due_in_transaction, due_afterwards) = due.split_at(room.min(due.len()));
        for &entity in due_in_transaction {
            let mut entity = entity.clone();
            entity.make_due(self.clock.now());
            replace_entity(&mut transaction, tenant, entity)?;
        }
        if !self.transact(transaction).await?.is_committed() {
            // A prompt was deleted, or an entity changed.
            return Ok(Attempt::Retry);
        }
        for entity in due_afterwards {
            self.make_due(tenant, &entity.id).await?;
        }
        Ok(Attempt::Done(changed))
    }

    /// Reads the entities of the updates with the updated prompts. Entities that do not exist are left out.
    async fn read_prompts_of_entities(
        &self,
        tenant: &Tenant,
        updates: &[PromptUpdate],
    ) -> Result<BTreeMap<EntityId, EntityPrompts>, StoreError> {
        let mut changes: BTreeMap<&EntityId, BTreeMap<PromptOrdinal, &PromptChange>> = BTreeMap::new();
        for update in updates {
            let of_entity = changes.entry(&update.id.entity).or_default();
            of_entity.insert(update.id.ordinal, &update.change);
        }
        let reads: Vec<_> = changes
            .iter()
            .map(|(id, changes)| self.read_entity_prompts(tenant, id, changes))
            .collect();
        let reads = futures::stream::iter(reads).buffered(CONCURRENCY);
        let entities: Vec<Option<EntityPrompts>> = reads.try_collect().await?;
        let entities = entities.into_iter().flatten();
        Ok(entities.map(|read| (read.entity.id, read)).collect())
    }

    /// Reads an entity and those of its prompts that are updated. Returns `None` if the entity does not
    /// exist.
    async fn read_entity_prompts(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        changes: &BTreeMap<PromptOrdinal, &PromptChange>,
    ) -> Result<Option<EntityPrompts>, StoreError> {
        let ordinals: Vec<PromptOrdinal> = changes.keys().copied().collect();
        let (entity, prompts) = tokio::try_join!(
            self.entity(tenant, id),
            self.prompts_by_ordinal(tenant, id, &ordinals)
        )?;
        let Some(entity) = entity else {
            return Ok(None);
        };
        let prompts = prompts.into_iter().filter(|prompt| !prompt.is_deleted);
        let prompts: BTreeMap<PromptOrdinal, Prompt> =
            prompts.map(|prompt| (prompt.ordinal, prompt)).collect();
        let resumes = |(ordinal, prompt)| changes.get(ordinal).is_some_and(|change| change.resumes(prompt));
        let becomes_due =
            entity.is_active && prompts.iter().any(resumes) && !self.has_active_prompt(tenant, id).await?;
        Ok(Some(EntityPrompts {
            entity: Arc::new(entity),
            prompts,
            becomes_due,
        }))
    }

    /// Makes an active entity due.
    async fn make_due(&self, tenant: &Tenant, id: &EntityId) -> Result<(), StoreError> {
        let attempt = || async {
            let Some(mut entity) = self.entity(tenant, id).await? else {
                return Ok(Attempt::Done(()));
            };
            entity.make_due(self.clock.now());
            let mut transaction = Transaction::default();
            replace_entity(&mut transaction, tenant, entity)?;
            Ok(self.transact(transaction).await?.done_or_retry(()))
        };
        self.retry_on_conflict("the entity", attempt).await
    }
}

/// Returns the update expression of a change and its values. It contains only the changed fields, because
/// others can be updated concurrently.
fn update_expression(change: &PromptChange) -> (String, Values) {
    let mut sets = Vec::new();
    let mut removes = Vec::new();
    let mut bound = vec![(":no", bool_value(false))];
    let mut set = |attribute: &'static str, name: &'static str, value: Option<AttributeValue>| match value {
        Some(value) => {
            sets.push(format!("{attribute} = {name}"));
            bound.push((name, value));
        }
        None => removes.push(attribute),
    };
    if let Some(text) = &change.text {
        set("#text", ":text", Some(string_value(text.as_str())));
    }
    if let Some(language) = &change.language {
        set(
            "#language",
            ":language",
            language.map(|language| string_value(language.to_string())),
        );
    }
    if let Some(geolocation) = &change.geolocation {
        let geolocation = geolocation.map(|geolocation| string_value(geolocation.to_string()));
        set("#geolocation", ":geolocation", geolocation);
    }
    if let Some(is_active) = change.is_active {
        set("#isActive", ":active", Some(bool_value(is_active)));
    }
    if let Some(tags) = &change.tags {
        let tags = tags.iter().map(|tag| string_value(tag.as_str())).collect();
        set("#tags", ":tags", Some(AttributeValue::L(tags)));
    }
    let parts = [("SET ", sets.join(", ")), ("REMOVE ", removes.join(", "))];
    let parts = parts.into_iter().filter(|(_, list)| !list.is_empty());
    let parts: Vec<String> = parts.map(|(verb, list)| format!("{verb}{list}")).collect();
    (parts.join(" "), bound)
}
