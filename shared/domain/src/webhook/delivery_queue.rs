//! The queue of a webhook's deliveries: what is pending, and who sends.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::delivery::Delivery;
use crate::limits::{DISABLED_AFTER, SEND_LEASE};
use crate::time::Timestamp;

/// The lease of the sender that works on a queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendLease {
    pub owner: Uuid,
    /// The end of the lease, from which on another sender can take over.
    pub until: Timestamp,
}

/// The queue of a webhook's deliveries, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryQueue {
    /// When the oldest pending delivery was created. `None` if nothing is pending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending_since: Option<Timestamp>,
    /// When a sender has to look at the queue. `None` if nothing is pending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_at: Option<Timestamp>,
    /// When the first attempt failed since the receiver last accepted one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing_since: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<SendLease>,
    /// The number of changes of this record, for optimistic concurrency control.
    pub revision: u32,
}

impl DeliveryQueue {
    /// Notes a delivery that is due at `now`.
    pub fn add(&mut self, created_at: Timestamp, now: Timestamp) {
        let earliest = |known: Option<Timestamp>, new| Some(known.map_or(new, |known| known.min(new)));
        self.pending_since = earliest(self.pending_since, created_at);
        self.due_at = earliest(self.due_at, now);
    }

    /// Gives the queue to a sender. Returns `false` if nothing is due, or another sender has it.
    pub fn lease(&mut self, owner: Uuid, now: Timestamp) -> bool {
        let is_free = self.lease.as_ref().is_none_or(|lease| lease.until <= now);
        if !is_free || self.due_at.is_none_or(|due| due > now) {
            return false;
        }
        let until = now + SEND_LEASE;
        self.lease = Some(SendLease { owner, until });
        // Should the sender come to harm, the queue is due when its lease ends.
        self.due_at = Some(until);
        true
    }

    /// Returns whether a sender has the queue.
    pub fn is_leased_by(&self, owner: Uuid) -> bool {
        self.lease.as_ref().is_some_and(|lease| lease.owner == owner)
    }

    /// Takes the queue back from its sender. `pending` are all pending deliveries.
    pub fn release(&mut self, pending: &[Delivery]) {
        self.lease = None;
        self.pending_since = pending.iter().map(|delivery| delivery.created_at).min();
        self.due_at = pending
            .iter()
            .filter_map(|delivery| delivery.next_attempt_at)
            .min();
    }

    /// Notes whether the receiver has accepted a delivery or let one fail.
    pub fn record_attempt(&mut self, is_accepted: bool, at: Timestamp) {
        self.failing_since = if is_accepted {
            None
        } else {
            self.failing_since.or(Some(at))
        };
    }

    /// Returns since when the receiver has accepted nothing, if that is so long that its webhook is disabled.
    /// The time begins anew when a client changes the webhook, which was at `changed_at`: it can have another
    /// URL, or be enabled again.
    pub fn given_up_since(&self, changed_at: Timestamp, now: Timestamp) -> Option<Timestamp> {
        let since = self.failing_since?.max(changed_at);
        (since + DISABLED_AFTER <= now).then_some(since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{DAY, MINUTE};

    #[test]
    fn one_sender_has_a_queue_until_its_lease_ends() {
        let start = Timestamp::from_millis(1_000);
        let mut queue = DeliveryQueue::default();
        let [first, second] = [1, 2].map(Uuid::from_u128);
        assert!(!queue.lease(first, start), "nothing is due");
        queue.add(start, start);
        assert!(queue.lease(first, start) && queue.is_leased_by(first));
        queue.add(start + MINUTE, start + MINUTE);
        assert!(!queue.lease(second, start + MINUTE));
        assert!(queue.lease(second, start + SEND_LEASE) && !queue.is_leased_by(first));
        queue.release(&[]);
        assert_eq!(
            (queue.pending_since, queue.due_at, queue.lease),
            (None, None, None)
        );
    }

    #[test]
    fn a_receiver_that_accepts_nothing_for_five_days_is_given_up() {
        let start = Timestamp::from_millis(1_000);
        let mut queue = DeliveryQueue::default();
        queue.record_attempt(false, start);
        queue.record_attempt(false, start + 4 * DAY);
        assert_eq!(queue.given_up_since(start, start + 4 * DAY), None);
        assert_eq!(queue.given_up_since(start, start + 5 * DAY), Some(start));
        let changed_at = start + 3 * DAY;
        assert_eq!(queue.given_up_since(changed_at, start + 5 * DAY), None);
        assert_eq!(
            queue.given_up_since(changed_at, start + 8 * DAY),
            Some(changed_at)
        );
        queue.record_attempt(true, start + 5 * DAY);
        assert_eq!(queue.given_up_since(start, start + 9 * DAY), None);
    }
}
