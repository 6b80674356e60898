//! Recorded events that are to be passed on to webhooks. They are written in the transaction of their effect.

use std::collections::BTreeMap;

use domain::id::{EntityId, WebhookId};
use domain::limits::DELIVERY_RETENTION;
use domain::pause::ProviderPause;
use domain::time::{MILLISECOND, Timestamp};
use domain::webhook::{Delivery, DeliveryQueue, Event, EventData, EventId, ProviderPaused, Webhook};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::queue::{put_queue, set_due};
use crate::expression::number_value;
use crate::items::to_expiring_item;
use crate::keys::DuePart;
use crate::retry::Attempt;
use crate::transaction::{Outcome, Transaction};
use crate::{Store, StoreError, Tenant, keys};

/// The maximum number of workspaces with something to send that are read from each partition of the due
/// index. A tick passes on that many of each.
const MAX_DUE_WORKSPACES: i32 = 250;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RecordedEvents {
    /// Makes the key unique.
    id: Uuid,
    recorded_at: Timestamp,
    /// In the order in which they are sent.
    events: Vec<Event>,
}

/// The pause of a provider that webhooks of the workspace were told of.
#[derive(Debug, Serialize)]
struct ToldPause {
    since: Timestamp,
}

/// Adds events to the transaction of their effect. They are due at once.
pub(crate) fn add_events(
    store: &Store,
    transaction: &mut Transaction,
    tenant: &Tenant,
    events: &[Event],
) -> Result<(), StoreError> {
    if events.is_empty() {
        return Ok(());
    }
    let now = store.clock.now();
    let recorded = RecordedEvents {
        id: Uuid::new_v4(),
        recorded_at: now,
        events: events.to_vec(),
    };
    let key = keys::recorded_events(tenant, now, recorded.id);
    let mut item = to_expiring_item(&key, &recorded, now + DELIVERY_RETENTION)?;
    set_due(&mut item, tenant, now);
    transaction.create(item);
    Ok(())
}

impl Store {
    /// Finds the workspaces that have events to pass on or deliveries to send at `until` or before, each
    /// once. The read is eventually consistent.
    pub async fn due_notifications(&self, until: Timestamp) -> Result<Vec<Tenant>, StoreError> {
        let items = self
            .due_index(DuePart::Notifications, until, Some(MAX_DUE_WORKSPACES))
            .await?;
        let mut due: Vec<Tenant> = Vec::new();
        for tenant in items.iter().filter_map(keys::workspace_of) {
            if !due.contains(&tenant) {
                due.push(tenant);
            }
        }
        Ok(due)
    }

    /// Passes the recorded events of a workspace on: each webhook that wants an event gets a delivery. Events
    /// that were recorded together are passed on in one transaction, once. Returns the number of deliveries.
    pub async fn pass_on_events(&self, tenant: &Tenant) -> Result<usize, StoreError> {
        let partition = keys::workspace_partition(tenant);
        let recorded: Vec<RecordedEvents> = self.list(&partition, keys::RECORDED_EVENTS).await?;
        if recorded.is_empty() {
            return Ok(0);
        }
        let webhooks = self.webhooks(tenant).await?;
        let mut deliveries = 0;
        for recorded in recorded {
            let attempt = || self.try_to_pass_on(tenant, &webhooks, &recorded);
            deliveries += self.retry_on_conflict("a queue of deliveries", attempt).await?;
        }
        Ok(deliveries)
    }

    async fn try_to_pass_on(
        &self,
        tenant: &Tenant,
        webhooks: &[Webhook],
        recorded: &RecordedEvents,
    ) -> Result<Attempt<usize>, StoreError> {
        let now = self.clock.now();
        let mut queues: BTreeMap<WebhookId, DeliveryQueue> =
            self.delivery_queues(tenant).await?.into_iter().collect();
        let mut transaction = Transaction::default();
        let exists = transaction.delete(&keys::recorded_events(tenant, recorded.recorded_at, recorded.id));
        let mut count = 0;
        for webhook in webhooks {
            let told = recorded.events.iter().filter_map(|event| webhook.told(event));
            let told: Vec<Event> = told.collect();
            if told.is_empty() {
                continue;
            }
            let mut queue = queues.remove(&webhook.id).unwrap_or_default(); // The first delivery begins it.
            for (event, index) in told.into_iter().zip(0..) {
                // The deliveries of a webhook sort by their creation, so that those of one moment are a
                // millisecond apart.
                let created_at = recorded.recorded_at + MILLISECOND * index;
                let mut delivery = Delivery::new(webhook.id, event, created_at);
                delivery.next_attempt_at = Some(now);
                queue.add(created_at, now);
                transaction.create(to_expiring_item(
                    &keys::delivery(tenant, &webhook.id, &delivery.id()),
                    &delivery,
                    created_at + DELIVERY_RETENTION,
                )?);
                count += 1;
            }
            put_queue(&mut transaction, tenant, &webhook.id, queue)?;
        }
        Ok(match self.transact(transaction).await? {
            Outcome::Committed => Attempt::Done(count),
            // Another invocation has passed the events on.
            Outcome::Rejected(failed) if failed.contains(exists) => Attempt::Done(0),
            Outcome::Rejected(_) => Attempt::Retry,
        })
    }

    /// Records the event that a pause of a provider holds up the check of an entity, if a webhook wants it. A
    /// workspace is told of a pause once. Returns whether an event was recorded.
    pub async fn record_pause(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        pause: &ProviderPause,
    ) -> Result<bool, StoreError> {
        let now = self.clock.now();
        let event = Event {
            id: EventId::at("pause", &pause.provider, pause.since),
            at: now,
            entity: Some(*entity),
            only: None,
            data: EventData::ProviderPaused(ProviderPaused {
                entity_id: *entity,
                provider: pause.provider.clone(),
                reason: pause.reason.clone(),
                since: pause.since,
            }),
        };
        let webhooks = self.webhooks(tenant).await?;
        if !webhooks.iter().any(|webhook| webhook.receives(&event)) {
            return Ok(false);
        }
        let mut transaction = Transaction::default();
        let key = keys::told_pause(tenant, &pause.provider);
        let told = ToldPause { since: pause.since };
        transaction.put(
            to_expiring_item(&key, &told, now + DELIVERY_RETENTION)?,
            "attribute_not_exists(PK) OR #since < :since",
            vec![(":since", number_value(pause.since.as_millis()))],
        );
        add_events(self, &mut transaction, tenant, &[event])?;
        Ok(self.transact(transaction).await?.is_committed())
    }
}
