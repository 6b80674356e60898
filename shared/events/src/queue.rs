//! The queues between the bus and the checker, and which events wait in which queue.

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

/// The kind of an event: its `detail-type` and its queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EventKind {
    pub(crate) detail_type: &'static str,
    pub(crate) queue: CheckQueue,
}

pub(crate) const CHECK_CLAIMED: EventKind = CheckQueue::Steps.kind("CheckClaimed");
pub(crate) const SHARD_READY: EventKind = CheckQueue::Shards.kind("ShardReady");
pub(crate) const CHECK_ANSWERED: EventKind = CheckQueue::Steps.kind("CheckAnswered");
pub(crate) const FOLD_DUE: EventKind = CheckQueue::Steps.kind("FoldDue");
pub(crate) const CHECK_WANTED: EventKind = CheckQueue::Steps.kind("CheckWanted");
pub(crate) const ENTITY_DELETED: EventKind = CheckQueue::Steps.kind("EntityDeleted");
pub(crate) const REREADING_DUE: EventKind = CheckQueue::Rereadings.kind("RereadingDue");

/// Every kind. An event of another kind cannot be decoded and has no queue.
const KINDS: [EventKind; 7] = [
    CHECK_CLAIMED,
    SHARD_READY,
    CHECK_ANSWERED,
    FOLD_DUE,
    CHECK_WANTED,
    ENTITY_DELETED,
    REREADING_DUE,
];

impl CheckQueue {
    pub const ALL: [Self; 3] = [Self::Shards, Self::Steps, Self::Rereadings];

    /// Returns the `detail-type`s of the events that wait in this queue. The rules of the bus match them.
    pub fn detail_types(self) -> Vec<&'static str> {
        let kinds = KINDS.iter().filter(|kind| kind.queue == self);
        kinds.map(|kind| kind.detail_type).collect()
    }

    const fn kind(self, detail_type: &'static str) -> EventKind {
        EventKind {
            detail_type,
            queue: self,
        }
    }
}

impl EventKind {
    /// Returns the kind of events with this `detail-type`, if it is known.
    pub(crate) fn of(detail_type: &str) -> Option<Self> {
        KINDS.into_iter().find(|kind| kind.detail_type == detail_type)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_of_event_waits_in_one_queue() {
        assert_eq!(CheckQueue::Shards.detail_types(), ["ShardReady"]);
        assert_eq!(CheckQueue::Rereadings.detail_types(), ["RereadingDue"]);
        let of_all = CheckQueue::ALL.map(CheckQueue::detail_types).concat();
        assert_eq!(of_all.len(), KINDS.len());
        assert_eq!(BTreeSet::from_iter(of_all).len(), KINDS.len());
    }
}
