//! What a tick has to see.

use std::time::Duration;

use domain::entity::RunningCheck;
use domain::id::{EntityId, WorkspaceId};
use domain::time::Timestamp;

use crate::entities::write::replace_entity;
use crate::expression::{names, s};
use crate::items::Item;
use crate::keys::{DUE_SHARDS, due_shard, due_until};
use crate::retry::Attempt;
use crate::table::{DUE_INDEX, DUE_SORT_KEY, PARTITION_KEY, SORT_KEY};
use crate::transaction::Transaction;
use crate::{Store, StoreError, Tenant, keys};

/// An entity whose next check or next look has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    pub tenant: Tenant,
    pub entity: EntityId,
    /// When it came.
    pub since: Timestamp,
}

impl Store {
    /// Entities that are due at `until` or before, the longest due first in each part of the index.
    /// Eventually consistent: whoever acts reads the entity again.
    pub async fn due(&self, until: Timestamp) -> Result<Vec<Due>, StoreError> {
        let parts = (0..DUE_SHARDS).map(|shard| self.due_in(due_shard(shard), until));
        Ok(futures::future::try_join_all(parts)
            .await?
            .into_iter()
            .flatten()
            .collect())
    }

    async fn due_in(&self, partition: String, until: Timestamp) -> Result<Vec<Due>, StoreError> {
        let condition = "#duePK = :part AND #dueSK < :until";
        let items: Vec<Item> = self
            .db
            .query()
            .table_name(&self.table)
            .index_name(DUE_INDEX)
            .key_condition_expression(condition)
            .set_expression_attribute_names(names(&[condition]))
            .expression_attribute_values(":part", s(partition))
            .expression_attribute_values(":until", s(due_until(until)))
            .into_paginator()
            .items()
            .send()
            .collect::<Result<_, _>>()
            .await?;
        Ok(items.iter().filter_map(due_of).collect())
    }

    /// Moves the next look at a running check to `at`; the one after it follows `then_after` real milliseconds
    /// later.
    pub async fn reconcile_again_at(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: u32,
        at: Timestamp,
        then_after: Duration,
    ) -> Result<(), StoreError> {
        let to = |running: &mut RunningCheck| {
            (running.next_reconciliation_at, running.reconcile_after) = (at, then_after);
        };
        self.move_look(tenant, entity, check, to).await
    }

    /// Sees to it that a running check is looked at by `at`.
    pub async fn reconcile_no_later_than(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: u32,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let to = |running: &mut RunningCheck| {
            running.next_reconciliation_at = running.next_reconciliation_at.min(at)
        };
        self.move_look(tenant, entity, check, to).await
    }

    /// Changes when a check is looked at, if it is still the one that runs.
    async fn move_look(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        check: u32,
        change: impl Fn(&mut RunningCheck),
    ) -> Result<(), StoreError> {
        let attempt = || async {
            let Some(mut entity) = self.entity(tenant, id).await? else {
                return Ok(Attempt::Done(()));
            };
            let Some(running) = entity.running.as_mut().filter(|r| r.check == check) else {
                return Ok(Attempt::Done(()));
            };
            let before = running.clone();
            change(running);
            if *running == before {
                return Ok(Attempt::Done(()));
            }
            let mut transaction = Transaction::default();
            replace_entity(&mut transaction, tenant, entity)?;
            Ok(self.transact(transaction).await?.done_or_retry(()))
        };
        self.retry_on_conflict("the entity", attempt).await
    }
}

/// Whose item an entry of the index names.
fn due_of(entry: &Item) -> Option<Due> {
    let part = |name: &str| entry.get(name).and_then(|v| v.as_s().ok()).map(String::as_str);
    let workspace: WorkspaceId = part(PARTITION_KEY)?.strip_prefix("W#")?.parse().ok()?;
    let entity: EntityId = part(SORT_KEY)?.strip_prefix(keys::ENTITY)?.parse().ok()?;
    Some(Due {
        tenant: Tenant::new(workspace),
        entity,
        since: keys::due_at(part(DUE_SORT_KEY)?)?,
    })
}
