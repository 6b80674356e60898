//! The rate at which a provider is asked after it has throttled requests. All workers share it.
//!
//! A provider does not say reliably how many requests it accepts, so its limit is learnt as TCP's CUBIC
//! learns the bandwidth of a line. A throttled request holds all requests back for a moment and lowers the
//! rate. Then the rate rises: within [`PLATEAU`] to the limit, slowly around it, and ever faster beyond it,
//! but never far beyond what is asked. The next throttled request tells the limit anew. After
//! [`RATE_RECOVERY`] without one there is no limit any more. What was learnt stays in the record, so that a
//! further throttled request leads straight back to it.
//!
//! Requests start one after the other at the rate in force. A worker reserves a start, which moves the start
//! of the next one. It may start at its instant unless [`ProviderRate::held_until`] has passed that by then.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::limits::{
    FIRST_PROVIDER_RATE, MAX_PROVIDER_HOLD, MIN_PROVIDER_HOLD, MIN_PROVIDER_RATE, PROVIDER_HOLD,
    RATE_RECOVERY,
};
use crate::time::{MINUTE, Timestamp};

/// The factor of a reduction below the limit.
const REDUCTION: f64 = 0.9;
/// The time after a hold in which a further throttled request says nothing new about the limit. If the
/// provider counts by the minute, the minute may be used up.
const SETTLING: Duration = Duration::from_secs(20);
/// The factors of the rate and of the limit at a throttled request in that time, and the lowest rate as a
/// part of the limit.
const REPEATED_REDUCTION: f64 = 0.7;
const REPEATED_MARGIN: f64 = 0.95;
const LOWEST_PART: f64 = 0.25;
/// The time after a hold at which the rate is back at the limit.
const PLATEAU: Duration = Duration::from_secs(50);
/// The time after that in which the rate grows by the factor e.
const GROWTH: Duration = Duration::from_secs(45);
/// The maximum growth beyond the limit, as a multiple of the requests that started in the latest minute.
const MAX_GROWTH: f64 = 3.0;
/// The limit is at most this multiple of the requests that started in the minute before the provider
/// throttled. A provider that accepts a burst throttles late, at a rate far beyond its limit.
const MAX_OVERSHOOT: f64 = 1.25;
/// The part of the former limit below which the limit does not fall at once. A count can be low because
/// little was asked.
const LOWEST_LEARNT_PART: f64 = 0.5;
/// The number of requests and the time from which the requests of a minute are estimated at first.
const MIN_STARTED: u32 = 3;
const MIN_COUNTED: Duration = Duration::from_secs(10);
/// The part of the rate at which the provider throttled that counts as its limit, so that most of the time is
/// spent below.
const MARGIN: f64 = 0.97;

/// What a provider said when it throttled a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Throttle {
    /// How long it asks to wait.
    pub retry_after: Option<Duration>,
    /// How many requests per minute it says it accepts.
    pub requests_per_minute: Option<u32>,
}

/// What a limit of requests applies to. Most vendors limit the requests of a key to each of their models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateKey {
    /// The name of the provider in the catalogue.
    pub provider: String,
    /// A digest of the API key.
    pub key_fingerprint: String,
    /// The provider's name of the model.
    pub model: String,
}

/// What was learnt about the limit of a provider for one key and model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProviderRate {
    /// The rate after the latest reduction, in requests per minute.
    pub reduced_to: f64,
    /// The instant until which no request may start, not even one with a reservation. The rate rises from
    /// then on.
    pub held_until: Timestamp,
    /// The provider's limit in requests per minute, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// The earliest start of the next request.
    pub next_start: Timestamp,
    /// When the latest minute of counting began.
    pub counted_since: Timestamp,
    /// The reserved starts in that minute, without those that were throttled.
    pub started: u32,
    /// The same for the minute before, if it was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_before: Option<u32>,
}

/// The result of a reservation.
#[derive(Debug, Clone, PartialEq)]
pub enum Reservation {
    /// There is no limit, so the request can start at any time.
    Unlimited,
    /// The request may start at an instant. The second value is the record after the reservation.
    Reserved(Timestamp, ProviderRate),
    /// No start is free in time. The next one is free at an instant.
    Full(Timestamp),
}

impl ProviderRate {
    /// Returns the record after the first throttled request.
    pub fn first(throttle: Throttle, now: Timestamp) -> Self {
        let limit = throttle.lower(None);
        let held_until = now + throttle.hold(PROVIDER_HOLD);
        Self {
            reduced_to: reduced_to(limit),
            held_until,
            limit,
            next_start: held_until,
            counted_since: now,
            started: 0,
            started_before: None,
        }
    }

    /// Returns the record after a throttled request. `was_reserved` tells whether its start was reserved.
    #[must_use]
    pub fn throttled(&self, throttle: Throttle, was_reserved: bool, now: Timestamp) -> Self {
        let mut next = self.clone();
        next.started = self.started.saturating_sub(was_reserved.into());
        if now < self.held_until {
            // The request started before the latest reduction, which it says nothing about.
            if throttle.retry_after.is_some() {
                next.hold_until(now + throttle.hold(PROVIDER_HOLD));
            }
            return next;
        }
        let is_settling = now < self.held_until + SETTLING;
        next.hold_until(
            now + throttle.hold(if is_settling {
                2 * PROVIDER_HOLD
            } else {
                PROVIDER_HOLD
            }),
        );
        let limit = match self.limit {
            Some(limit) if is_settling => {
                let at_most = self.highest_limit(now).unwrap_or(limit);
                Some(at_most.min(limit * REPEATED_MARGIN))
            }
            _ => self.learn_limit(now),
        };
        next.limit = throttle.lower(limit);
        next.reduced_to = match (self.per_minute(now), self.limit) {
            (Some(rate), Some(limit)) if is_settling => (rate * REPEATED_REDUCTION).max(limit * LOWEST_PART),
            _ => reduced_to(next.limit),
        };
        next
    }

    /// Returns the rate in force in requests per minute, or `None` if there is no limit any more.
    pub fn per_minute(&self, now: Timestamp) -> Option<f64> {
        let age = now.duration_since(self.held_until);
        if age >= RATE_RECOVERY {
            return None;
        }
        let part_of = |age: Duration, length: Duration| age.as_secs_f64() / length.as_secs_f64();
        let growth = self.started_per_minute(now) * MAX_GROWTH;
        Some(match self.limit {
            None => self.reduced_to + growth,
            Some(limit) if age < PLATEAU => {
                limit - (limit - self.reduced_to) * (1.0 - part_of(age, PLATEAU)).powi(3)
            }
            Some(limit) => {
                let factor = part_of(age - PLATEAU, GROWTH).powi(4).exp();
                (limit * factor).min(limit + growth)
            }
        })
    }

    /// Reserves a start that is not later than `latest`.
    pub fn reserve(&self, latest: Timestamp, now: Timestamp) -> Reservation {
        let Some(rate) = self.per_minute(now) else {
            return Reservation::Unlimited;
        };
        let start = self.next_start.max(now);
        if start > latest {
            return Reservation::Full(start);
        }
        let mut next = self.counting_at(start);
        next.started = next.started.saturating_add(1);
        next.next_start = start + MINUTE.div_f64(rate);
        Reservation::Reserved(start, next)
    }

    /// Returns the limit that follows from a throttled request at `now`.
    fn learn_limit(&self, now: Timestamp) -> Option<f64> {
        let Some(rate) = self.per_minute(now) else {
            return self.limit;
        };
        let limit = MARGIN * rate.min(self.highest_limit(now)?);
        Some(limit.max(MIN_PROVIDER_RATE))
    }

    /// Returns the highest limit that fits the requests counted in the latest minute. Without a whole minute
    /// it is the known limit or, if there is none, estimated. Returns `None` if too little was counted for an
    /// estimate.
    fn highest_limit(&self, now: Timestamp) -> Option<f64> {
        let end = now.max(self.next_start);
        let counted = self.counting_at(end);
        let started = MAX_OVERSHOOT * self.started_per_minute(now);
        match (self.limit, counted.started_before) {
            (Some(limit), Some(_)) => Some(started.max(limit * LOWEST_LEARNT_PART)),
            (Some(limit), None) => Some(limit / MARGIN),
            (None, _) if counted.started < MIN_STARTED => None,
            (None, Some(_)) => Some(started),
            (None, None) => {
                let counted_for = end.duration_since(counted.counted_since).max(MIN_COUNTED);
                Some(started * MINUTE.as_secs_f64() / counted_for.as_secs_f64())
            }
        }
    }

    /// Returns how many requests started in the latest minute, which ends with the latest reserved start.
    fn started_per_minute(&self, now: Timestamp) -> f64 {
        let end = self.next_start.max(now);
        let counted = self.counting_at(end);
        let part = end.duration_since(counted.counted_since).as_secs_f64() / MINUTE.as_secs_f64();
        f64::from(counted.started) + counted.started_before.map_or(0.0, f64::from) * (1.0 - part)
    }

    /// Returns the record with the minute of counting that contains `at`.
    fn counting_at(&self, at: Timestamp) -> Self {
        let mut next = self.clone();
        let age = at.duration_since(self.counted_since);
        if age >= 2 * MINUTE {
            (next.counted_since, next.started, next.started_before) = (at, 0, None);
        } else if age >= MINUTE {
            next.counted_since = self.counted_since + MINUTE;
            (next.started, next.started_before) = (0, Some(self.started));
        }
        next
    }

    fn hold_until(&mut self, until: Timestamp) {
        self.held_until = self.held_until.max(until);
        self.next_start = self.next_start.max(until);
    }
}

/// Returns the rate after a reduction.
fn reduced_to(limit: Option<f64>) -> f64 {
    limit.map_or(FIRST_PROVIDER_RATE, |limit| limit * REDUCTION)
}

impl Throttle {
    /// Returns how long all requests are held back. `default` applies if the provider did not say how long to
    /// wait.
    fn hold(self, default: Duration) -> Duration {
        self.retry_after
            .unwrap_or(default)
            .clamp(MIN_PROVIDER_HOLD, MAX_PROVIDER_HOLD)
    }

    /// Returns the lower one of a limit and the limit that the provider said. A limit of zero is none,
    /// because the account cannot use the model at all.
    fn lower(self, limit: Option<f64>) -> Option<f64> {
        let said = self.requests_per_minute.filter(|said| *said > 0).map(f64::from);
        limit.into_iter().chain(said).reduce(f64::min)
    }
}

#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
