//! A provider that limits the requests per minute, in virtual time.

use std::collections::VecDeque;

use super::*;

/// How a provider counts requests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Limiter {
    /// A bucket of a capacity, which fills continuously.
    TokenBucket { capacity: f64 },
    /// A count that starts anew each minute.
    FixedWindow,
    /// A count of the last 60 seconds.
    SlidingWindow,
}

pub(super) const LIMITERS: [Limiter; 4] = [
    Limiter::TokenBucket { capacity: 60.0 },
    Limiter::TokenBucket { capacity: 5.0 },
    Limiter::FixedWindow,
    Limiter::SlidingWindow,
];

/// What a provider says when it throttles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Hints {
    None,
    RetryAfter,
    /// The limit per minute, as well.
    Limit,
    /// A limit that is not the one in force, such as that of a day.
    WrongLimit,
}

pub(super) const HINTS: [Hints; 4] = [Hints::None, Hints::RetryAfter, Hints::Limit, Hints::WrongLimit];

/// A provider that accepts some requests per minute, until its limit is lifted.
pub(super) struct Provider {
    limiter: Limiter,
    per_minute: u32,
    hints: Hints,
    pub(super) lifted_at: Timestamp,
    tokens: f64,
    filled_at: Timestamp,
    /// The instants of accepted requests in the window.
    accepted: VecDeque<Timestamp>,
}

impl Provider {
    pub(super) fn new(limiter: Limiter, per_minute: u32, hints: Hints) -> Self {
        let tokens = match limiter {
            Limiter::TokenBucket { capacity } => capacity,
            Limiter::FixedWindow | Limiter::SlidingWindow => 0.0,
        };
        Self {
            limiter,
            per_minute,
            hints,
            lifted_at: Timestamp::from_millis(i64::MAX),
            tokens,
            filled_at: START,
            accepted: VecDeque::new(),
        }
    }

    pub(super) fn ask(&mut self, now: Timestamp) -> Result<(), Throttle> {
        if now >= self.lifted_at {
            return Ok(());
        }
        let wait = match self.limiter {
            Limiter::TokenBucket { capacity } => self.take_token(capacity, now),
            Limiter::FixedWindow => {
                let start = Timestamp::window_start(now.window(MINUTE), MINUTE);
                self.count_since(start, now)
                    .map_err(|_| (start + MINUTE).duration_since(now))
            }
            Limiter::SlidingWindow => {
                let start = now - MINUTE + MILLISECOND;
                self.count_since(start, now)
                    .map_err(|oldest| (oldest + MINUTE).duration_since(now))
            }
        };
        wait.map_err(|wait| Throttle {
            // The header has whole seconds.
            retry_after: (self.hints != Hints::None).then(|| Duration::from_secs(wait.as_secs() + 1)),
            requests_per_minute: match self.hints {
                Hints::None | Hints::RetryAfter => None,
                Hints::Limit => Some(self.per_minute),
                Hints::WrongLimit => Some(10_000),
            },
        })
    }

    /// Takes a token, or returns how long it takes until there is one.
    fn take_token(&mut self, capacity: f64, now: Timestamp) -> Result<(), Duration> {
        let per_second = f64::from(self.per_minute) / 60.0;
        let elapsed = now.duration_since(self.filled_at).as_secs_f64();
        self.tokens = (self.tokens + elapsed * per_second).min(capacity);
        self.filled_at = now;
        if self.tokens < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - self.tokens) / per_second));
        }
        self.tokens -= 1.0;
        Ok(())
    }

    /// Accepts a request if fewer than the limit were accepted since `start`. Otherwise, returns the instant
    /// of the oldest.
    fn count_since(&mut self, start: Timestamp, now: Timestamp) -> Result<(), Timestamp> {
        while self.accepted.front().is_some_and(|at| *at < start) {
            self.accepted.pop_front();
        }
        if self.accepted.len() >= self.per_minute as usize {
            return Err(self.accepted[0]);
        }
        self.accepted.push_back(now);
        Ok(())
    }
}
