//! The events and their form on EventBridge.

use domain::id::{EntityId, WorkspaceId};
use domain::ordinal::{CheckNumber, ShardNumber};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::IntoStaticStr;
use thiserror::Error;

/// The `source` of every event of a check, which the rules of the bus match.
pub const SOURCE: &str = "visibility.checks";

/// An event in its form on EventBridge.
pub trait BusEvent {
    /// Returns EventBridge's `source`.
    fn source(&self) -> &'static str;

    /// Returns EventBridge's `detail-type`.
    fn detail_type(&self) -> &'static str;

    /// Returns EventBridge's `detail` as JSON text.
    fn detail(&self) -> Result<String, serde_json::Error>;
}

/// The error of an event that cannot be decoded. Its text quotes nothing of the event.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("unreadable event: {0}")]
pub struct Unreadable(pub &'static str);

fn parse_envelope<E: DeserializeOwned>(envelope: &str, source: &str) -> Result<E, Unreadable> {
    let envelope: Value = serde_json::from_str(envelope).map_err(|_| Unreadable("it is not JSON"))?;
    if envelope["source"] != source {
        return Err(Unreadable("its source is unknown"));
    }
    serde_json::from_value(envelope).map_err(|_| Unreadable("its detail-type or its detail is unknown"))
}

/// The ids of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckRef {
    pub workspace_id: WorkspaceId,
    pub entity_id: EntityId,
    pub check: CheckNumber,
}

/// The ids of an entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EntityRef {
    pub workspace_id: WorkspaceId,
    pub entity_id: EntityId,
}

/// An event of a check or of an entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(tag = "detail-type", content = "detail")]
pub enum CheckEvent {
    /// A check was claimed, and its shards are to be published.
    CheckClaimed(CheckRef),
    /// A shard of a check is to be worked on.
    #[serde(with = "shard_detail")]
    ShardReady(CheckRef, ShardNumber),
    /// Every shard of a check is done, and the check is to be completed.
    CheckAnswered(CheckRef),
    /// The answers so far of a running check are to be folded into facts.
    FoldDue(CheckRef),
    /// An operator requests a check. `check` is the ordinal that it will get. If the entity already has a
    /// check with this ordinal, the event has no effect, so a repeated or late event starts nothing.
    CheckWanted(CheckRef),
    /// An entity was deleted and is to be cleaned up.
    EntityDeleted(EntityRef),
    /// The recorded answers of an entity are to be read again.
    RereadingDue(EntityRef),
}

/// The detail of an event about a shard.
mod shard_detail {
    use domain::ordinal::ShardNumber;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::CheckRef;

    #[derive(Serialize, Deserialize)]
    struct Detail {
        #[serde(flatten)]
        check: CheckRef,
        shard: ShardNumber,
    }

    pub(super) fn serialize<S: Serializer>(
        check: &CheckRef,
        shard: &ShardNumber,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let (check, shard) = (check.clone(), *shard);
        Detail { check, shard }.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<(CheckRef, ShardNumber), D::Error> {
        let Detail { check, shard } = Detail::deserialize(deserializer)?;
        Ok((check, shard))
    }
}

/// A queue in which events wait for the checker. Each is worked on at a concurrency of its own, so that long
/// work never holds up short work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckQueue {
    /// Work on shards, which takes minutes, because it asks providers.
    Shards,
    /// Short steps, which take moments: those that plan, finish and clean up.
    Steps,
    /// Steps of rereadings, which take up to a minute.
    Rereadings,
}

impl CheckQueue {
    pub const ALL: [Self; 3] = [Self::Shards, Self::Steps, Self::Rereadings];

    /// Returns the `detail-type`s of the events that wait in this queue. The rules of the bus match them.
    pub fn detail_types(self) -> Vec<&'static str> {
        match self {
            Self::Shards => vec!["ShardReady"],
            Self::Steps => vec![
                "CheckClaimed",
                "CheckAnswered",
                "FoldDue",
                "CheckWanted",
                "EntityDeleted",
            ],
            Self::Rereadings => vec!["RereadingDue"],
        }
    }
}

impl CheckEvent {
    /// Returns the queue in which the event waits for the checker.
    pub fn queue(&self) -> CheckQueue {
        match self {
            Self::ShardReady(..) => CheckQueue::Shards,
            Self::RereadingDue(_) => CheckQueue::Rereadings,
            _ => CheckQueue::Steps,
        }
    }

    /// Decodes an EventBridge envelope.
    pub fn from_envelope(envelope: &str) -> Result<Self, Unreadable> {
        parse_envelope(envelope, SOURCE)
    }
}

impl BusEvent for CheckEvent {
    fn source(&self) -> &'static str {
        SOURCE
    }

    fn detail_type(&self) -> &'static str {
        self.into()
    }

    fn detail(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_value(self)?["detail"].to_string())
    }
}

/// A workspace has events to pass on, or deliveries to send. The table has what they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NotificationsDue {
    pub workspace_id: WorkspaceId,
}

/// The event in its envelope.
#[derive(Deserialize)]
#[serde(tag = "detail-type", content = "detail")]
enum Notification {
    NotificationsDue(NotificationsDue),
}

impl NotificationsDue {
    /// The `source`, which the rule of the bus matches.
    pub const SOURCE: &str = "visibility.notifications";
    pub const DETAIL_TYPE: &str = "NotificationsDue";

    /// Decodes an EventBridge envelope.
    pub fn from_envelope(envelope: &str) -> Result<Self, Unreadable> {
        let Notification::NotificationsDue(due) = parse_envelope(envelope, Self::SOURCE)?;
        Ok(due)
    }
}

impl BusEvent for NotificationsDue {
    fn source(&self) -> &'static str {
        Self::SOURCE
    }

    fn detail_type(&self) -> &'static str {
        Self::DETAIL_TYPE
    }

    fn detail(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }
}

#[cfg(test)]
mod tests {
    use domain::id::{EntityId, WorkspaceId};
    use serde_json::Value;

    use super::*;

    fn check() -> CheckRef {
        CheckRef {
            workspace_id: "aaaaaaaaaaaaaaaa".parse::<WorkspaceId>().unwrap(),
            entity_id: "bbbbbbbbbbbbbbbb".parse::<EntityId>().unwrap(),
            check: 7.into(),
        }
    }

    fn entity() -> EntityRef {
        EntityRef {
            workspace_id: check().workspace_id,
            entity_id: check().entity_id,
        }
    }

    #[test]
    fn an_event_reads_back_from_its_envelope() {
        for event in [
            CheckEvent::CheckClaimed(check()),
            CheckEvent::ShardReady(check(), 3.into()),
            CheckEvent::CheckAnswered(check()),
            CheckEvent::FoldDue(check()),
            CheckEvent::CheckWanted(check()),
            CheckEvent::EntityDeleted(entity()),
            CheckEvent::RereadingDue(entity()),
        ] {
            let detail: Value = serde_json::from_str(&event.detail().unwrap()).unwrap();
            let envelope = serde_json::json!({
                "version": "0", "id": "1", "source": SOURCE, "detail-type": event.detail_type(), "detail": detail,
            });
            let queues = CheckQueue::ALL.into_iter();
            let waiting = queues.filter(|queue| queue.detail_types().contains(&event.detail_type()));
            assert_eq!(waiting.collect::<Vec<_>>(), [event.queue()], "{event:?}");
            assert_eq!(CheckEvent::from_envelope(&envelope.to_string()), Ok(event));
        }
    }

    #[test]
    fn damaged_and_foreign_envelopes_are_refused() {
        for envelope in [
            "",
            "null",
            "[]",
            r#"{"source":"aws.s3","detail-type":"CheckClaimed","detail":{}}"#,
            r#"{"source":"visibility.checks","detail-type":"CheckClaimed","detail":{"check":1}}"#,
            r#"{"source":"visibility.checks","detail-type":"Other","detail":{"workspaceId":"aaaaaaaaaaaaaaaa","entityId":"bbbbbbbbbbbbbbbb","check":1}}"#,
            r#"{"source":"visibility.checks","detail-type":"CheckWanted","detail":{"workspaceId":"aaaaaaaaaaaaaaaa","entityId":"bbbbbbbbbbbbbbbb"}}"#,
            r#"{"source":"visibility.checks","detail-type":"ShardReady","detail":{"workspaceId":"aaaaaaaaaaaaaaaa","entityId":"bbbbbbbbbbbbbbbb","check":1}}"#,
            r#"{"source":"visibility.checks","detail-type":"ShardReady","detail":{"workspaceId":"W#1","entityId":"bbbbbbbbbbbbbbbb","check":1,"shard":0}}"#,
        ] {
            assert!(CheckEvent::from_envelope(envelope).is_err(), "{envelope}");
        }
    }

    #[test]
    fn ten_of_the_longest_events_are_far_below_what_one_request_holds() {
        let longest = CheckRef {
            check: u32::MAX.into(),
            ..check()
        };
        let event = CheckEvent::ShardReady(longest, u32::MAX.into());
        let bytes = SOURCE.len() + event.detail_type().len() + event.detail().unwrap().len();
        // EventBridge accepts 10 entries with 256 KB together, and SQS a message of 256 KB with its envelope.
        assert!(10 * bytes < 2_000, "{bytes}");
    }

    #[test]
    fn a_notification_reads_back_from_its_envelope_and_a_damaged_one_is_refused() {
        let event = NotificationsDue {
            workspace_id: "aaaaaaaaaaaaaaaa".parse().unwrap(),
        };
        let envelope = |source: &str, detail_type: &str, detail: &str| {
            format!(r#"{{"source":"{source}","detail-type":"{detail_type}","detail":{detail}}}"#)
        };
        let detail = event.detail().unwrap();
        let sent = envelope(event.source(), event.detail_type(), &detail);
        assert_eq!(NotificationsDue::from_envelope(&sent), Ok(event));
        for damaged in [
            String::new(),
            envelope("aws.s3", "NotificationsDue", &detail),
            envelope("visibility.notifications", "Other", &detail),
            envelope("visibility.notifications", "NotificationsDue", "{}"),
        ] {
            assert!(NotificationsDue::from_envelope(&damaged).is_err(), "{damaged}");
        }
    }
}
