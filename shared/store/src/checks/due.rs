//! Finds what a tick processes, and schedules reconciliations.

use domain::check::{Check, CheckState};
use domain::entity::RunningCheck;
use domain::id::EntityId;
use domain::ordinal::CheckNumber;
use domain::time::Timestamp;

use crate::entities::write::replace_entity;
use crate::expression::{names, number_value, string_value};
use crate::items::{Item, Updated, from_item};
use crate::keys::{DuePart, due_until};
use crate::retry::Attempt;
use crate::table::{DUE_INDEX, DUE_SORT_KEY};
use crate::transaction::Transaction;
use crate::{Store, StoreError, Tenant, keys};

use super::transition::IS_IDLE;

/// The maximum number of due check slots that are read from each partition of the due index.
const MAX_DUE_SLOTS: i32 = 1_000;

/// Something that a tick has to process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueItem {
    pub tenant: Tenant,
    pub subject: DueSubject,
    /// The instant at which it became due.
    pub since: Timestamp,
}

/// What is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DueSubject {
    /// An entity's next check, reconciliation or cleanup.
    Entity(EntityId),
    /// The names of the workspace have changed, so that the answers of its entities are to be read again.
    WorkspaceRereading,
    /// The answers of an entity are to be read again.
    EntityRereading(EntityId),
    /// The workspace is deleted and to be erased.
    DeletedWorkspace,
}

impl Store {
    /// Finds the running checks to reconcile, the deleted entities and the rereadings that are due at `until`
    /// or before. The read is eventually consistent, so the caller reads the item again before it acts.
    pub async fn due_work(&self, until: Timestamp) -> Result<Vec<DueItem>, StoreError> {
        let work = self.due_index(DuePart::Work, until, None).await?;
        let idle = self.due_index(DuePart::Idle, until, None).await?;
        Ok(work.iter().chain(&idle).filter_map(due_item).collect())
    }

    /// Finds the entities whose check slot is due at `until` or before: the first 1,000 of each partition of
    /// the index, oldest first. The read is eventually consistent, so the caller reads the entity again
    /// before it acts.
    pub async fn due_slots(&self, until: Timestamp) -> Result<Vec<DueItem>, StoreError> {
        let items = self.due_index(DuePart::Slots, until, Some(MAX_DUE_SLOTS)).await?;
        let mut due: Vec<DueItem> = items.iter().filter_map(due_item).collect();
        due.sort_by_key(|due| due.since);
        Ok(due)
    }

    /// Reads the entries of a part of the due index that are due at `until` or before, oldest first within
    /// each partition. A limit applies to each partition.
    pub(crate) async fn due_index(
        &self,
        part: DuePart,
        until: Timestamp,
        limit: Option<i32>,
    ) -> Result<Vec<Item>, StoreError> {
        let partitions = part
            .partitions()
            .map(|partition| self.due_partition(partition, until, limit));
        let partitions = futures::future::try_join_all(partitions).await?;
        Ok(partitions.into_iter().flatten().collect())
    }

    async fn due_partition(
        &self,
        partition: String,
        until: Timestamp,
        limit: Option<i32>,
    ) -> Result<Vec<Item>, StoreError> {
        let condition = "#duePK = :part AND #dueSK < :until";
        let query = self
            .db
            .query()
            .table_name(&self.table)
            .index_name(DUE_INDEX)
            .key_condition_expression(condition)
            .set_expression_attribute_names(names(&[condition]))
            .expression_attribute_values(":part", string_value(partition))
            .expression_attribute_values(":until", string_value(due_until(until)));
        let Some(limit) = limit else {
            let items = query.into_paginator().items().send();
            return Ok(items.collect::<Result<_, _>>().await?);
        };
        let page = query.limit(limit).send().await?;
        Ok(page.items.unwrap_or_default()) // DynamoDB always sends them.
    }

    /// Brings the next reconciliation of a running check forward to `at` if it is later.
    pub async fn reconcile_no_later_than(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckNumber,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let reschedule = |running: &mut RunningCheck| {
            running.next_reconciliation_at = running.next_reconciliation_at.min(at);
        };
        self.reschedule_reconciliation(tenant, entity, check, reschedule)
            .await
    }

    /// Moves the deadline of a running check because the service was down until `down_until`, unless the
    /// deadline has changed since it was read as `from`. Returns the check after that, or `None` if it does
    /// not exist.
    pub async fn move_deadline(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckNumber,
        from: Timestamp,
        to: Timestamp,
        down_until: Timestamp,
    ) -> Result<Option<Check>, StoreError> {
        let bound = vec![
            (":running", string_value(CheckState::Running.into_str())),
            (":from", number_value(from.as_millis())),
            (":to", number_value(to.as_millis())),
            (":downUntil", number_value(down_until.as_millis())),
        ];
        let condition = "#state = :running AND #deadline = :from";
        let key = keys::check(tenant, entity, check);
        let update = "SET #deadline = :to, #downUntil = :downUntil";
        let updated = self.update_one(&key, update, condition, bound);
        let (Updated::Item(item) | Updated::ConditionFailed(Some(item))) = updated.await? else {
            return Ok(None);
        };
        Ok(Some(from_item(item)?))
    }

    /// Changes when a check is reconciled, if it is still running, and records whether it is idle.
    /// [`Self::running_checks`] does not list an idle check.
    pub async fn reschedule_reconciliation(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        check: CheckNumber,
        change: impl Fn(&mut RunningCheck),
    ) -> Result<(), StoreError> {
        let attempt = || async {
            let (entity, record) = tokio::try_join!(self.entity(tenant, id), self.check(tenant, id, check))?;
            let Some(mut entity) = entity else {
                return Ok(Attempt::Done(()));
            };
            let Some(running) = entity.running.as_mut().filter(|r| r.check == check) else {
                return Ok(Attempt::Done(()));
            };
            let before = running.clone();
            change(running);
            running.is_idle = record.is_some_and(|record| record.shards.is_idle());
            if *running == before {
                return Ok(Attempt::Done(()));
            }
            let mut transaction = Transaction::default();
            if running.is_idle {
                // What makes a shard ready reschedules the reconciliation after that.
                transaction.condition_check(&keys::check(tenant, id, check), IS_IDLE, Vec::new());
            }
            replace_entity(&mut transaction, tenant, entity)?;
            Ok(self.transact(transaction).await?.done_or_retry(()))
        };
        self.retry_on_conflict("the entity", attempt).await
    }
}

/// Decodes an entry of the index.
pub(crate) fn due_item(entry: &Item) -> Option<DueItem> {
    let (partition, sort) = (
        keys::partition_key(entry)?.strip_prefix("W#")?,
        keys::sort_key(entry)?,
    );
    let (workspace, subject) = match (partition.split_once("#E#"), sort) {
        (Some((workspace, entity)), keys::REREAD) => {
            (workspace, DueSubject::EntityRereading(entity.parse().ok()?))
        }
        (None, keys::REREAD) => (partition, DueSubject::WorkspaceRereading),
        (None, keys::WORKSPACE) => (partition, DueSubject::DeletedWorkspace),
        _ => {
            let entity = sort.strip_prefix(keys::ENTITY)?.parse().ok()?;
            (partition, DueSubject::Entity(entity))
        }
    };
    Some(DueItem {
        tenant: Tenant::new(workspace.parse().ok()?),
        subject,
        since: keys::due_at(entry.get(DUE_SORT_KEY)?.as_s().ok()?)?,
    })
}
