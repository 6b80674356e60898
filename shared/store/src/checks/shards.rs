//! Leases of shards. A fencing token ensures that one worker at a time asks the questions of a shard.

use std::collections::{BTreeMap, BTreeSet};

use aws_sdk_dynamodb::types::AttributeValue;
use domain::check::{Check, Shard, ShardState, Transition};
use domain::check_key::ShardKey;
use domain::entity::Problem;
use domain::id::EntityId;
use domain::ordinal::PromptOrdinal;
use domain::time::Timestamp;
use thiserror::Error;
use uuid::Uuid;

use crate::expression::{Values, number_value, string_value};
use crate::items::{Item, Updated, from_item};
use crate::keys::Key;
use crate::table::TTL_ATTRIBUTE;
use crate::transaction::Transaction;
use crate::{Store, StoreError, Tenant, keys};

use super::transition::{ARE_ALL_DONE, CheckUpdate};

/// A worker's lease on a shard. `owner` is the fencing token.
#[derive(Debug, Clone)]
pub struct Lease {
    pub tenant: Tenant,
    pub entity: EntityId,
    pub shard: ShardKey,
    pub owner: Uuid,
    /// The state of the shard when it was leased.
    pub progress: Shard,
}

/// Why a shard is not leased.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LeaseError {
    /// The shard is done, or was closed at the deadline.
    #[error("the shard has ended")]
    Ended,
    /// Another worker has the lease until that instant, or the shard is deferred until then.
    #[error("the shard is not available yet")]
    NotAvailable { until: Timestamp },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Lease {
    fn key(&self) -> Key {
        keys::shard(&self.tenant, &self.entity, self.shard)
    }
}

const IS_OWNED: &str = "#owner = :owner AND #state = :open";

impl Store {
    /// Leases a shard from `now` until `until`. The first lease creates its item. A retry after a lost
    /// response finds its own token and succeeds.
    pub async fn lease_shard(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        shard: ShardKey,
        owner: Uuid,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Lease, LeaseError> {
        let update = format!(
            "SET #shard = :shard, #state = :open, #owner = :owner, #leaseUntil = :until, \
             #firstLeasedAt = if_not_exists(#firstLeasedAt, :now), #{TTL_ATTRIBUTE} = :expires \
             REMOVE #notBefore"
        );
        let condition = "attribute_not_exists(PK) OR (#state = :open AND (#owner = :owner OR (\
                         #leaseUntil <= :now AND (attribute_not_exists(#notBefore) OR #notBefore <= :now))))";
        let bound = vec![
            (":shard", number_value(shard.shard)),
            (":open", string_value(ShardState::Open.into_str())),
            (":owner", string_value(owner.to_string())),
            (":until", number_value(until.as_millis())),
            (":now", number_value(now.as_millis())),
            (":expires", number_value(self.check_expiry(now).ttl_seconds())),
        ];
        let key = keys::shard(tenant, entity, shard);
        match self.update_one(&key, &update, condition, bound).await? {
            Updated::Item(item) => Ok(Lease {
                tenant: tenant.clone(),
                entity: *entity,
                shard,
                owner,
                progress: from_item(item)?,
            }),
            Updated::ConditionFailed(None) => {
                let absent = "the condition of a lease failed on an absent shard".to_owned();
                Err(StoreError::Internal(absent).into())
            }
            Updated::ConditionFailed(Some(item)) => {
                let free_at = from_item::<Shard>(item)?.free_at();
                Err(free_at.map_or(LeaseError::Ended, |until| LeaseError::NotAvailable { until }))
            }
        }
    }

    /// Renews the lease until `until`. Returns `false` if the lease is lost.
    pub async fn renew_lease(&self, lease: &Lease, until: Timestamp) -> Result<bool, StoreError> {
        let bound = vec![(":until", number_value(until.as_millis()))];
        Ok(self
            .update_owned(lease, "SET #leaseUntil = :until", bound)
            .await?
            .is_some())
    }

    /// Records how often each prompt has been asked, including the request that follows. Returns the prompts
    /// whose responses are recorded, because a former worker can have added some. Returns `None` if the lease
    /// is lost, so nothing may be asked.
    pub async fn record_asks(
        &self,
        lease: &Lease,
        asks: &BTreeMap<PromptOrdinal, u32>,
    ) -> Result<Option<BTreeSet<PromptOrdinal>>, StoreError> {
        let bound = vec![(":asks", count_map(asks))];
        let shard = self.update_owned(lease, "SET #asks = :asks", bound).await?;
        let shard = shard.map(from_item::<Shard>).transpose()?;
        Ok(shard.map(|shard| shard.recorded))
    }

    /// Marks a leased shard as taken up in its check. Returns the check after that, or `None` if it is not
    /// running any more.
    ///
    /// The first shard that is taken up starts the check at `now`. `deadline` is the check's new deadline, if
    /// it moves.
    pub async fn take_up_shard(
        &self,
        lease: &Lease,
        now: Timestamp,
        deadline: Option<Timestamp>,
    ) -> Result<Option<Check>, StoreError> {
        let mut set = vec!["#startedAt = if_not_exists(#startedAt, :now)"];
        let mut bound = vec![(":now", number_value(now.as_millis()))];
        if let Some(deadline) = deadline {
            set.push("#deadline = :deadline");
            bound.push((":deadline", number_value(deadline.as_millis())));
        }
        let update = CheckUpdate::of(&Transition::take_up(lease.shard.shard), &set, bound);
        self.update_check(&lease.tenant, &lease.entity, lease.shard.check, update)
            .await
    }

    /// Ends the lease after a failure, so that the next worker need not wait until it expires. Returns
    /// `false` if the lease is lost.
    pub async fn release_lease(&self, lease: &Lease) -> Result<bool, StoreError> {
        self.renew_lease(lease, Timestamp::from_millis(0)).await
    }

    /// Ends the lease and defers the shard until `not_before` because of a problem. Returns `false` if the
    /// lease is lost.
    pub async fn defer_shard(
        &self,
        lease: &Lease,
        not_before: Timestamp,
        asks: &BTreeMap<PromptOrdinal, u32>,
        problem: &Problem,
    ) -> Result<bool, StoreError> {
        let update = "SET #leaseUntil = :zero, #notBefore = :notBefore, #asks = :asks, #problem = :problem";
        let problem = serde_dynamo::aws_sdk_dynamodb_1::to_attribute_value(problem)
            .map_err(|_| StoreError::Internal("a problem cannot be encoded".to_owned()))?;
        let bound = vec![
            (":zero", number_value(0)),
            (":notBefore", number_value(not_before.as_millis())),
            (":asks", count_map(asks)),
            (":problem", problem),
        ];
        Ok(self.update_owned(lease, update, bound).await?.is_some())
    }

    /// Marks the shard as done and decrements the check's number of unfinished shards. Returns `false` if the
    /// lease is lost.
    pub async fn finish_shard(&self, lease: &Lease) -> Result<bool, StoreError> {
        let mut transaction = Transaction::default();
        transaction.update(
            &lease.key(),
            "SET #state = :done REMOVE #problem",
            IS_OWNED,
            vec![
                (":done", string_value(ShardState::Done.into_str())),
                (":owner", string_value(lease.owner.to_string())),
                (":open", string_value(ShardState::Open.into_str())),
            ],
        );
        let CheckUpdate {
            update,
            condition,
            bound,
        } = CheckUpdate::of(&Transition::end(lease.shard.shard), &[], Vec::new());
        let check = keys::check(&lease.tenant, &lease.entity, lease.shard.check);
        transaction.update(&check, update, condition, bound);
        Ok(self.transact(transaction).await?.is_committed())
    }

    /// Returns whether all shards of the check are done, and this worker is the first to announce it.
    pub async fn announce_answered(&self, lease: &Lease) -> Result<bool, StoreError> {
        let condition =
            format!("{ARE_ALL_DONE} AND (attribute_not_exists(#announcedBy) OR #announcedBy = :owner)");
        let bound = vec![
            (":zero", number_value(0)),
            (":owner", string_value(lease.owner.to_string())),
        ];
        let key = keys::check(&lease.tenant, &lease.entity, lease.shard.check);
        let announced = self
            .update_one(&key, "SET #announcedBy = :owner", &condition, bound)
            .await?;
        Ok(announced.item().is_some())
    }

    /// Updates the shard and returns its item, or `None` if the lease is lost.
    async fn update_owned(
        &self,
        lease: &Lease,
        update: &str,
        mut bound: Values,
    ) -> Result<Option<Item>, StoreError> {
        bound.extend([
            (":owner", string_value(lease.owner.to_string())),
            (":open", string_value(ShardState::Open.into_str())),
        ]);
        Ok(self
            .update_one(&lease.key(), update, IS_OWNED, bound)
            .await?
            .item())
    }
}

fn count_map(counts: &BTreeMap<PromptOrdinal, u32>) -> AttributeValue {
    AttributeValue::M(
        counts
            .iter()
            .map(|(k, v)| (k.to_string(), number_value(v)))
            .collect(),
    )
}
