//! Reading a check, its plan and its shards.

use domain::check::{Check, Plan, Shard};
use domain::entity::Problem;
use domain::id::EntityId;
use serde::Deserialize;

use crate::items::{ReadOptions, STRONG, Sort};
use crate::{Store, StoreError, Tenant, keys};

impl Store {
    /// A check's progress, strongly consistent.
    pub async fn check(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: u32,
    ) -> Result<Option<Check>, StoreError> {
        self.get(&keys::check(tenant, entity, check), true).await
    }

    /// What a check asks. It never changes.
    pub async fn plan(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: u32,
    ) -> Result<Option<Plan>, StoreError> {
        self.get(&keys::plan(tenant, entity, check), true).await
    }

    /// The shards that some worker has taken up so far, in their order.
    pub async fn shards(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: u32,
    ) -> Result<Vec<Shard>, StoreError> {
        let partition = keys::entity_partition(tenant, entity);
        self.query_as(&partition, Sort::Prefix(keys::shard_prefix(check)), STRONG)
            .await
    }
    /// What hinders the shards of a check, eventually consistent. One that is done has no problem.
    pub async fn shard_problems(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: u32,
    ) -> Result<Vec<Problem>, StoreError> {
        let partition = keys::entity_partition(tenant, entity);
        let problem = ReadOptions {
            consistent: false,
            projection: Some("#problem"),
        };
        let shards: Vec<Hindered> = self
            .query_as(&partition, Sort::Prefix(keys::shard_prefix(check)), problem)
            .await?;
        Ok(shards.into_iter().filter_map(|shard| shard.problem).collect())
    }
}

/// A shard, as far as it is read for its problem.
#[derive(Deserialize)]
struct Hindered {
    problem: Option<Problem>,
}
