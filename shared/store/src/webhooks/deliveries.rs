//! The deliveries of webhooks: the log that clients read, and what senders have to send.

use domain::id::WebhookId;
use domain::limits::DELIVERY_RETENTION;
use domain::time::Timestamp;
use domain::webhook::{Delivery, DeliveryId, DeliveryState};
use thiserror::Error;

use super::queue::put_queue;
use crate::expression::{number_value, string_value};
use crate::items::{Consistency, SortKeys};
use crate::refusal::require_subscription;
use crate::transaction::Transaction;
use crate::{Refusal, ReplyRecorder, Resource, Store, StoreError, Tenant, WriteError, keys};

/// Why a delivery is not sent again.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RedeliverError {
    #[error(transparent)]
    Common(#[from] Refusal),
    #[error("the delivery is pending")]
    Pending,
    #[error("the webhook is disabled")]
    Disabled,
}

impl Store {
    /// Lists the deliveries of a webhook of the past days, the latest first, strongly consistent. Those of a
    /// deleted webhook are listed until they expire.
    pub async fn deliveries(
        &self,
        tenant: &Tenant,
        webhook: &WebhookId,
    ) -> Result<Vec<Delivery>, StoreError> {
        let partition = keys::workspace_partition(tenant);
        let mut found: Vec<Delivery> = self.list(&partition, keys::delivery_prefix(webhook)).await?;
        found.reverse();
        Ok(found)
    }

    /// Lists the pending deliveries of a webhook that were created at `since` or later, the oldest first,
    /// strongly consistent.
    pub async fn pending_deliveries(
        &self,
        tenant: &Tenant,
        webhook: &WebhookId,
        since: Option<Timestamp>,
    ) -> Result<Vec<Delivery>, StoreError> {
        let Some(since) = since else {
            return Ok(Vec::new());
        };
        let sort = SortKeys::Between(
            keys::delivery_from(webhook, since),
            keys::deliveries_until(webhook),
        );
        let partition = keys::workspace_partition(tenant);
        let mut found: Vec<Delivery> = self
            .query_as(&partition, sort, Consistency::Strong.into())
            .await?;
        found.retain(Delivery::is_pending);
        Ok(found)
    }

    /// Records an attempt at a delivery, or that it is given up, unless someone else has recorded one since
    /// it was read with `attempts_before` attempts.
    pub async fn record_delivery(
        &self,
        tenant: &Tenant,
        delivery: &Delivery,
        attempts_before: u32,
    ) -> Result<(), StoreError> {
        let attempt = serde_dynamo::aws_sdk_dynamodb_1::to_attribute_value(&delivery.last_attempt)
            .map_err(|_| StoreError::Internal("an attempt cannot be written".to_owned()))?;
        let mut bound = vec![
            (":state", string_value(delivery.state.into_str())),
            (":pending", string_value(DeliveryState::Pending.into_str())),
            (":attempts", number_value(delivery.attempts)),
            (":before", number_value(attempts_before)),
            (":attempt", attempt),
        ];
        let set = "SET #state = :state, #attempts = :attempts, #lastAttempt = :attempt";
        let update = match delivery.next_attempt_at {
            Some(at) => {
                bound.push((":next", number_value(at.as_millis())));
                format!("{set}, #nextAttemptAt = :next")
            }
            None => format!("{set} REMOVE #nextAttemptAt"),
        };
        let key = keys::delivery(tenant, &delivery.webhook, &delivery.id());
        let condition = "#state = :pending AND #attempts = :before";
        // If the condition fails, another sender was faster, or the update was repeated after a lost
        // response.
        self.update_one(&key, &update, condition, bound).await.map(|_| ())
    }

    /// Makes a delivery that has ended due again. Returns it.
    pub async fn redeliver(
        &self,
        tenant: &Tenant,
        webhook: &WebhookId,
        id: &DeliveryId,
        recorder: &ReplyRecorder<'_, Delivery>,
    ) -> Result<Delivery, WriteError<RedeliverError>> {
        let attempt = || async {
            let now = self.clock.now();
            let key = keys::delivery(tenant, webhook, id);
            let (workspace, found, delivery) = tokio::try_join!(
                self.workspace(tenant),
                self.webhook(tenant, webhook),
                self.get::<Delivery>(&key, Consistency::Strong)
            )?;
            let found = found.ok_or(Refusal::NotFound(Resource::Webhook))?;
            let mut delivery = delivery.ok_or(Refusal::NotFound(Resource::Delivery))?;
            require_subscription(workspace, now)?;
            if found.disabled.is_some() {
                return Err(WriteError::Refused(RedeliverError::Disabled));
            }
            if delivery.is_pending() {
                return Err(WriteError::Refused(RedeliverError::Pending));
            }
            delivery.restart(now);
            let mut queue = self.delivery_queue(tenant, webhook).await?;
            queue.add(delivery.created_at, now);
            let mut transaction = Transaction::default();
            transaction.update(
                &key,
                "SET #state = :pending, #attempts = :zero, #nextAttemptAt = :now, #expiresAt = :expires",
                "#state <> :pending",
                vec![
                    (":pending", string_value(DeliveryState::Pending.into_str())),
                    (":zero", number_value(0)),
                    (":now", number_value(now.as_millis())),
                    (":expires", number_value((now + DELIVERY_RETENTION).ttl_seconds())),
                ],
            );
            put_queue(&mut transaction, tenant, webhook, queue)?;
            transaction.require_not_canceled(tenant);
            self.commit(transaction, tenant, recorder, delivery).await
        };
        self.retry_on_conflict("a queue of deliveries", attempt).await
    }
}
