//! Describes the messages that webhooks with the format `json` are sent.

use domain::webhook::{
    CheckEnd, CreatedRecommendations, CreditsLow, EventKind, ProviderPaused, RecordedOutcomes, TestMessage,
    VisibilityChange, WebhookDisabled,
};
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::components::{pascal_case, titled};
use crate::examples::{ACTIONABLE, ENTITY, MODEL, NOW, NOW_ISO, WEBHOOK};
use crate::request_schemas::{extend, object, required};
use crate::response_schemas::{ResponseSchemas, SchemaOf};

/// The names of the headers that each message has, as components.
const HEADERS: [&str; 3] = ["MessageId", "MessageTimestamp", "MessageSignature"];

/// The tag of the messages. Generators make a class of each tag, and that of the messages is not to replace
/// that of requests.
pub(crate) const TAG: &str = "Webhook messages";

/// A message of one kind.
struct Message {
    kind: EventKind,
    summary: &'static str,
    /// Returns the schema of `data`, which is a reference to a component.
    data: SchemaOf,
    /// An example of `data`.
    example: Value,
}

/// Returns the requests that the service sends to webhooks, by kind of event.
pub(crate) fn webhooks(schemas: &mut ResponseSchemas) -> Map<String, Value> {
    let entry = |message: Message| {
        let kind = message.kind.into_str();
        (kind.to_owned(), json!({"post": message.entry(schemas)}))
    };
    messages().map(entry).collect()
}

/// Returns the parameters that all messages share.
pub(crate) fn parameters() -> [(&'static str, Value); 3] {
    let header = |component, name: &str, pattern: &str, description: &str| {
        let schema = json!({"type": "string", "pattern": pattern});
        let parameter = json!({"name": name, "in": "header", "required": true, "schema": schema, "description": description});
        (component, parameter)
    };
    [
        header(
            HEADERS[0],
            "webhook-id",
            "^[A-Za-z0-9_]{1,100}$",
            "The event's id, which is the same at every attempt. An event can arrive twice.",
        ),
        header(
            HEADERS[1],
            "webhook-timestamp",
            "^[0-9]+$",
            "When this attempt was made, in Unix seconds",
        ),
        header(
            HEADERS[2],
            "webhook-signature",
            "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$",
            "`v1,` and the signature of the id, the timestamp and the body in base64. For a day after a change of the secret, a \
             second signature with the last secret follows after a space.",
        ),
    ]
}

impl Message {
    fn entry(self, schemas: &mut ResponseSchemas) -> Value {
        let kind = self.kind.into_str();
        let name = format!("{}Message", pascal_case(&kind.replace('.', "_")));
        let kind_schema = json!({"const": kind, "description": "The kind of event"});
        let timestamp =
            json!({"type": "string", "format": "date-time", "description": "When it happened, in UTC"});
        let data = extend(
            schemas.schema(self.data).to_value(),
            json!({"description": "What has happened"}),
        );
        let schema = object([
            required("type", kind_schema),
            required("timestamp", timestamp),
            required("data", data),
        ]);
        let example = json!({"type": kind, "timestamp": NOW_ISO, "data": self.example});
        let id = format!("send{name}");
        json!({
            "operationId": id,
            "tags": [TAG],
            "summary": self.summary,
            "x-extension": true,
            "parameters": HEADERS.map(|name| json!({"$ref": format!("#/components/parameters/{name}")})),
            "requestBody": {
                "required": true,
                "content": {"application/json": {"schema": titled(&name, schema), "example": example}},
            },
            "responses": {
                "2XX": {"description": "The message is accepted."},
                "default": {"description": "The message is not accepted, and is tried again for three days. No redirect is followed."},
            },
        })
    }
}

fn message<T: JsonSchema>(kind: EventKind, summary: &'static str, example: Value) -> Message {
    Message {
        kind,
        summary,
        data: SchemaGenerator::subschema_for::<T>,
        example,
    }
}

fn messages() -> impl Iterator<Item = Message> {
    of_checks().into_iter().chain(of_other_events())
}

/// Returns the messages about checks and their figures.
fn of_checks() -> [Message; 5] {
    [
        message::<CheckEnd>(
            EventKind::CheckCompleted,
            "A check has ended, and all of its questions were asked",
            json!({
                "entityId": ENTITY, "name": "Velumora", "check": 7,
                "visibility": visibility("2026-11-21", "2026-11-21", [43, 75], 57.33, [46.05, 67.89]),
                "problems": [],
            }),
        ),
        message::<CheckEnd>(
            EventKind::CheckPartial,
            "A check was closed at its deadline with open questions",
            json!({
                "entityId": ENTITY, "name": "Velumora", "check": 7,
                "visibility": visibility("2026-11-21", "2026-11-21", [27, 50], 54.0, [40.4, 67.03]),
                "problems": [{
                    "provider": "openai", "modelId": MODEL,
                    "reason": "The provider rejects the account or its key",
                }],
            }),
        ),
        message::<VisibilityChange>(
            EventKind::VisibilityChanged,
            "The visibility of the last ten days differs from that of the days before, and chance does not explain it",
            json!({
                "entityId": ENTITY, "name": "Velumora",
                "window": visibility("2026-11-12", "2026-11-21", [285, 750], 38.0, [34.59, 41.53]),
                "base": visibility("2026-10-15", "2026-11-11", [1218, 2100], 58.0, [55.88, 60.09]),
                "change": -20.0, "changeInterval": [-25.13, -14.87], "pValue": 0.0001,
                "query": query("/trends/compare", "2026-11-12", "2026-11-21"),
            }),
        ),
        message::<CreatedRecommendations>(
            EventKind::RecommendationCreated,
            "A check has led to recommendations that were not on the board",
            json!({
                "entityId": ENTITY, "name": "Velumora",
                "recommendations": [{
                    "actionableId": ACTIONABLE, "title": "Answer the questions in which Velumora is rarely mentioned",
                    "priority": "high", "sourceType": "low_visibility",
                    "query": query("/trends/visibility", "2026-10-23", "2026-11-21"),
                }],
            }),
        ),
        message::<RecordedOutcomes>(
            EventKind::RecommendationOutcome,
            "Enough answers have been counted to tell whether completed tasks helped",
            json!({
                "entityId": ENTITY, "name": "Velumora",
                "outcomes": [{
                    "actionableId": ACTIONABLE, "title": "Answer the questions in which Velumora is rarely mentioned",
                    "outcome": {
                        "result": "improved",
                        "before": visibility("2026-09-22", "2026-10-21", [45, 450], 10.0, [7.56, 13.12]),
                        "after": visibility("2026-10-23", "2026-11-21", [135, 450], 30.0, [25.95, 34.39]),
                    },
                }],
            }),
        ),
    ]
}

fn of_other_events() -> [Message; 4] {
    [
        message::<ProviderPaused>(
            EventKind::ProviderPaused,
            "A provider that rejects its account or key holds up a check. It is told once per pause.",
            json!({
                "entityId": ENTITY, "provider": "openai", "reason": "The provider rejects the account or its key",
                "since": NOW,
            }),
        ),
        message::<CreditsLow>(
            EventKind::CreditsLow,
            "The credits suffice for less than a week of scheduled checks. It is told once, until they suffice again.",
            json!({"balance": 310, "creditsPerDay": 75, "daysLeft": 4}),
        ),
        message::<WebhookDisabled>(
            EventKind::WebhookDisabled,
            "Another webhook of the workspace was disabled, because it accepted nothing for five days",
            json!({
                "webhookId": WEBHOOK, "reason": "The receiver has accepted nothing for five days",
                "failingSince": NOW - 432_000_000,
            }),
        ),
        message::<TestMessage>(
            EventKind::WebhookTest,
            "A client asked for a test. Only the tested webhook is sent it.",
            json!(TestMessage::default()),
        ),
    ]
}

fn visibility(
    start: &str,
    end: &str,
    [mentions, responses]: [u32; 2],
    score: f64,
    interval: [f64; 2],
) -> Value {
    json!({
        "startDate": start, "endDate": end, "counts": {"mentions": mentions, "responses": responses}, "score": score,
        "interval": interval, "query": query("/trends/visibility", start, end),
    })
}

fn query(path: &str, start: &str, end: &str) -> Value {
    json!({
        "path": path,
        "parameters": {"entityId": ENTITY, "startDate": start, "endDate": end, "union": "false"},
    })
}
