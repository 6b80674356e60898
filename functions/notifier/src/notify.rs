//! Passes a workspace's events on, and sends its deliveries.

use domain::id::WebhookId;
use domain::limits::{SEND_FAILURES_IN_A_ROW, SEND_STEP};
use domain::time::Timestamp;
use domain::webhook::{Attempt, Delivery, DeliveryQueue, Webhook};
use futures::StreamExt;
use runtime::metrics::{DELIVERIES, FAILED_DELIVERIES, WEBHOOKS_DISABLED};
use store::{StoreError, Tenant};
use uuid::Uuid;

use crate::sender::{Failure, Message};
use crate::{Notifier, message};

impl Notifier {
    /// Passes the recorded events of a workspace on, and sends what is due. What is left over, or fails and
    /// is due soon, stays due, so that a tick has it sent.
    pub(crate) async fn notify(&self, tenant: &Tenant) -> Result<(), StoreError> {
        self.store.pass_on_events(tenant).await?;
        self.send_due(tenant, self.clock.real_now() + SEND_STEP).await
    }

    /// Sends the due deliveries of all webhooks side by side, so that no receiver holds up the others.
    async fn send_due(&self, tenant: &Tenant, step_ends: Timestamp) -> Result<(), StoreError> {
        let now = self.clock.now();
        let queues = self.store.delivery_queues(tenant).await?;
        let due = queues
            .into_iter()
            .filter(|(_, queue)| queue.due_at.is_some_and(|due| due <= now));
        futures::stream::iter(due)
            .for_each_concurrent(None, async |(webhook, _)| {
                if let Err(error) = Box::pin(self.send_to(tenant, &webhook, step_ends)).await {
                    tracing::error!(webhook.id = %webhook, %error, "deliveries wait for the next tick");
                }
            })
            .await;
        Ok(())
    }

    /// Sends the due deliveries of a webhook, and those that become due meanwhile, unless another sender
    /// does.
    async fn send_to(&self, tenant: &Tenant, id: &WebhookId, step_ends: Timestamp) -> Result<(), StoreError> {
        loop {
            let owner = Uuid::new_v4();
            let Some(mut queue) = self.store.lease_queue(tenant, id, owner).await? else {
                return Ok(());
            };
            let pending = self
                .store
                .pending_deliveries(tenant, id, queue.pending_since)
                .await?;
            let all_are_tried = match self.store.webhook(tenant, id).await? {
                Some(webhook) if webhook.disabled.is_none() => {
                    let all_are_tried = self
                        .send_pending(tenant, &webhook, pending, &mut queue, step_ends)
                        .await?;
                    self.disable_if_failing(tenant, &webhook, &queue).await?;
                    all_are_tried
                }
                Some(_) => {
                    self.give_up(tenant, pending).await?;
                    true
                }
                None => true,
            };
            let due_at = self
                .store
                .release_queue(tenant, id, owner, queue.failing_since)
                .await?;
            if !all_are_tried || due_at.is_none_or(|due| due > self.clock.now()) {
                return Ok(());
            }
        }
    }

    /// Sends the deliveries that are due, the oldest first. Several failures in a row end the turn, because
    /// the receiver is probably down. Returns whether all of them were tried.
    async fn send_pending(
        &self,
        tenant: &Tenant,
        webhook: &Webhook,
        pending: Vec<Delivery>,
        queue: &mut DeliveryQueue,
        step_ends: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut failures_in_a_row = 0;
        for mut delivery in pending {
            if !delivery.is_due(self.clock.now()) {
                continue;
            }
            if self.clock.real_now() >= step_ends || failures_in_a_row >= SEND_FAILURES_IN_A_ROW {
                return Ok(false);
            }
            let attempt = self.attempt(webhook, &delivery).await;
            let is_accepted = attempt.error.is_none();
            failures_in_a_row = if is_accepted { 0 } else { failures_in_a_row + 1 };
            queue.record_attempt(is_accepted, attempt.at);
            let before = delivery.attempts;
            delivery.record(attempt, rand::random());
            self.store.record_delivery(tenant, &delivery, before).await?;
        }
        Ok(true)
    }

    async fn attempt(&self, webhook: &Webhook, delivery: &Delivery) -> Attempt {
        let body = message::body(webhook.format, &delivery.event).to_string();
        let sent = self
            .sender
            .send(&Message {
                url: &webhook.url,
                id: delivery.event.id.as_str(),
                // Receivers compare the time with their own clock.
                sent_at: self.clock.real_now(),
                body: &body,
                secrets: &webhook.secrets_at(self.clock.now()),
            })
            .await;
        let (status, error) = match &sent {
            Ok(status) => (Some(*status), None),
            Err(failure) => (failure.status(), Some(failure.to_string())),
        };
        let kind = delivery.event.data.kind().into_str();
        match &sent {
            Ok(_) => {
                tracing::info!(webhook.id = %webhook.id, event.kind = kind, { DELIVERIES } = 1, "a delivery is accepted");
            }
            Err(failure) => {
                let failure = Failure::to_string(failure);
                tracing::warn!(webhook.id = %webhook.id, event.kind = kind, failure, { FAILED_DELIVERIES } = 1, "a delivery failed");
            }
        }
        Attempt {
            at: self.clock.now(),
            status,
            error,
        }
    }

    /// Disables a webhook whose receiver has accepted nothing for days.
    async fn disable_if_failing(
        &self,
        tenant: &Tenant,
        webhook: &Webhook,
        queue: &DeliveryQueue,
    ) -> Result<(), StoreError> {
        let Some(since) = queue.given_up_since(webhook.updated_at, self.clock.now()) else {
            return Ok(());
        };
        let reason = "The receiver has accepted nothing for five days";
        if self
            .store
            .disable_failing_webhook(tenant, &webhook.id, since, reason)
            .await?
        {
            tracing::warn!(webhook.id = %webhook.id, { WEBHOOKS_DISABLED } = 1, "a webhook is disabled");
        }
        Ok(())
    }

    async fn give_up(&self, tenant: &Tenant, pending: Vec<Delivery>) -> Result<(), StoreError> {
        for mut delivery in pending {
            delivery.give_up("The webhook is disabled", self.clock.now());
            let attempts = delivery.attempts;
            self.store.record_delivery(tenant, &delivery, attempts).await?;
        }
        Ok(())
    }
}
