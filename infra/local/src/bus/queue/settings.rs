//! The settings of a queue, and what it reports.

use std::time::Duration;

/// The settings of a queue.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The queue's name in its ARN.
    pub name: String,
    /// The maximum number of messages per invocation.
    pub batch_size: usize,
    /// The maximum number of concurrent invocations.
    pub concurrency: usize,
    /// How long a message is delayed after it failed.
    pub retry_delay: Duration,
    /// The number of receipts after which a message that fails becomes a dead letter.
    pub max_receives: u32,
    /// The maximum number of visible and delayed messages. Further messages are refused.
    pub capacity: usize,
    /// The maximum number of dead letters that are kept. The oldest are dropped.
    pub max_dead_letters: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            name: "checks".to_owned(),
            batch_size: 1,
            concurrency: 8,
            retry_delay: Duration::from_secs(2),
            max_receives: 5,
            capacity: 100_000,
            max_dead_letters: 1_000,
        }
    }
}

/// The number of messages in a queue, by state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Depth {
    /// Ready to be received.
    pub visible: usize,
    /// Waiting for a retry.
    pub delayed: usize,
    /// Being processed by an invocation.
    pub in_flight: usize,
    /// Dead letters since the start, including dropped ones.
    pub dead_letters: usize,
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

/// The error of a queue that is at its capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueFull;
