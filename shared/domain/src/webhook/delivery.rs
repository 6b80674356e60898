//! Deliveries: an event on its way to a webhook.

use crate::number::to_usize;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::event::{Event, EventId};
use crate::id::{ParseIdError, WebhookId};
use crate::time::{HOUR, MINUTE, SECOND, Timestamp};

/// The times from one attempt to the next, as the Standard Webhooks specification recommends them. The last
/// attempt is at least three days after the first.
const RETRY_DELAYS: [Duration; 9] = [
    SECOND.saturating_mul(5),
    MINUTE.saturating_mul(5),
    MINUTE.saturating_mul(30),
    HOUR.saturating_mul(2),
    HOUR.saturating_mul(5),
    HOUR.saturating_mul(10),
    HOUR.saturating_mul(14),
    HOUR.saturating_mul(20),
    HOUR.saturating_mul(24),
];
/// The part of a delay by which it is lengthened at most, so that what failed at once is not tried again at
/// once.
const JITTER: f64 = 0.1;

/// Returns the times from one attempt to the next.
pub fn retries() -> &'static [Duration] {
    &RETRY_DELAYS
}

/// The id of a delivery of a webhook: when its event was passed on, and the event's id, for example
/// `1780000000000-check_acme_7`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeliveryId {
    pub created_at: Timestamp,
    pub event: EventId,
}

impl fmt::Display for DeliveryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.created_at.as_millis(), self.event)
    }
}

impl FromStr for DeliveryId {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        let (at, event) = text.split_once('-').ok_or(ParseIdError)?;
        let is_number = (1..=15).contains(&at.len()) && at.bytes().all(|b| b.is_ascii_digit());
        let millis = at.parse().ok().filter(|_| is_number).ok_or(ParseIdError)?;
        Ok(Self {
            created_at: Timestamp::from_millis(millis),
            event: event.parse()?,
        })
    }
}

/// The state of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum DeliveryState {
    /// The delivery is not accepted yet, and is tried again.
    Pending,
    /// The receiver has accepted the delivery.
    Delivered,
    /// The delivery is not tried again.
    Failed,
}

/// An attempt at a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "DeliveryAttempt")]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// When the attempt ended, in Unix milliseconds.
    pub at: Timestamp,
    /// The HTTP status of the response. Null if there was none.
    pub status: Option<u16>,
    /// Why the attempt failed. Null if the receiver accepted the delivery.
    pub error: Option<String>,
}

/// An event on its way to a webhook, as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    pub webhook: WebhookId,
    pub created_at: Timestamp,
    pub event: Event,
    pub state: DeliveryState,
    /// The number of attempts since the event was passed on, or since a client asked for the delivery again.
    pub attempts: u32,
    /// When the next attempt is due. `None` unless the delivery is pending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_attempt_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_attempt: Option<Attempt>,
}

impl Delivery {
    /// Creates a delivery that is due at once.
    pub fn new(webhook: WebhookId, event: Event, now: Timestamp) -> Self {
        Self {
            webhook,
            created_at: now,
            event,
            state: DeliveryState::Pending,
            attempts: 0,
            next_attempt_at: Some(now),
            last_attempt: None,
        }
    }

    pub fn id(&self) -> DeliveryId {
        DeliveryId {
            created_at: self.created_at,
            event: self.event.id.clone(),
        }
    }

    pub fn is_pending(&self) -> bool {
        self.state == DeliveryState::Pending
    }

    /// Returns whether an attempt is due.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.is_pending() && self.next_attempt_at.is_none_or(|at| at <= now)
    }

    /// Records an attempt. After one that failed, the next one is due later and later, until there is none.
    /// `random` is a uniform number from 0 to 1.
    pub fn record(&mut self, attempt: Attempt, random: f64) {
        let retry = to_usize(self.attempts);
        self.attempts = self.attempts.saturating_add(1);
        let delay = RETRY_DELAYS
            .get(retry)
            .map(|delay| delay.mul_f64(1.0 + JITTER * random));
        (self.state, self.next_attempt_at) = match (&attempt.error, delay) {
            (None, _) => (DeliveryState::Delivered, None),
            (Some(_), Some(delay)) => (DeliveryState::Pending, Some(attempt.at + delay)),
            (Some(_), None) => (DeliveryState::Failed, None),
        };
        self.last_attempt = Some(attempt);
    }

    /// Gives the delivery up, for the reason that is shown.
    pub fn give_up(&mut self, reason: &str, now: Timestamp) {
        self.state = DeliveryState::Failed;
        self.next_attempt_at = None;
        self.last_attempt = Some(Attempt {
            at: now,
            status: None,
            error: Some(reason.to_owned()),
        });
    }

    /// Makes the delivery due again from the first attempt on.
    pub fn restart(&mut self, now: Timestamp) {
        self.state = DeliveryState::Pending;
        self.attempts = 0;
        self.next_attempt_at = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::super::event_data::{EventData, TestMessage};
    use super::*;
    use crate::time::DAY;

    fn delivery() -> Delivery {
        let event = Event {
            id: EventId::test(Uuid::from_u128(1)),
            at: Timestamp::from_millis(1),
            entity: None,
            only: None,
            data: EventData::WebhookTest(TestMessage::default()),
        };
        let webhook = WebhookId::from_random(Uuid::from_u128(2));
        Delivery::new(webhook, event, Timestamp::from_millis(1_000))
    }

    fn failed(at: Timestamp) -> Attempt {
        Attempt {
            at,
            status: Some(500),
            error: Some("HTTP status 500".to_owned()),
        }
    }

    #[test]
    fn a_delivery_is_tried_for_three_days_with_growing_delays() {
        for random in [0.0, 0.5, 1.0] {
            let mut delivery = delivery();
            let mut instants = Vec::new();
            while let Some(at) = delivery.next_attempt_at {
                assert!(delivery.is_due(at) && !delivery.is_due(Timestamp::from_millis(at.as_millis() - 1)));
                instants.push(at);
                delivery.record(failed(at), random);
            }
            assert_eq!((delivery.state, instants.len()), (DeliveryState::Failed, 10));
            let delays: Vec<Duration> = instants
                .iter()
                .zip(&instants[1..])
                .map(|(a, b)| b.duration_since(*a))
                .collect();
            assert!(
                delays.is_sorted() && delays[0] >= 5 * SECOND && delays[0] < 6 * SECOND,
                "{delays:?}"
            );
            let total: Duration = delays.iter().sum();
            assert!(total >= 3 * DAY && total < 4 * DAY, "{total:?}");
            assert!(delays.iter().all(|delay| *delay < 27 * HOUR));
        }
    }

    #[test]
    fn an_accepted_delivery_ends_and_a_restarted_one_begins_again() {
        let mut delivery = delivery();
        delivery.record(failed(delivery.created_at), 0.0);
        let accepted = Attempt {
            at: Timestamp::from_millis(9_000),
            status: Some(204),
            error: None,
        };
        delivery.record(accepted.clone(), 0.0);
        assert_eq!(
            (delivery.state, delivery.attempts, delivery.next_attempt_at),
            (DeliveryState::Delivered, 2, None)
        );
        assert_eq!(delivery.last_attempt, Some(accepted));
        delivery.restart(Timestamp::from_millis(10_000));
        assert!(delivery.is_due(Timestamp::from_millis(10_000)) && delivery.attempts == 0);
        delivery.give_up("The webhook is disabled", Timestamp::from_millis(11_000));
        assert!(!delivery.is_due(Timestamp::from_millis(i64::MAX)));
    }

    #[test]
    fn the_id_of_a_delivery_reads_back() {
        let id = delivery().id();
        assert_eq!(id.to_string(), "1000-test_00000000000000000000000000000001");
        assert_eq!(id.to_string().parse(), Ok(id));
        for text in ["", "-", "1-", "-a", "x-a", "1-a-b", "+1-a", "1234567890123456-a"] {
            assert!(text.parse::<DeliveryId>().is_err(), "{text}");
        }
    }
}
