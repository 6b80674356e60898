//! Updates prompts: all those of a request, or none.

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
use crate::refusal::require_active;
use crate::retry::Attempt;
use crate::transaction::{MAX_ACTIONS, Transaction};
use crate::{Refusal, Resource, Store, StoreError, Tenant, WriteError, keys};

/// The number of entities that are read concurrently.
const CONCURRENCY: usize = 10;

/// An updated prompt and its entity, whose language and location it can inherit.
#[derive(Debug, Clone)]
pub struct UpdatedPrompt {
    pub entity: Arc<Entity>,
    /// The prompt without deleted tags.
    pub prompt: Prompt,
}

/// An entity and those of its prompts that are updated, by ordinal.
struct Seen {
    entity: Arc<Entity>,
    prompts: BTreeMap<PromptOrdinal, Prompt>,
    /// Whether the entity has no active prompt yet and the update activates its first one.
    wakes: bool,
}

impl Store {
    /// Updates all of the prompts or none. `updates` has at most 100 entries, each for another prompt. Returns the prompts in the
    /// order of `updates`. The first active prompt of an active entity makes the entity due.
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
        let (workspace, tags, seen) = tokio::try_join!(
            self.workspace(tenant),
            self.tags(tenant),
            self.read_prompts_of_entities(tenant, updates)
        )?;
        let mut changed = Vec::new();
        for update in updates {
            let seen = seen.get(&update.id.entity);
            let prompt = seen.and_then(|seen| Some((&seen.entity, seen.prompts.get(&update.id.ordinal)?)));
            let (entity, prompt) = prompt.ok_or(Refusal::NotFound(Resource::Prompt))?;
            let (entity, mut prompt) = (entity.clone(), prompt.clone());
            update.change.apply(&mut prompt);
            prompt.drop_deleted_tags(&tags);
            changed.push(UpdatedPrompt { entity, prompt });
        }
        require_active(workspace)?;

        let mut transaction = Transaction::default();
        for update in updates {
            let (sets, bound) = sets(&update.change);
            let key = keys::prompt(tenant, &update.id.entity, update.id.ordinal);
            transaction.update(key, sets, "#isDeleted = :no", bound);
        }
        let (mut awake, mut asleep) = (Vec::new(), Vec::new());
        for seen in seen.values().filter(|seen| seen.wakes) {
            let fits = updates.len() + awake.len() < MAX_ACTIONS;
            let place = if fits { &mut awake } else { &mut asleep };
            place.push(seen.entity.as_ref());
        }
        for entity in awake {
            let mut entity = entity.clone();
            entity.make_due(self.clock.now());
            replace_entity(&mut transaction, tenant, entity)?;
        }
        if !self.transact(transaction).await?.is_committed() {
            // A prompt was deleted, or an entity changed.
            return Ok(Attempt::Retry);
        }
        for entity in asleep {
            self.make_due(tenant, &entity.id).await?;
        }
        Ok(Attempt::Done(changed))
    }

    /// Reads the entities of the updates that exist.
    async fn read_prompts_of_entities(
        &self,
        tenant: &Tenant,
        updates: &[PromptUpdate],
    ) -> Result<BTreeMap<EntityId, Seen>, StoreError> {
        let mut changes: BTreeMap<&EntityId, BTreeMap<PromptOrdinal, &PromptChange>> = BTreeMap::new();
        for update in updates {
            let of_entity = changes.entry(&update.id.entity).or_default();
            of_entity.insert(update.id.ordinal, &update.change);
        }
        let looks: Vec<_> = changes
            .iter()
            .map(|(id, changes)| self.see(tenant, id, changes))
            .collect();
        let looks = futures::stream::iter(looks).buffered(CONCURRENCY);
        let seen: Vec<Option<Seen>> = looks.try_collect().await?;
        let seen = seen.into_iter().flatten();
        Ok(seen.map(|seen| (seen.entity.id.clone(), seen)).collect())
    }

    async fn see(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        changes: &BTreeMap<PromptOrdinal, &PromptChange>,
    ) -> Result<Option<Seen>, StoreError> {
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
        let wakes =
            entity.is_active && prompts.iter().any(resumes) && !self.has_active_prompt(tenant, id).await?;
        Ok(Some(Seen {
            entity: Arc::new(entity),
            prompts,
            wakes,
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

/// Returns the update expression and its values. It contains only the changed fields, because others can be updated
/// concurrently.
fn sets(change: &PromptChange) -> (String, Values) {
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
