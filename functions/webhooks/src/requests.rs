//! What requests take.

use api::{Body, Input, Kind, List, Resource};
use domain::limits::MAX_WEBHOOK_ENTITIES;

/// The parameter that names a webhook.
pub(crate) const WEBHOOK_ID: Input = Input::id("webhookId", Resource::Webhook, "The webhook's id");

/// A body that only names a webhook.
pub(crate) const WEBHOOK: Body = Body::Fields(&[ID]);
const ID: Input = Input::id("webhookId", Resource::Webhook, "The webhook");

/// The body of `POST /webhooks/deliveries/redeliver`.
pub(crate) const REDELIVERY: Body =
    Body::Fields(&[ID, Input::id("deliveryId", Resource::Delivery, "The delivery")]);

const URL: Input = Input::optional("url", Kind::Webhook,
    "Where messages are sent: an https URL whose host has public addresses only. It is resolved and checked before each message.");
const EVENTS: Input = Input::optional("events",
    Kind::List(&List { least: 1, ..List::of(Kind::Word("WebhookEventKind", KINDS), "A kind of event") }),
    "The kinds of events to send");
const KINDS: &[&str] = &[
    "check.completed", "check.partial", "visibility.changed", "recommendation.created", "recommendation.outcome",
    "provider.paused", "credits.low", "webhook.disabled",
];
const ENTITY_IDS: Input = Input::optional("entityIds",
    Kind::List(&List { most: MAX_WEBHOOK_ENTITIES, ..List::of(Kind::Subject(Resource::Entity), "An entity's id") }),
    "The entities whose events are sent. An empty list stands for all entities. Events that concern the workspace are sent in any case.");
pub(crate) const FORMAT: Input = Input::optional("format", Kind::Word("WebhookFormat", &["json", "slack", "teams"]),
    "How messages are written: `json` has `type`, `timestamp` and `data`; `slack` and `teams` are messages for people in these services");

/// The body of `POST /webhooks`.
pub(crate) const CREATE: Body =
    Body::Fields(&[Input { is_required: true, ..URL }, Input { is_required: true, ..EVENTS }, ENTITY_IDS, FORMAT]);

/// The body of `PATCH /webhooks`.
pub(crate) const UPDATE: Body = Body::Fields(&[
    ID,
    URL, EVENTS, ENTITY_IDS, FORMAT,
    Input::optional("enabled", Kind::Flag, "Whether events are sent. What happens while they are not is never sent."),
]);
