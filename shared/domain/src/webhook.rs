//! Webhooks: URLs of a workspace that are told what happens to its entities.
//!
//! An [`Event`] is recorded in the transaction of its effect. Each webhook that wants it gets a [`Delivery`],
//! which is tried again until the receiver accepts it, at most for three days.

pub mod address;
mod delivery;
mod delivery_queue;
mod event;
mod event_data;
mod event_kind;
mod secret;
mod url;

pub use delivery::{Attempt, Delivery, DeliveryId, DeliveryState, retries};
pub use delivery_queue::{DeliveryQueue, SendLease};
pub use event::{Event, EventId};
pub use event_data::{
    CheckEnd, CheckProblem, CreatedRecommendation, CreatedRecommendations, CreditsLow, EventData,
    ProviderPaused, RecordedOutcome, RecordedOutcomes, TestMessage, VisibilityChange, WebhookDisabled,
};
pub use event_kind::EventKind;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantNames};

pub use self::secret::WebhookSecret;
pub use self::url::{Targets, WebhookUrl};
use crate::id::{EntityId, WebhookId};
use crate::limits::SECRET_OVERLAP;
use crate::time::Timestamp;

/// How the body of a delivery is written.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantNames,
    schemars::JsonSchema,
)]
#[schemars(rename = "WebhookFormat")]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Format {
    /// The event as JSON: `type`, `timestamp` and `data`.
    #[default]
    Json,
    /// A message for an incoming webhook of Slack.
    Slack,
    /// A message for a workflow of Microsoft Teams that receives webhook requests.
    Teams,
}

/// A secret with which deliveries are signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SigningSecret {
    pub secret: WebhookSecret,
    /// The end of its use. `None` for the current secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// Why and since when a webhook is not sent to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "WebhookDisabling")]
pub struct Disabled {
    /// When the webhook was disabled, in Unix milliseconds.
    pub at: Timestamp,
    /// Why the webhook is disabled.
    pub reason: String,
}

/// A webhook, as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    pub id: WebhookId,
    pub url: WebhookUrl,
    pub format: Format,
    /// The kinds of events that are sent, distinct and in the order of [`EventKind`].
    pub events: Vec<EventKind>,
    /// The entities whose events are sent. `None` stands for all of the workspace, and for the events of no
    /// entity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entities: Option<Vec<EntityId>>,
    /// The current secret, then the one before it while it is valid.
    pub secrets: Vec<SigningSecret>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled: Option<Disabled>,
    /// The number of changes of this record, for optimistic concurrency control.
    pub revision: u32,
}

impl Webhook {
    /// Returns whether the webhook is sent events of a kind that concern `entity`, or no entity.
    pub fn wants(&self, kind: EventKind, entity: Option<&EntityId>) -> bool {
        // A webhook for some entities is told what concerns the workspace as well if it asks for it.
        let bound = self.entities.as_ref().zip(entity);
        let reaches = bound.is_none_or(|(entities, entity)| entities.contains(entity));
        self.disabled.is_none() && self.events.contains(&kind) && reaches
    }

    /// Returns whether an event is delivered to the webhook.
    pub fn receives(&self, event: &Event) -> bool {
        match &event.only {
            Some(only) => *only == self.id && self.disabled.is_none(),
            None => self.wants(event.data.kind(), event.entity.as_ref()),
        }
    }

    /// Returns an event as it is delivered to the webhook, or `None` if it is not.
    pub fn told(&self, event: &Event) -> Option<Event> {
        let mut event = self.receives(event).then(|| event.clone())?;
        event.data.choose_titles(self.entities.is_some());
        Some(event)
    }

    /// Returns the secrets that sign a delivery at `now`, the current one first.
    pub fn secrets_at(&self, now: Timestamp) -> Vec<&WebhookSecret> {
        let is_valid = |signing: &&SigningSecret| signing.until.is_none_or(|until| now < until);
        let valid = self.secrets.iter().filter(is_valid);
        valid.map(|signing| &signing.secret).collect()
    }

    /// Replaces the current secret, which stays valid for [`SECRET_OVERLAP`], so that a receiver can change
    /// over.
    pub fn rotate_secret(&mut self, new: WebhookSecret, now: Timestamp) {
        let current = self.secrets.drain(..).next();
        self.secrets.push(SigningSecret {
            secret: new,
            until: None,
        });
        self.secrets.extend(current.map(|signing| SigningSecret {
            until: Some(now + SECRET_OVERLAP),
            ..signing
        }));
    }
}

/// Returns whether any of the webhooks is sent events of a kind that concern `entity`, or no entity.
pub fn is_wanted(webhooks: &[Webhook], kind: EventKind, entity: Option<&EntityId>) -> bool {
    webhooks.iter().any(|webhook| webhook.wants(kind, entity))
}

#[cfg(test)]
pub(crate) mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::time::HOUR;

    pub(crate) fn webhook() -> Webhook {
        Webhook {
            id: WebhookId::from_random(Uuid::from_u128(1)),
            url: WebhookUrl::parse("https://example.com/hook", Targets::Public).unwrap(),
            format: Format::Json,
            events: vec![EventKind::CheckCompleted],
            entities: None,
            secrets: vec![SigningSecret {
                secret: WebhookSecret::from_random([1; 32]),
                until: None,
            }],
            created_at: Timestamp::from_millis(0),
            updated_at: Timestamp::from_millis(0),
            disabled: None,
            revision: 0,
        }
    }

    #[test]
    fn a_webhook_wants_its_kinds_of_events_of_its_entities_unless_it_is_disabled() {
        let [own, other] = [1, 2].map(|n| EntityId::from_random(Uuid::from_u128(n)));
        let mut webhook = webhook();
        assert!(webhook.wants(EventKind::CheckCompleted, Some(&own)));
        assert!(!webhook.wants(EventKind::CheckPartial, Some(&own)));
        webhook.entities = Some(vec![own]);
        assert!(webhook.wants(EventKind::CheckCompleted, Some(&own)));
        assert!(!webhook.wants(EventKind::CheckCompleted, Some(&other)));
        webhook.disabled = Some(Disabled {
            at: Timestamp::from_millis(1),
            reason: String::new(),
        });
        assert!(!is_wanted(&[webhook], EventKind::CheckCompleted, Some(&own)));
    }

    #[test]
    fn the_last_secret_stays_valid_for_a_day_after_a_rotation_and_an_older_one_ends() {
        let mut webhook = webhook();
        let now = Timestamp::from_millis(1_000);
        let [first, second, third] = [1, 2, 3].map(|n| WebhookSecret::from_random([n; 32]));
        webhook.rotate_secret(second.clone(), now);
        assert_eq!(webhook.secrets_at(now), [&second, &first]);
        assert_eq!(webhook.secrets_at(now + 23 * HOUR), [&second, &first]);
        assert_eq!(webhook.secrets_at(now + 24 * HOUR), [&second]);
        webhook.rotate_secret(third.clone(), now + HOUR);
        assert_eq!(webhook.secrets_at(now + HOUR), [&third, &second]);
    }

    #[test]
    fn a_stored_webhook_reads_back() {
        let stored = serde_json::to_string(&webhook()).unwrap();
        assert_eq!(serde_json::from_str::<Webhook>(&stored).unwrap(), webhook());
    }
}
