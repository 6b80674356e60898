//! Closes the shards of a check at its deadline. Open questions are recorded as failed.

use domain::check::{Plan, Response, Shard, ShardState};
use domain::check_key::{CheckKey, ShardKey};
use domain::id::EntityId;
use domain::limits::MAX_ANSWERS_PER_WRITE;
use domain::time::Timestamp;
use uuid::Uuid;

use crate::expression::{number_value, string_value};
use crate::items::from_item;
use crate::table::TTL_ATTRIBUTE;
use crate::transaction::{Outcome, Transaction};
use crate::{Store, StoreError, Tenant, keys};

impl Store {
    /// Closes every shard that is not done, so that it accepts no more responses, and records each open
    /// question as failed with the reason. Returns whether there is such a shard. The call is idempotent.
    pub async fn close_shards(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckKey,
        plan: &Plan,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut has_closed = false;
        for number in plan.shard_numbers() {
            let Some(questions) = plan.shard(number) else {
                continue;
            };
            let key = ShardKey {
                check: check.check,
                shard: number,
            };
            let Some(shard) = self.close_shard(tenant, entity, key, now).await? else {
                continue;
            };
            has_closed = true;
            let reason = shard
                .problem
                .as_ref()
                .map_or("No answer before the check's deadline", |p| &p.reason);
            let open: Vec<Response> = questions
                .prompts
                .iter()
                .filter(|prompt| !shard.recorded.contains(prompt))
                .map(|prompt| Response::failed(*prompt, questions.model.ordinal, reason, now))
                .collect();
            for failed in open.chunks(MAX_ANSWERS_PER_WRITE) {
                self.record_failed(tenant, entity, check, failed.to_vec()).await?;
            }
        }
        Ok(has_closed)
    }

    /// Closes a shard, so that it accepts no more responses. Returns the closed shard, or `None` if the shard
    /// is done already.
    pub async fn close_shard(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        shard: ShardKey,
        now: Timestamp,
    ) -> Result<Option<Shard>, StoreError> {
        let update = format!(
            "SET #state = :closed, #shard = :shard, #owner = if_not_exists(#owner, :nobody), \
             #leaseUntil = :zero, #{TTL_ATTRIBUTE} = if_not_exists(#{TTL_ATTRIBUTE}, :expires)"
        );
        let bound = vec![
            (":closed", string_value(ShardState::Closed.into_str())),
            (":shard", number_value(shard.shard)),
            (":nobody", string_value(Uuid::nil().to_string())),
            (":zero", number_value(0)),
            (":expires", number_value(self.check_expiry(now).ttl_seconds())),
            (":done", string_value(ShardState::Done.into_str())),
        ];
        let key = keys::shard(tenant, entity, shard);
        let condition = "attribute_not_exists(PK) OR #state <> :done";
        let closed = self.update_one(&key, &update, condition, bound).await?;
        closed.item().map(from_item).transpose()
    }

    /// Records failed responses to the questions that have none.
    async fn record_failed(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckKey,
        mut failed: Vec<Response>,
    ) -> Result<(), StoreError> {
        while !failed.is_empty() {
            let mut transaction = Transaction::default();
            let indexes = self.put_responses(&mut transaction, tenant, entity, check, &failed)?;
            match self.transact(transaction).await? {
                Outcome::Committed => return Ok(()),
                Outcome::Rejected(conditions) => {
                    let mut indexes = indexes.into_iter();
                    failed.retain(|_| !indexes.next().is_some_and(|index| conditions.contains(index)));
                }
            }
        }
        Ok(())
    }
}
