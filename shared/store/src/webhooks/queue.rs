//! The queue of a webhook's deliveries. Whoever changes what is pending also writes the queue.

use domain::id::WebhookId;
use domain::time::Timestamp;
use domain::webhook::DeliveryQueue;
use uuid::Uuid;

use crate::expression::string_value;
use crate::items::{Consistency, Item, SortKeys, from_item, to_item};
use crate::keys::DuePart;
use crate::retry::Attempt;
use crate::table::{DUE_PARTITION_KEY, DUE_SORT_KEY};
use crate::transaction::Transaction;
use crate::{Store, StoreError, Tenant, keys};

/// Adds the changed queue to a transaction, with its keys in the due index. Its condition fails if the
/// revision is not the one that was read.
pub(super) fn put_queue(
    transaction: &mut Transaction,
    tenant: &Tenant,
    webhook: &WebhookId,
    mut queue: DeliveryQueue,
) -> Result<usize, StoreError> {
    let read = queue.revision;
    queue.revision += 1;
    let mut item = to_item(&keys::delivery_queue(tenant, webhook), &queue)?;
    if let Some(due) = queue.due_at {
        set_due(&mut item, tenant, due);
    }
    Ok(transaction.replace(item, read))
}

/// Sets an item's keys in the due index, so that a tick finds its workspace at `at`.
pub(super) fn set_due(item: &mut Item, tenant: &Tenant, at: Timestamp) {
    let workspace = tenant.workspace().as_str();
    let partition = DuePart::Notifications.partition(workspace);
    item.insert(DUE_PARTITION_KEY.to_owned(), string_value(partition));
    item.insert(
        DUE_SORT_KEY.to_owned(),
        string_value(keys::due_sort(at, workspace)),
    );
}

impl Store {
    /// Reads the queue of a webhook, strongly consistent.
    pub(super) async fn delivery_queue(
        &self,
        tenant: &Tenant,
        webhook: &WebhookId,
    ) -> Result<DeliveryQueue, StoreError> {
        let queue = self
            .get(&keys::delivery_queue(tenant, webhook), Consistency::Strong)
            .await?;
        Ok(queue.unwrap_or_default()) // A webhook without one has an empty queue.
    }

    /// Lists the queues of a workspace's webhooks, strongly consistent.
    pub async fn delivery_queues(
        &self,
        tenant: &Tenant,
    ) -> Result<Vec<(WebhookId, DeliveryQueue)>, StoreError> {
        let partition = keys::workspace_partition(tenant);
        let sort = SortKeys::Prefix(keys::DELIVERY_QUEUE.to_owned());
        let mut queues = Vec::new();
        for item in self.query(&partition, sort, Consistency::Strong.into()).await? {
            let webhook =
                keys::sort_key(&item).and_then(|sort| sort.strip_prefix(keys::DELIVERY_QUEUE)?.parse().ok());
            if let Some(webhook) = webhook {
                queues.push((webhook, from_item(item)?));
            }
        }
        Ok(queues)
    }

    /// Leases the queue of a webhook to a sender, if a delivery is due and no other sender has it. Returns
    /// the queue, or `None`.
    pub async fn lease_queue(
        &self,
        tenant: &Tenant,
        webhook: &WebhookId,
        owner: Uuid,
    ) -> Result<Option<DeliveryQueue>, StoreError> {
        let attempt = || async {
            let mut queue = self.delivery_queue(tenant, webhook).await?;
            if !queue.lease(owner, self.clock.now()) {
                return Ok(Attempt::Done(None));
            }
            let mut transaction = Transaction::default();
            put_queue(&mut transaction, tenant, webhook, queue.clone())?;
            queue.revision += 1;
            Ok(self.transact(transaction).await?.done_or_retry(Some(queue)))
        };
        self.retry_on_conflict("a queue of deliveries", attempt).await
    }

    /// Takes the queue of a webhook back from its sender, which has found out since when the receiver accepts
    /// nothing. The queue is due when the next attempt is, which is returned. A queue that another sender has
    /// taken over does not change, and that of a webhook that does not exist is deleted; both return `None`.
    pub async fn release_queue(
        &self,
        tenant: &Tenant,
        webhook: &WebhookId,
        owner: Uuid,
        failing_since: Option<Timestamp>,
    ) -> Result<Option<Timestamp>, StoreError> {
        let attempt = || async {
            // Whoever adds a delivery after this read changes the revision.
            let mut queue = self.delivery_queue(tenant, webhook).await?;
            if !queue.is_leased_by(owner) {
                return Ok(Attempt::Done(None));
            }
            let mut transaction = Transaction::default();
            let mut due_at = None;
            if self.webhook(tenant, webhook).await?.is_none() {
                transaction.delete_revision(&keys::delivery_queue(tenant, webhook), queue.revision);
            } else {
                let pending = self
                    .pending_deliveries(tenant, webhook, queue.pending_since)
                    .await?;
                queue.failing_since = failing_since;
                queue.release(&pending);
                due_at = queue.due_at;
                put_queue(&mut transaction, tenant, webhook, queue)?;
            }
            Ok(self.transact(transaction).await?.done_or_retry(due_at))
        };
        self.retry_on_conflict("a queue of deliveries", attempt).await
    }
}
