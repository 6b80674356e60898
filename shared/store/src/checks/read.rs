//! Reads a check and its shards.

use domain::check::{Check, Shard};
use domain::entity::Problem;
use domain::id::EntityId;
use domain::ordinal::CheckNumber;
use serde::Deserialize;

use crate::items::{Consistency, Item, ReadOptions, SortKeys, from_item};
use crate::{Store, StoreError, Tenant, keys};

use super::transition::LISTED;

impl Store {
    /// Reads a check's progress, strongly consistent.
    pub async fn check(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckNumber,
    ) -> Result<Option<Check>, StoreError> {
        self.get(&keys::check(tenant, entity, check), Consistency::Strong)
            .await
    }

    /// Lists the checks of an entity that are kept, oldest first, strongly consistent. What admissions need
    /// is left out.
    pub async fn checks(&self, tenant: &Tenant, entity: &EntityId) -> Result<Vec<Check>, StoreError> {
        let options = ReadOptions {
            consistency: Consistency::Strong,
            projection: Some(LISTED),
        };
        let partition = keys::entity_partition(tenant, entity);
        let items = self
            .query(&partition, SortKeys::Prefix(keys::CHECK.to_owned()), options)
            .await?;
        let is_check = |item: &Item| keys::sort_key(item).is_some_and(|sort| sort.matches('#').count() == 1);
        items.into_iter().filter(is_check).map(from_item).collect()
    }

    /// Lists the shards that were leased at least once, by ordinal, strongly consistent.
    pub async fn shards(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckNumber,
    ) -> Result<Vec<Shard>, StoreError> {
        let partition = keys::entity_partition(tenant, entity);
        self.query_as(
            &partition,
            SortKeys::Prefix(keys::shard_prefix(check)),
            Consistency::Strong.into(),
        )
        .await
    }

    /// Lists the problems of the shards of a check, eventually consistent. A shard that is done has none.
    pub async fn shard_problems(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckNumber,
    ) -> Result<Vec<Problem>, StoreError> {
        let partition = keys::entity_partition(tenant, entity);
        let problem = ReadOptions {
            consistency: Consistency::Eventual,
            projection: Some("#problem"),
        };
        let shards: Vec<ShardProblem> = self
            .query_as(&partition, SortKeys::Prefix(keys::shard_prefix(check)), problem)
            .await?;
        Ok(shards.into_iter().filter_map(|shard| shard.problem).collect())
    }
}

/// The part of a shard that is read for its problem.
#[derive(Deserialize)]
struct ShardProblem {
    problem: Option<Problem>,
}
