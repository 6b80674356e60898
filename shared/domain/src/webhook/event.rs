//! Events: what has happened to a workspace or one of its entities.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use super::event_data::EventData;
use crate::id::{EntityId, ParseIdError, WebhookId};
use crate::ordinal::CheckNumber;
use crate::time::Timestamp;

/// The id of an event. It follows from what has happened, so that an event that is recorded again has the
/// same id. It consists of ASCII letters, digits and underscores.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EventId(String);

impl EventId {
    /// The id of an event of a check. `what` names the kind of event.
    pub fn of_check(what: &str, entity: &EntityId, check: CheckNumber) -> Self {
        Self(format!("{what}_{entity}_{check}"))
    }

    /// The id of an event that is told once per instant. `subject` is an id or the name of a provider.
    pub fn at(what: &str, subject: &str, at: Timestamp) -> Self {
        let subject = subject.chars().filter(char::is_ascii_alphanumeric);
        Self(format!(
            "{what}_{}_{}",
            subject.collect::<String>(),
            at.as_millis()
        ))
    }

    /// The id of a test.
    pub fn test(random: Uuid) -> Self {
        Self(format!("test_{}", random.simple()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for EventId {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        let is_valid = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_id = (1..=100).contains(&text.len()) && text.chars().all(is_valid);
        is_id.then(|| Self(text.to_owned())).ok_or(ParseIdError)
    }
}

/// An event, as it is recorded and delivered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    pub id: EventId,
    pub at: Timestamp,
    /// The entity that the event concerns. `None` if it concerns the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<EntityId>,
    /// The only webhook that is sent the event. `None` stands for all that want it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<WebhookId>,
    #[serde(flatten)]
    pub data: EventData,
}

impl Event {
    /// Returns the event as clients see it: `type`, `timestamp` in ISO 8601, and `data`.
    pub fn body(&self) -> serde_json::Value {
        json!({
            "type": self.data.kind().into_str(),
            "timestamp": self.at.iso(),
            "data": self.data.payload(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::event_data::{CreditsLow, TestMessage};
    use super::*;

    #[test]
    fn an_id_follows_from_what_has_happened() {
        let entity: EntityId = "acme000000000000".parse().unwrap();
        let id = EventId::of_check("check", &entity, 7.into());
        assert_eq!(id.as_str(), "check_acme000000000000_7");
        assert_eq!(id.to_string().parse(), Ok(id));
        let paused = EventId::at("pause", "open-ai.", Timestamp::from_millis(5));
        assert_eq!(paused.as_str(), "pause_openai_5");
        for text in ["", "a-b", "a.b", "a b", "é", &"a".repeat(101)] {
            assert!(text.parse::<EventId>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_body_has_the_type_the_time_and_the_data_and_a_stored_event_reads_back() {
        let event = Event {
            id: EventId::test(Uuid::from_u128(1)),
            at: Timestamp::from_millis(1_780_000_000_000),
            entity: None,
            only: None,
            data: EventData::CreditsLow(CreditsLow {
                balance: 10,
                credits_per_day: 5,
                days_left: 2,
            }),
        };
        assert_eq!(
            event.body(),
            json!({
                "type": "credits.low", "timestamp": "2026-05-28T20:26:40.000Z",
                "data": {"balance": 10, "creditsPerDay": 5, "daysLeft": 2},
            })
        );
        let test = Event {
            data: EventData::WebhookTest(TestMessage::default()),
            ..event.clone()
        };
        for event in [event, test] {
            let stored = serde_json::to_string(&event).unwrap();
            assert_eq!(serde_json::from_str::<Event>(&stored).unwrap(), event);
        }
    }
}
