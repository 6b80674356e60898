//! The events and their form on EventBridge.

use domain::id::{EntityId, WorkspaceId};
use domain::ordinal::{CheckNumber, ShardNumber};
use serde::{Deserialize, Serialize};

use crate::bus_event::BusEvent;
use crate::envelope::{Envelope, Unreadable};
use crate::queue::{
    CHECK_ANSWERED, CHECK_CLAIMED, CHECK_WANTED, CheckQueue, ENTITY_DELETED, EventKind, FOLD_DUE,
    REREADING_DUE, SHARD_READY,
};

/// The `source` of every event of a check, which the rules of the bus match.
pub const SOURCE: &str = "visibility.checks";

/// The ids of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckRef {
    pub workspace_id: WorkspaceId,
    pub entity_id: EntityId,
    pub check: CheckNumber,
}

/// The ids of an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityRef {
    pub workspace_id: WorkspaceId,
    pub entity_id: EntityId,
}

/// An event of a check or of an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckEvent {
    /// A check was claimed, and its shards are to be published.
    CheckClaimed(CheckRef),
    /// A shard of a check is to be worked on.
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

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Detail {
    workspace_id: WorkspaceId,
    entity_id: EntityId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    check: Option<CheckNumber>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shard: Option<ShardNumber>,
}

impl CheckEvent {
    /// Returns the queue in which the event waits for the checker.
    pub fn queue(&self) -> CheckQueue {
        self.kind().queue
    }

    fn kind(&self) -> EventKind {
        match self {
            Self::CheckClaimed(_) => CHECK_CLAIMED,
            Self::ShardReady(..) => SHARD_READY,
            Self::CheckAnswered(_) => CHECK_ANSWERED,
            Self::FoldDue(_) => FOLD_DUE,
            Self::CheckWanted(_) => CHECK_WANTED,
            Self::EntityDeleted(_) => ENTITY_DELETED,
            Self::RereadingDue(_) => REREADING_DUE,
        }
    }

    /// Decodes an EventBridge envelope.
    pub fn from_envelope(envelope: &str) -> Result<Self, Unreadable> {
        let envelope = Envelope::parse(envelope, SOURCE)?;
        let kind = EventKind::of(&envelope.detail_type);
        let detail: Detail = envelope.detail()?;
        let (workspace_id, entity_id) = (detail.workspace_id, detail.entity_id);
        let of_entity = match kind {
            Some(ENTITY_DELETED) => Some(Self::EntityDeleted as fn(EntityRef) -> Self),
            Some(REREADING_DUE) => Some(Self::RereadingDue as fn(EntityRef) -> Self),
            _ => None,
        };
        if let Some(of_entity) = of_entity {
            return Ok(of_entity(EntityRef {
                workspace_id,
                entity_id,
            }));
        }
        let check = CheckRef {
            workspace_id,
            entity_id,
            check: detail.check.ok_or(Unreadable("it has no check"))?,
        };
        match (kind, detail.shard) {
            (Some(CHECK_CLAIMED), _) => Ok(Self::CheckClaimed(check)),
            (Some(CHECK_ANSWERED), _) => Ok(Self::CheckAnswered(check)),
            (Some(FOLD_DUE), _) => Ok(Self::FoldDue(check)),
            (Some(CHECK_WANTED), _) => Ok(Self::CheckWanted(check)),
            (Some(SHARD_READY), Some(shard)) => Ok(Self::ShardReady(check, shard)),
            (Some(SHARD_READY), None) => Err(Unreadable("it has no shard")),
            _ => Err(Unreadable("its detail-type is unknown")),
        }
    }
}

impl BusEvent for CheckEvent {
    fn source(&self) -> &'static str {
        SOURCE
    }

    fn detail_type(&self) -> &'static str {
        self.kind().detail_type
    }

    fn detail(&self) -> Result<String, serde_json::Error> {
        let detail_of = |check: &CheckRef, shard| Detail {
            workspace_id: check.workspace_id.clone(),
            entity_id: check.entity_id.clone(),
            check: Some(check.check),
            shard,
        };
        serde_json::to_string(&match self {
            Self::CheckClaimed(check)
            | Self::CheckAnswered(check)
            | Self::FoldDue(check)
            | Self::CheckWanted(check) => detail_of(check, None),
            Self::ShardReady(check, shard) => detail_of(check, Some(*shard)),
            Self::EntityDeleted(entity) | Self::RereadingDue(entity) => Detail {
                workspace_id: entity.workspace_id.clone(),
                entity_id: entity.entity_id.clone(),
                check: None,
                shard: None,
            },
        })
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
            assert!(
                event.queue().detail_types().contains(&event.detail_type()),
                "{event:?}"
            );
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
}
