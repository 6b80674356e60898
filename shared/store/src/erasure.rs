//! Erases the items of deleted entities and workspaces.
//!
//! An erasure goes over the partitions of what was deleted, and ends every item that it finds there: most are
//! deleted, and those that still refuse late writes expire at once. What is left to do follows from the
//! table, so an erasure can stop anywhere and run again. It is repeated until it finds nothing, because a
//! step that had begun before the deletion can still write.

use domain::entity::Entity;
use domain::family::Family;
use domain::id::EntityId;
use domain::limits::{FACT_RETENTION, MAX_RESPONSE_RETENTION_DAYS};
use domain::time::{DAY, Day, Month, SECOND, Timestamp};
use domain::workspace::SubscriptionStatus;
use futures::{StreamExt, TryStreamExt};

use crate::entities::write::{expiring_entity, replace_entity};
use crate::expression::{names, number_value, string_value};
use crate::items::Item;
use crate::keys::{DuePart, Key};
use crate::retry::Attempt;
use crate::table::{DUE_PARTITION_KEY, DUE_SORT_KEY, PARTITION_KEY, SORT_KEY, TTL_ATTRIBUTE};
use crate::transaction::Transaction;
use crate::{Store, StoreError, Tenant, keys};

const CONCURRENCY: usize = 32;
const PAGE: i32 = 1_000;

/// What a part of an erasure has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErasedItems {
    /// The number of items that were ended.
    pub count: usize,
    /// Whether nothing was left when the last partition was read.
    pub is_complete: bool,
}

/// A workspace that is marked as deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeletedWorkspace {
    pub deleted_at: Timestamp,
    /// The number of its keys. None of them works any more.
    pub keys: usize,
    /// The number of its entities that are not erased yet.
    pub entities: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// It is deleted.
    Delete,
    /// It counts as absent from now on, and refuses late writes until DynamoDB deletes it.
    Expire,
    /// It stays, because it ends otherwise.
    Keep,
}

/// The items that one step may still end.
struct Budget {
    count: usize,
    max: usize,
}

impl Budget {
    fn left(&self) -> usize {
        self.max.saturating_sub(self.count)
    }
}

impl Store {
    /// Ends up to `max` items of a deleted entity: its prompts, board, checks, answers and facts. Its check
    /// must have ended. The entity itself stays until [`Self::expire_entity`].
    pub async fn erase_entity_items(
        &self,
        tenant: &Tenant,
        entity: &Entity,
        max: usize,
    ) -> Result<ErasedItems, StoreError> {
        let mut budget = Budget { count: 0, max };
        // A closed shard refuses the answers of a worker that is held up. A request for a rereading would
        // stay due.
        let child = |sort: &str| match sort {
            keys::REREAD => End::Delete,
            _ => End::Expire,
        };
        let children = keys::entity_partition(tenant, &entity.id);
        let mut is_complete = self.erase_partition(&children, child, &mut budget).await?;
        for partition in data_partitions(tenant, &entity.id, &self.answer_months(entity)) {
            is_complete = is_complete
                && self
                    .erase_partition(&partition, |_| End::Delete, &mut budget)
                    .await?;
        }
        Ok(ErasedItems {
            count: budget.count,
            is_complete,
        })
    }

    /// Returns the months in which answers of the entity can count: those of its life, and those of which
    /// something could be kept.
    pub fn answer_months(&self, entity: &Entity) -> Vec<Month> {
        let now = self.clock.now();
        let kept_since = now - FACT_RETENTION.max(MAX_RESPONSE_RETENTION_DAYS * DAY);
        let first = entity.created_at.min(kept_since).day();
        // The day of a check that is claimed now can be tomorrow on another clock.
        let days = first.0.max(0)..=now.day().0 + 1;
        let mut months: Vec<Month> = days.map(|day| Day(day).month()).collect();
        months.dedup();
        months
    }

    /// Records that everything of a deleted entity was erased, and that the erasure is to be repeated at
    /// `at`. Returns `false` if the entity has changed since it was read.
    pub async fn erase_again_at(
        &self,
        tenant: &Tenant,
        mut entity: Entity,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        entity.erase_again_at = Some(at);
        let mut transaction = Transaction::default();
        replace_entity(&mut transaction, tenant, entity)?;
        Ok(self.transact(transaction).await?.is_committed())
    }

    /// Makes a deleted entity expire. Its check must have ended and its items must be erased. Returns `false`
    /// if the entity has changed since it was read.
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

    /// Deletes a workspace: its keys stop, clients can write nothing more, and it and its entities are due
    /// for their erasure. Returns `None` if it does not exist. The call can be repeated at any time, and
    /// continues one that was interrupted.
    pub async fn delete_workspace(&self, tenant: &Tenant) -> Result<Option<DeletedWorkspace>, StoreError> {
        let now = self.clock.now();
        let id = tenant.workspace().as_str();
        let update = format!(
            "SET #deletedAt = if_not_exists(#deletedAt, :now), #status = :canceled, \
             #{DUE_PARTITION_KEY} = :duePartition, #{DUE_SORT_KEY} = if_not_exists(#{DUE_SORT_KEY}, :dueSort)"
        );
        let bound = vec![
            (":now", number_value(now.as_millis())),
            (":canceled", string_value(SubscriptionStatus::Canceled.into_str())),
            (":duePartition", string_value(DuePart::Work.partition(id))),
            (":dueSort", string_value(keys::due_sort(now, id))),
        ];
        let condition = format!("attribute_exists(PK) AND attribute_not_exists(#{TTL_ATTRIBUTE})");
        let key = keys::workspace(tenant);
        let marked = self.update_one(&key, &update, &condition, bound).await?;
        if marked.item().is_none() {
            return Ok(None);
        }
        let Some(workspace) = self.workspace_or_deleted(tenant).await? else {
            return Ok(None);
        };
        let keys = self.list_keys(tenant).await?;
        for key in keys.iter().filter(|key| !key.revoked) {
            self.revoke_key(tenant, &key.key_id).await?;
        }
        let entities = self.entities_or_deleted(tenant).await?;
        for entity in entities.iter().filter(|entity| entity.deleted_at.is_none()) {
            self.delete_entity_of_deleted_workspace(tenant, entity).await?;
        }
        Ok(Some(DeletedWorkspace {
            deleted_at: workspace.deleted_at.unwrap_or(now),
            keys: keys.len(),
            entities: entities.len(),
        }))
    }

    /// Marks an entity as deleted, without the counters and groups of its workspace, which is deleted as
    /// well.
    async fn delete_entity_of_deleted_workspace(
        &self,
        tenant: &Tenant,
        entity: &Entity,
    ) -> Result<(), StoreError> {
        let attempt = || async {
            let Some(mut entity) = self.entity(tenant, &entity.id).await? else {
                return Ok(Attempt::Done(()));
            };
            entity.deleted_at = Some(self.clock.now());
            entity.next_check_at = None;
            let mut transaction = Transaction::default();
            replace_entity(&mut transaction, tenant, entity)?;
            Ok::<_, StoreError>(self.transact(transaction).await?.done_or_retry(()))
        };
        self.retry_on_conflict("the entity", attempt).await
    }

    /// Lists the workspace's entities that are not erased, even if they are deleted, strongly consistent.
    pub async fn entities_or_deleted(&self, tenant: &Tenant) -> Result<Vec<Entity>, StoreError> {
        let partition = keys::workspace_partition(tenant);
        self.list(&partition, keys::ENTITY).await
    }

    /// Deletes up to `max` items of a deleted workspace: its keys, members, names, groups, tags and credits.
    /// Its entities must be erased. The workspace itself stays until [`Self::expire_workspace`].
    pub async fn erase_workspace_items(
        &self,
        tenant: &Tenant,
        max: usize,
    ) -> Result<ErasedItems, StoreError> {
        let mut budget = Budget { count: 0, max };
        // The list of keys is the only way to the items by which requests find them.
        let digests = self.list_keys(tenant).await?.into_iter();
        let found_by_requests: Vec<_> = digests
            .map(|key| (End::Delete, keys::api_key(&key.digest)))
            .collect();
        self.end_all(found_by_requests).await?;
        let end = |sort: &str| match sort {
            keys::WORKSPACE => End::Keep,
            sort if sort.starts_with(keys::ENTITY) => End::Keep,
            _ => End::Delete,
        };
        let partition = keys::workspace_partition(tenant);
        let is_complete = self.erase_partition(&partition, end, &mut budget).await?;
        Ok(ErasedItems {
            count: budget.count,
            is_complete,
        })
    }

    /// Makes a deleted workspace expire, whose items are erased.
    pub async fn expire_workspace(&self, tenant: &Tenant) -> Result<(), StoreError> {
        let update = format!("SET #{TTL_ATTRIBUTE} = :now REMOVE #{DUE_PARTITION_KEY}, #{DUE_SORT_KEY}");
        let bound = vec![(":now", number_value(self.clock.now().window(SECOND)))];
        let key = keys::workspace(tenant);
        self.update_one(&key, &update, "attribute_exists(#deletedAt)", bound)
            .await
            .map(|_| ())
    }

    /// Ends the items of a partition, within the budget. Returns whether the whole partition was read.
    async fn erase_partition(
        &self,
        partition: &str,
        end: impl Fn(&str) -> End,
        budget: &mut Budget,
    ) -> Result<bool, StoreError> {
        let condition = "#PK = :pk";
        let projection = format!("#{PARTITION_KEY}, #{SORT_KEY}, #{TTL_ATTRIBUTE}");
        let mut start: Option<Item> = None;
        loop {
            if budget.left() == 0 {
                return Ok(false);
            }
            let page = self
                .db
                .query()
                .table_name(&self.table)
                .key_condition_expression(condition)
                .set_expression_attribute_names(names(&[condition, &projection]))
                .expression_attribute_values(":pk", string_value(partition))
                .projection_expression(&projection)
                .consistent_read(true)
                .limit(i32::try_from(budget.left()).map_or(PAGE, |left| left.min(PAGE)))
                .set_exclusive_start_key(start)
                .send()
                .await?;
            // An item that has expired is deleted by DynamoDB.
            let live = page.items().iter().filter(|item| self.is_live(item));
            let ends = live.filter_map(Key::of).map(|key| (end(&key.sk), key));
            let ends: Vec<(End, Key)> = ends.filter(|(end, _)| *end != End::Keep).collect();
            budget.count += ends.len();
            self.end_all(ends).await?;
            start = page.last_evaluated_key;
            if start.is_none() {
                return Ok(true);
            }
        }
    }

    async fn end_all(&self, ends: Vec<(End, Key)>) -> Result<(), StoreError> {
        futures::stream::iter(ends)
            .map(|(end, key)| self.end_item(end, key))
            .buffer_unordered(CONCURRENCY)
            .try_collect()
            .await
    }

    async fn end_item(&self, end: End, key: Key) -> Result<(), StoreError> {
        match end {
            End::Keep => {}
            End::Expire => {
                let update = format!("SET #{TTL_ATTRIBUTE} = :now");
                let now = vec![(":now", number_value(self.clock.now().window(SECOND)))];
                self.update_one(&key, &update, "attribute_exists(PK)", now)
                    .await?;
            }
            End::Delete => {
                let delete = self.db.delete_item().table_name(&self.table);
                delete.set_key(Some(key.attributes())).send().await?;
            }
        }
        Ok(())
    }
}

fn data_partitions(tenant: &Tenant, id: &EntityId, months: &[Month]) -> Vec<String> {
    let index = std::iter::once(keys::fact_index_partition(tenant, id));
    let facts = Family::ALL
        .into_iter()
        .map(|family| keys::fact_partition(tenant, id, family));
    let answers = months
        .iter()
        .map(|month| keys::response_partition(tenant, id, *month));
    index.chain(facts).chain(answers).collect()
}

#[cfg(test)]
mod tests;
