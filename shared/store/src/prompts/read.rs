//! Reads prompts.

use std::collections::{HashMap, HashSet};

use domain::id::EntityId;
use domain::ordinal::PromptOrdinal;
use domain::prompt::Prompt;
use futures::future::try_join_all;

use crate::expression::{bool_value, names, string_value};
use crate::items::{Consistency, MAX_BATCH_KEYS, from_item};
use crate::keys::Key;
use crate::{Store, StoreError, Tenant, keys};

/// The number of prompts per page of the search for an active one. Usual prompts fill less than one read
/// unit.
const READ_PAGE_SIZE: i32 = 10;

impl Store {
    /// Lists the entity's prompts in the order of their creation, including deleted ones.
    pub async fn prompts(&self, tenant: &Tenant, entity: &EntityId) -> Result<Vec<Prompt>, StoreError> {
        let partition = keys::entity_partition(tenant, entity);
        self.list(&partition, keys::PROMPT).await
    }

    /// Reads up to 100 prompts of the entity by ordinal, strongly consistent. Ordinals without a prompt are
    /// left out.
    pub async fn prompts_by_ordinal(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        ordinals: &[PromptOrdinal],
    ) -> Result<Vec<Prompt>, StoreError> {
        let keys = ordinals
            .iter()
            .map(|ordinal| keys::prompt(tenant, entity, *ordinal))
            .collect();
        self.batch_get(keys).await
    }

    /// Returns whether the entity has a prompt that is neither paused nor deleted. One small page usually
    /// suffices.
    pub async fn has_active_prompt(&self, tenant: &Tenant, entity: &EntityId) -> Result<bool, StoreError> {
        let (condition, filter) = (
            "#PK = :pk AND begins_with(#SK, :prompt)",
            "#isActive = :yes AND #isDeleted = :no",
        );
        let mut pages = self
            .db
            .query()
            .table_name(&self.table)
            .key_condition_expression(condition)
            .filter_expression(filter)
            .set_expression_attribute_names(names(&[condition, filter]))
            .expression_attribute_values(":pk", string_value(keys::entity_partition(tenant, entity)))
            .expression_attribute_values(":prompt", string_value(keys::PROMPT))
            .expression_attribute_values(":yes", bool_value(true))
            .expression_attribute_values(":no", bool_value(false))
            .consistent_read(true)
            .limit(READ_PAGE_SIZE)
            .into_paginator()
            .send();
        while let Some(page) = pages.try_next().await? {
            if page.count() > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns those of the entities whose first prompt is neither paused nor deleted, eventually consistent.
    pub async fn with_active_first_prompt(
        &self,
        tenant: &Tenant,
        entities: &[&EntityId],
    ) -> Result<HashSet<EntityId>, StoreError> {
        let first = PromptOrdinal::new(1);
        let by_key: HashMap<String, &EntityId> = entities
            .iter()
            .map(|entity| (keys::entity_partition(tenant, entity), *entity))
            .collect();
        let keys: Vec<Key> = entities
            .iter()
            .map(|entity| keys::prompt(tenant, entity, first))
            .collect();
        let batches = keys.chunks(MAX_BATCH_KEYS);
        let batches = batches.map(|batch| self.batch_items(batch.to_vec(), Consistency::Eventual));
        let mut found = HashSet::new();
        for item in try_join_all(batches).await?.into_iter().flatten() {
            let entity =
                keys::partition_key(&item).and_then(|partition| by_key.get(partition).copied().copied());
            let prompt: Prompt = from_item(item)?;
            found.extend(entity.filter(|_| prompt.is_active && !prompt.is_deleted));
        }
        Ok(found)
    }

    /// Lists the entity's prompts in the order of their creation, without deleted tags.
    pub async fn tagged_prompts(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
    ) -> Result<Vec<Prompt>, StoreError> {
        let (mut prompts, tags) = tokio::try_join!(self.prompts(tenant, entity), self.tags(tenant))?;
        for prompt in &mut prompts {
            prompt.drop_deleted_tags(&tags);
        }
        Ok(prompts)
    }
}
