//! The deliveries of a webhook.

pub mod list;
pub mod redeliver;

use domain::id::{EntityId, WebhookId};
use domain::time::Timestamp;
use domain::webhook::{Attempt, Delivery, DeliveryState};
use serde::Serialize;

/// A delivery as clients see it.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "WebhookDelivery")]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeliveryView<'a> {
    /// The delivery's id.
    id: String,
    /// The webhook's id.
    webhook_id: &'a WebhookId,
    /// The id of the event, which is the message's `webhook-id`.
    event_id: &'a str,
    /// The kind of the event.
    event: &'static str,
    /// The entity that the event concerns. Null if it concerns the workspace.
    entity_id: Option<&'a EntityId>,
    /// Whether the receiver has accepted the delivery.
    state: DeliveryState,
    /// The number of attempts since the event, or since the delivery was asked for again.
    attempts: u32,
    /// When the delivery is tried next, in Unix milliseconds. Null unless it is pending.
    next_attempt_at: Option<Timestamp>,
    /// The last attempt. Null before the first one.
    last_attempt: Option<&'a Attempt>,
    /// When the event was passed on to the webhook, in Unix milliseconds.
    created_at: Timestamp,
}

impl<'a> From<&'a Delivery> for DeliveryView<'a> {
    fn from(delivery: &'a Delivery) -> Self {
        Self {
            id: delivery.id().to_string(),
            webhook_id: &delivery.webhook,
            event_id: delivery.event.id.as_str(),
            event: delivery.event.data.kind().into_str(),
            entity_id: delivery.event.entity.as_ref(),
            state: delivery.state,
            attempts: delivery.attempts,
            next_attempt_at: delivery.next_attempt_at,
            last_attempt: delivery.last_attempt.as_ref(),
            created_at: delivery.created_at,
        }
    }
}
