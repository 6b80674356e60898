//! The webhooks in responses.

use domain::id::{EntityId, WebhookId};
use domain::time::Timestamp;
use domain::webhook::{Disabled, EventKind, Format, Webhook};
use serde::Serialize;

/// A webhook as clients see it.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Webhook")]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebhookView<'a> {
    /// The webhook's id.
    id: &'a WebhookId,
    /// The URL that is sent to, in its normal form.
    url: &'a str,
    /// How the messages are written.
    format: Format,
    /// The kinds of events that are sent.
    events: &'a [EventKind],
    /// The entities whose events are sent. Empty for those of all entities.
    entity_ids: &'a [EntityId],
    /// Whether events are sent.
    enabled: bool,
    /// Why and since when no events are sent. Null if they are.
    disabled: Option<&'a Disabled>,
    /// When the last secret stops being valid, in Unix milliseconds. Null unless the secret was rotated in
    /// the past day.
    old_secret_expires_at: Option<Timestamp>,
    /// When the webhook was created, in Unix milliseconds.
    created_at: Timestamp,
    /// When the webhook was last changed, in Unix milliseconds.
    updated_at: Timestamp,
}

impl<'a> WebhookView<'a> {
    /// Creates the view at `now`.
    pub(crate) fn new(webhook: &'a Webhook, now: Timestamp) -> Self {
        let old_secrets = webhook.secrets.iter().filter_map(|secret| secret.until);
        Self {
            id: &webhook.id,
            url: webhook.url.as_str(),
            format: webhook.format,
            events: &webhook.events,
            entity_ids: webhook.entities.as_deref().unwrap_or(&[]),
            enabled: webhook.disabled.is_none(),
            disabled: webhook.disabled.as_ref(),
            old_secret_expires_at: old_secrets.max().filter(|until| now < *until),
            created_at: webhook.created_at,
            updated_at: webhook.updated_at,
        }
    }
}

#[derive(Serialize, schemars::JsonSchema)]
pub struct WebhookResponse<'a> {
    /// The webhook.
    pub(crate) data: WebhookView<'a>,
}

#[derive(Serialize, schemars::JsonSchema)]
pub struct WebhookSecretResponse<'a> {
    /// The webhook.
    pub(crate) data: WebhookView<'a>,
    /// The secret that signs the messages: `whsec_` and 32 bytes in base64. No other response shows it. Null
    /// in the response to a repeated request, because secrets are not kept with the responses: the webhook
    /// can be given a new one.
    pub(crate) secret: Option<&'a str>,
}

impl<'a> WebhookSecretResponse<'a> {
    pub(crate) fn new(webhook: &'a Webhook, now: Timestamp) -> Self {
        let current = webhook.secrets.first();
        Self {
            data: WebhookView::new(webhook, now),
            secret: current.map(|current| current.secret.reveal()),
        }
    }

    /// Creates the response to a repeated request.
    pub(crate) fn repeated(webhook: &'a Webhook, now: Timestamp) -> Self {
        Self {
            data: WebhookView::new(webhook, now),
            secret: None,
        }
    }
}
