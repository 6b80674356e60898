//! What a queue is told, and what it tells.

use std::time::Duration;

/// How a queue behaves. All times are real.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The queue's name in its ARN.
    pub name: String,
    /// Messages per invocation, at most.
    pub batch: usize,
    /// Invocations at a time, at most.
    pub concurrency: usize,
    /// How long a message that failed stays out of sight.
    pub retry_after: Duration,
    /// A message that failed as many times is dead.
    pub max_receives: u32,
    /// Messages waiting or out of sight, at most; a further one is refused.
    pub capacity: usize,
    /// Dead letters kept, at most; then the oldest makes room.
    pub dead_letters: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            name: "checks".to_owned(),
            batch: 1,
            // Each asks 8 questions at once: 50,000 of a provider that takes 20 s are answered in about an hour.
            concurrency: 32,
            retry_after: Duration::from_secs(2),
            max_receives: 5,
            capacity: 100_000,
            dead_letters: 1_000,
        }
    }
}

/// What a queue holds right now, in messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Depth {
    /// Ready to be received.
    pub visible: usize,
    /// Out of sight until they are tried again.
    pub delayed: usize,
    /// With a running invocation.
    pub in_flight: usize,
    /// Given up since the start, kept or not.
    pub dead: usize,
}

/// A message that failed too often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    pub message_id: String,
    pub body: String,
    pub receives: u32,
    /// Why the last invocation failed.
    pub reason: String,
}

/// The queue holds as many messages as it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueFull;
