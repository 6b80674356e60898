//! Deletes an entity. Clients no longer find it from then on, and its children are cleaned up in the background.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::entity::Entity;
use domain::id::EntityId;
use domain::time::SECOND;
use domain::workspace::SubscriptionStatus;
use futures::{StreamExt, TryStreamExt};

use super::target::uniqueness_key;
use super::write::{expiring_entity, replace_entity};
use crate::expression::{number_value, string_value};
use crate::groups::detach::detach_tracking;
use crate::items::{Item, ReadOptions, SortKeys};
use crate::keys::Key;
use crate::refusal::require_subscription;
use crate::rereading::names_changed;
use crate::retry::Attempt;
use crate::table::{PARTITION_KEY, SORT_KEY, TTL_ATTRIBUTE};
use crate::transaction::Transaction;
use crate::{Refusal, Resource, Store, StoreError, Tenant, WriteError, keys};

/// The number of children that are written concurrently.
const CONCURRENCY: usize = 8;

impl Store {
    /// Deletes an entity and makes it due for its cleanup. The entity and its children are no longer found and do not count
    /// against the limits. If it was the last tracking of its brand, the brand leaves its group, and groups that are no
    /// longer valid are deleted.
    pub async fn delete_entity(&self, tenant: &Tenant, id: &EntityId) -> Result<(), WriteError<Refusal>> {
        let attempt = || async {
            let (entity, workspace) = tokio::try_join!(self.entity(tenant, id), self.workspace(tenant))?;
            let (entity, workspace) = entity.zip(workspace).ok_or(Refusal::NotFound(Resource::Entity))?;
            require_subscription(Some(workspace), self.clock.now())?;
            Ok(self.try_to_delete(tenant, entity).await?)
        };
        self.retry_on_conflict("the entity", attempt).await
    }

    async fn try_to_delete(&self, tenant: &Tenant, mut entity: Entity) -> Result<Attempt<()>, StoreError> {
        // The groups are read after the entity and the brands after the groups, so that no group or member is missing.
        let groups = self.groups(tenant).await?;
        let brands = self.brands(tenant).await?;
        let now = self.clock.now();
        let mut transaction = Transaction::default();
        let Some(freed) = detach_tracking(&mut transaction, tenant, &entity, &groups, &brands, now)? else {
            return Ok(Attempt::Retry);
        };
        transaction.update(
            keys::workspace(tenant),
            "SET #entitiesUsed = #entitiesUsed - :freed, #promptsUsed = #promptsUsed - :prompts",
            "#entitiesUsed >= :freed AND #promptsUsed >= :prompts AND #status <> :canceled",
            vec![
                (":freed", number_value(freed)),
                (":prompts", number_value(entity.prompts)),
                (":canceled", string_value(SubscriptionStatus::Canceled.into_str())),
            ],
        );
        transaction.delete(keys::target(tenant, &uniqueness_key(&entity)?));
        names_changed(&mut transaction, tenant, now);
        entity.deleted_at = Some(now);
        entity.next_check_at = None;
        replace_entity(&mut transaction, tenant, entity)?;
        Ok(self.transact(transaction).await?.done_or_retry(()))
    }

    /// Makes every child of a deleted entity expire now, unless it has an expiry already. The call is idempotent.
    pub async fn expire_children(&self, tenant: &Tenant, id: &EntityId) -> Result<(), StoreError> {
        let keys_only = ReadOptions {
            consistent: true,
            projection: Some("#PK, #SK"),
        };
        let children = self
            .query(&keys::entity_partition(tenant, id), SortKeys::All, keys_only)
            .await?;
        let keys: Vec<Key> = children
            .iter()
            .filter(|child| !child.contains_key(TTL_ATTRIBUTE))
            .filter_map(key_of)
            .collect();
        futures::stream::iter(keys)
            .map(|key| self.expire(key))
            .buffer_unordered(CONCURRENCY)
            .try_collect()
            .await
    }

    async fn expire(&self, key: Key) -> Result<(), StoreError> {
        let update = format!("SET #{TTL_ATTRIBUTE} = :now");
        let now = number_value(self.clock.now().window(SECOND));
        self.update_one(&key, &update, "attribute_exists(PK)", vec![(":now", now)])
            .await
            .map(|_| ())
    }

    /// Makes a deleted entity expire. Its check must have ended and its children must have an expiry. Returns `false` if the
    /// entity has changed since it was read.
    pub async fn expire_entity(&self, tenant: &Tenant, entity: Entity) -> Result<bool, StoreError> {
        let mut transaction = Transaction::default();
        let expected = entity.revision;
        transaction.put(
            expiring_entity(tenant, entity, self.clock.now())?,
            "#revision = :expected AND attribute_not_exists(#running)",
            vec![(":expected", number_value(expected))],
        );
        Ok(self.transact(transaction).await?.is_committed())
    }
}

fn key_of(child: &Item) -> Option<Key> {
    let part = |name: &str| match child.get(name) {
        Some(AttributeValue::S(text)) => Some(text.clone()),
        _ => None,
    };
    Some(Key {
        pk: part(PARTITION_KEY)?,
        sk: part(SORT_KEY)?,
    })
}
