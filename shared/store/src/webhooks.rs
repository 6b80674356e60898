//! Webhooks of a workspace. The transaction that creates or deletes one also counts it.

mod deliveries;
mod outbox;
mod queue;

use domain::error::InvalidField;
use domain::id::{EntityId, WebhookId};
use domain::limits::MAX_WEBHOOKS;
use domain::time::Timestamp;
use domain::webhook::{
    Disabled, Event, EventData, EventId, EventKind, Format, SigningSecret, TestMessage, Webhook,
    WebhookDisabled, WebhookSecret, WebhookUrl,
};
use thiserror::Error;
use uuid::Uuid;

pub use self::deliveries::RedeliverError;
pub(crate) use self::outbox::add_events;
use crate::expression::{ALWAYS, number_value};
use crate::items::{Consistency, to_item};
use crate::refusal::require_subscription;
use crate::retry::Attempt;
use crate::transaction::Transaction;
use crate::{Refusal, ReplyRecorder, Resource, Store, StoreError, Tenant, WriteError, keys};

/// Why a webhook is not created.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WebhookError {
    #[error(transparent)]
    Common(#[from] Refusal),
    #[error("the limit of webhooks is reached")]
    Limit,
}

/// A webhook to create.
#[derive(Debug, Clone)]
pub struct NewWebhook {
    pub url: WebhookUrl,
    pub format: Format,
    pub events: Vec<EventKind>,
    pub entities: Option<Vec<EntityId>>,
}

/// An update of a webhook. `None` leaves a value unchanged.
#[derive(Debug, Clone, Default)]
pub struct WebhookUpdate {
    pub url: Option<WebhookUrl>,
    pub format: Option<Format>,
    pub events: Option<Vec<EventKind>>,
    /// `Some(None)` stands for all entities.
    pub entities: Option<Option<Vec<EntityId>>>,
    pub is_enabled: Option<bool>,
}

impl Store {
    /// Lists the workspace's webhooks in the order of their creation, strongly consistent.
    pub async fn webhooks(&self, tenant: &Tenant) -> Result<Vec<Webhook>, StoreError> {
        let partition = keys::workspace_partition(tenant);
        let mut found: Vec<Webhook> = self.list(&partition, keys::WEBHOOK).await?;
        found.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
        Ok(found)
    }

    /// Reads a webhook, strongly consistent.
    pub async fn webhook(&self, tenant: &Tenant, id: &WebhookId) -> Result<Option<Webhook>, StoreError> {
        self.get(&keys::webhook(tenant, id), Consistency::Strong).await
    }

    /// Creates a webhook with a new secret unless the limit of webhooks is reached.
    pub async fn create_webhook(
        &self,
        tenant: &Tenant,
        new: &NewWebhook,
        recorder: &ReplyRecorder<'_, Webhook>,
    ) -> Result<Webhook, WriteError<WebhookError>> {
        self.require_entities::<WebhookError>(tenant, new.entities.as_deref())
            .await?;
        let (id, secret) = (
            WebhookId::from_random(Uuid::new_v4()),
            WebhookSecret::from_random(rand::random()),
        );
        let attempt = || async {
            let now = self.clock.now();
            let workspace = require_subscription(self.workspace(tenant).await?, now)?;
            if workspace.webhooks_used >= MAX_WEBHOOKS {
                return Err(WriteError::Refused(WebhookError::Limit));
            }
            let webhook = Webhook {
                id,
                url: new.url.clone(),
                format: new.format,
                events: new.events.clone(),
                entities: new.entities.clone(),
                secrets: vec![SigningSecret {
                    secret: secret.clone(),
                    until: None,
                }],
                created_at: now,
                updated_at: now,
                disabled: None,
                revision: 0,
            };
            let mut transaction = Transaction::default();
            let limit = vec![(":one", number_value(1)), (":limit", number_value(MAX_WEBHOOKS))];
            let count = "SET #webhooksUsed = #webhooksUsed + :one";
            transaction.update_workspace(tenant, count, "#webhooksUsed < :limit", limit);
            transaction.create(to_item(&keys::webhook(tenant, &id), &webhook)?);
            self.commit(transaction, tenant, recorder, webhook).await
        };
        self.retry_on_conflict("the workspace", attempt).await
    }

    /// Updates a webhook. One that is enabled again is sent what happens from then on.
    pub async fn update_webhook(
        &self,
        tenant: &Tenant,
        id: &WebhookId,
        update: &WebhookUpdate,
    ) -> Result<Webhook, WriteError<Refusal>> {
        let entities = update.entities.as_ref().and_then(Option::as_deref);
        self.require_entities::<Refusal>(tenant, entities).await?;
        let change = |webhook: &mut Webhook| {
            let now = self.clock.now();
            let WebhookUpdate {
                url,
                format,
                events,
                entities,
                is_enabled,
            } = update.clone();
            webhook.url = url.unwrap_or(webhook.url.clone());
            webhook.format = format.unwrap_or(webhook.format);
            webhook.events = events.unwrap_or(std::mem::take(&mut webhook.events));
            webhook.entities = entities.unwrap_or(webhook.entities.take());
            webhook.disabled = match is_enabled {
                Some(true) => None,
                Some(false) => webhook.disabled.take().or(Some(Disabled {
                    at: now,
                    reason: "A client disabled the webhook".to_owned(),
                })),
                None => webhook.disabled.take(),
            };
        };
        self.change_webhook(tenant, id, change, &ReplyRecorder::disabled())
            .await
    }

    /// Gives a webhook a new secret. The last one stays valid for a day.
    pub async fn rotate_webhook_secret(
        &self,
        tenant: &Tenant,
        id: &WebhookId,
        recorder: &ReplyRecorder<'_, Webhook>,
    ) -> Result<Webhook, WriteError<Refusal>> {
        let secret = WebhookSecret::from_random(rand::random());
        let change = |webhook: &mut Webhook| webhook.rotate_secret(secret.clone(), self.clock.now());
        self.change_webhook(tenant, id, change, recorder).await
    }

    /// Deletes a webhook. Its deliveries expire, and those that are pending are not sent.
    pub async fn delete_webhook(&self, tenant: &Tenant, id: &WebhookId) -> Result<(), WriteError<Refusal>> {
        let attempt = || async {
            self.webhook_for_write(tenant, id).await?;
            let mut transaction = Transaction::default();
            transaction.delete(&keys::webhook(tenant, id));
            transaction.delete_if(&keys::delivery_queue(tenant, id), ALWAYS, Vec::new());
            transaction.count_down(tenant, "#webhooksUsed");
            Ok(self.transact(transaction).await?.done_or_retry(()))
        };
        self.retry_on_conflict("the webhook", attempt).await
    }

    /// Records a test event that only this webhook is sent. Returns the event.
    pub async fn test_webhook(
        &self,
        tenant: &Tenant,
        id: &WebhookId,
        recorder: &ReplyRecorder<'_, Event>,
    ) -> Result<Event, WriteError<Refusal>> {
        let event_id = EventId::test(Uuid::new_v4());
        let attempt = || async {
            let webhook = self.webhook_for_write(tenant, id).await?;
            if webhook.disabled.is_some() {
                let rule = "must name a webhook that is enabled";
                return Err(Refusal::InvalidField(InvalidField::new("webhookId", rule)).into());
            }
            let event = Event {
                id: event_id.clone(),
                at: self.clock.now(),
                entity: None,
                only: Some(*id),
                data: EventData::WebhookTest(TestMessage::default()),
            };
            let mut transaction = Transaction::default();
            transaction.condition_check(&keys::webhook(tenant, id), "attribute_exists(PK)", Vec::new());
            transaction.require_not_canceled(tenant);
            add_events(self, &mut transaction, tenant, std::slice::from_ref(&event))?;
            self.commit(transaction, tenant, recorder, event).await
        };
        self.retry_on_conflict("the webhook", attempt).await
    }

    /// Disables a webhook whose receiver has accepted nothing since `failing_since`, and records the event
    /// for the others. A webhook that is disabled already, or does not exist, does not change. Returns
    /// whether it was disabled.
    pub async fn disable_failing_webhook(
        &self,
        tenant: &Tenant,
        id: &WebhookId,
        failing_since: Timestamp,
        reason: &str,
    ) -> Result<bool, StoreError> {
        let attempt = || async {
            let now = self.clock.now();
            let webhooks = self.webhooks(tenant).await?;
            let Some(mut webhook) = webhooks.iter().find(|webhook| webhook.id == *id).cloned() else {
                return Ok(Attempt::Done(false));
            };
            if webhook.disabled.is_some() {
                return Ok(Attempt::Done(false));
            }
            webhook.disabled = Some(Disabled {
                at: now,
                reason: reason.to_owned(),
            });
            let event = Event {
                id: EventId::at("disabled", id.as_str(), failing_since),
                at: now,
                entity: None,
                only: None,
                data: EventData::WebhookDisabled(WebhookDisabled {
                    webhook_id: *id,
                    reason: reason.to_owned(),
                    failing_since,
                }),
            };
            let mut transaction = Transaction::default();
            replace_webhook(&mut transaction, tenant, webhook)?;
            if webhooks
                .iter()
                .any(|other| other.id != *id && other.receives(&event))
            {
                add_events(self, &mut transaction, tenant, &[event])?;
            }
            Ok(self.transact(transaction).await?.done_or_retry(true))
        };
        self.retry_on_conflict("the webhook", attempt).await
    }

    async fn webhook_for_write(
        &self,
        tenant: &Tenant,
        id: &WebhookId,
    ) -> Result<Webhook, WriteError<Refusal>> {
        self.for_write(tenant, Resource::Webhook, self.webhook(tenant, id))
            .await
    }

    async fn change_webhook(
        &self,
        tenant: &Tenant,
        id: &WebhookId,
        change: impl Fn(&mut Webhook),
        recorder: &ReplyRecorder<'_, Webhook>,
    ) -> Result<Webhook, WriteError<Refusal>> {
        let attempt = || async {
            let mut webhook = self.webhook_for_write(tenant, id).await?;
            change(&mut webhook);
            webhook.updated_at = self.clock.now();
            let mut transaction = Transaction::default();
            transaction.require_not_canceled(tenant);
            replace_webhook(&mut transaction, tenant, webhook.clone())?;
            self.commit(transaction, tenant, recorder, webhook).await
        };
        self.retry_on_conflict("the webhook", attempt).await
    }

    async fn require_entities<R: From<Refusal>>(
        &self,
        tenant: &Tenant,
        entities: Option<&[EntityId]>,
    ) -> Result<(), WriteError<R>> {
        let Some(wanted) = entities else {
            return Ok(());
        };
        let known = self.entities(tenant).await?;
        let unknown = |id: &EntityId| !known.iter().any(|entity| entity.id == *id);
        match wanted.iter().position(unknown) {
            Some(index) => {
                let field = format!("entityIds[{index}]");
                Err(Refusal::NotFoundAt(Resource::Entity, field).into())
            }
            None => Ok(()),
        }
    }
}

/// Adds the changed webhook to a transaction. Its condition fails if the revision is not the one that was
/// read.
fn replace_webhook(
    transaction: &mut Transaction,
    tenant: &Tenant,
    mut webhook: Webhook,
) -> Result<usize, StoreError> {
    let read = webhook.revision;
    webhook.revision += 1;
    let item = to_item(&keys::webhook(tenant, &webhook.id), &webhook)?;
    Ok(transaction.replace_existing(item, read))
}
