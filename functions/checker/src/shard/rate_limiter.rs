//! Starts a worker's requests to a model at the rate that all workers share.
//!
//! As long as the provider throttles nothing there is no record, and requests start at once. Otherwise each
//! request reserves its start in the record.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use domain::clock::Clock;
use domain::limits::{MAX_SLEEP, RATE_JITTER};
use domain::provider_rate::{ProviderRate, RateKey, Reservation, Throttle};
use domain::time::{SECOND, Timestamp};
use store::{Store, StoreError};
use tokio::sync::{Mutex, Notify};

/// The wait after which a worker reads the record again before it starts a request. Meanwhile, another
/// worker's request may have been throttled.
const LONG_WAIT: Duration = SECOND.saturating_mul(2);

/// The time after which a worker that cannot write the record of a throttled model tries again.
const UNRESERVED_WAIT: Duration = SECOND.saturating_mul(5);

/// The reason for which a shard waits whose requests cannot start, as clients see it.
pub(super) const RATE_LIMIT_REACHED: &str = "the rate limit is reached";

/// A worker's access to the rate of its model.
pub(super) struct RateLimiter<'a> {
    store: &'a Store,
    clock: &'a dyn Clock,
    key: RateKey,
    /// The record as this worker knows it. The lock makes the worker's questions reserve one after the other,
    /// so that they do not conflict.
    known: Mutex<Option<ProviderRate>>,
    /// The number of requests that have a start and have not ended.
    in_flight: AtomicUsize,
    /// Notifies a question that has no start that a request has ended.
    ended: Notify,
}

/// The permission to start a request now. The request has ended when this is dropped.
pub(super) struct StartPermit<'a> {
    limiter: &'a RateLimiter<'a>,
    is_reserved: bool,
}

/// The reason for which a request may not start.
pub(super) enum NotStarted {
    /// The round was stopped meanwhile.
    Stopped,
    /// So many requests are reserved that the shard has to wait for this time.
    Full(Duration),
}

impl<'a> RateLimiter<'a> {
    pub(super) fn new(
        store: &'a Store,
        clock: &'a dyn Clock,
        key: RateKey,
        known: Option<ProviderRate>,
    ) -> Self {
        Self {
            store,
            clock,
            key,
            known: Mutex::new(known),
            in_flight: AtomicUsize::new(0),
            ended: Notify::new(),
        }
    }

    /// Returns how long the shard has to wait if no request can start soon, as far as the worker knows.
    pub(super) async fn delay(&self) -> Option<Duration> {
        let now = self.clock.now();
        let known = self.known.lock().await;
        match known.as_ref()?.reserve(now + MAX_SLEEP, now) {
            Reservation::Full(until) => Some(self.delay_until(until)),
            Reservation::Unlimited | Reservation::Reserved(..) => None,
        }
    }

    /// Waits until a request may start. If no start is free soon, it waits for the end of another request of
    /// this worker, so that the worker asks fewer questions at once. Without such a request, the shard has to
    /// wait.
    pub(super) async fn acquire(
        &self,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<StartPermit<'_>, NotStarted> {
        loop {
            match self.reserve().await {
                Reservation::Unlimited => return Ok(self.start(false)),
                Reservation::Reserved(at, _) => {
                    let start = self.start(true);
                    let wait = at.duration_since(self.clock.now());
                    tokio::time::sleep(wait).await;
                    if !self.is_held(at, wait).await {
                        return if is_stopped() {
                            Err(NotStarted::Stopped)
                        } else {
                            Ok(start)
                        };
                    }
                }
                Reservation::Full(_) if self.in_flight.load(Ordering::Relaxed) > 0 => {
                    self.ended.notified().await;
                }
                Reservation::Full(until) => {
                    self.ended.notify_one();
                    return Err(NotStarted::Full(self.delay_until(until)));
                }
            }
            if is_stopped() {
                self.ended.notify_one();
                return Err(NotStarted::Stopped);
            }
        }
    }

    /// Reports that the request of `start` was throttled.
    pub(super) async fn report(&self, start: &StartPermit<'_>, throttle: Throttle) {
        let now = self.clock.now();
        let mut is_reduced = false;
        let mut known = self.known.lock().await;
        let changed = self.store.change_provider_rate(&self.key, known.clone(), |rate| {
            is_reduced = rate.is_none_or(|rate| now >= rate.held_until);
            Some(match rate {
                Some(rate) => rate.throttled(throttle, start.is_reserved, now),
                None => ProviderRate::first(throttle, now),
            })
        });
        match changed.await {
            Ok(rate) => *known = rate,
            Err(error) => {
                self.warn(&error);
                return;
            }
        }
        if let Some(rate) = known.as_ref().filter(|_| is_reduced) {
            tracing::info!(
                provider.name = self.key.provider,
                model.name = self.key.model,
                rate.per_minute = rate.reduced_to,
                hold.ms = rate.held_until.as_millis() - now.as_millis(),
                "a provider throttles requests and gets fewer"
            );
        }
    }

    /// Reserves the start of a request. If the record cannot be written, the request waits if the provider is
    /// known to throttle.
    async fn reserve(&self) -> Reservation {
        let mut known = self.known.lock().await;
        let mut reservation = Reservation::Unlimited;
        let changed = self.store.change_provider_rate(&self.key, known.clone(), |rate| {
            let now = self.clock.now();
            reservation = rate.map_or(Reservation::Unlimited, |rate| rate.reserve(now + MAX_SLEEP, now));
            match &reservation {
                Reservation::Reserved(_, next) => Some(next.clone()),
                Reservation::Unlimited | Reservation::Full(_) => None,
            }
        });
        match changed.await {
            Ok(rate) => {
                *known = rate;
                reservation
            }
            Err(error) => {
                self.warn(&error);
                match &*known {
                    Some(_) => Reservation::Full(self.clock.now() + UNRESERVED_WAIT),
                    None => Reservation::Unlimited,
                }
            }
        }
    }

    /// Returns whether requests have been held back since a start was reserved.
    async fn is_held(&self, start: Timestamp, waited: Duration) -> bool {
        let mut known = self.known.lock().await;
        if waited > LONG_WAIT {
            match self.store.provider_rate(&self.key).await {
                Ok(rate) => *known = rate,
                Err(error) => self.warn(&error),
            }
        }
        known.as_ref().is_some_and(|rate| start < rate.held_until)
    }

    fn start(&self, is_reserved: bool) -> StartPermit<'_> {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        StartPermit {
            limiter: self,
            is_reserved,
        }
    }

    /// Returns the time until a start is free, with a random part, so that not all shards continue at once.
    fn delay_until(&self, free: Timestamp) -> Duration {
        let jitter = rand::random_range(Duration::ZERO..=RATE_JITTER);
        free.duration_since(self.clock.now()) + jitter
    }

    /// Logs that the record cannot be used.
    fn warn(&self, error: &StoreError) {
        tracing::warn!(provider.name = self.key.provider, %error, "a provider's rate cannot be read or written");
    }
}

impl Drop for StartPermit<'_> {
    fn drop(&mut self) {
        self.limiter.in_flight.fetch_sub(1, Ordering::Relaxed);
        self.limiter.ended.notify_one();
    }
}
