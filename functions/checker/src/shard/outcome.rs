//! The outcome of a worker's turn on a shard.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::entity::Problem;
use domain::limits::PAUSE_JITTER;
use domain::ordinal::PromptOrdinal;
use domain::pause::ProviderPause;
use domain::time::Timestamp;
use uuid::Uuid;

/// The outcome of a worker's turn on a shard.
pub(super) enum ShardOutcome {
    /// Every question has a response or is no longer asked.
    Done,
    /// The provider accepts no more questions for now. `asks` counts how often each prompt has been asked.
    Deferred {
        deferral: Deferral,
        asks: BTreeMap<PromptOrdinal, u32>,
    },
    /// The invocation ends too soon for another question.
    OutOfTime,
    /// Another worker has the lease, the shard was closed, or the entity was deleted. This worker asks
    /// nothing more and leaves the shard as it is. Answers that it already had are recorded, unless the shard
    /// is closed.
    Abandoned,
}

/// The instant until which a shard is deferred, and the problem that clients see meanwhile.
pub(super) struct Deferral {
    pub(super) not_before: Timestamp,
    pub(super) problem: Problem,
}

impl Deferral {
    /// Defers one model's shard by `delay`.
    pub(super) fn of_model(
        model: Uuid,
        provider: Option<&str>,
        delay: Duration,
        reason: String,
        now: Timestamp,
    ) -> Self {
        Self {
            not_before: now + delay,
            problem: Problem {
                provider: provider.map(str::to_owned),
                model_id: Some(model),
                reason,
                since: now,
            },
        }
    }

    /// Defers a shard until its provider's pause ends or may be probed. A random delay keeps the provider's
    /// shards from continuing at the same time.
    pub(super) fn until_pause_ends(pause: &ProviderPause, now: Timestamp) -> Self {
        let jitter = rand::random_range(Duration::ZERO..=PAUSE_JITTER);
        Self {
            not_before: pause.retry_at(now) + jitter,
            problem: pause.problem(),
        }
    }

    /// Sets the start of the problem to that of the shard's former problem if both have the same cause.
    pub(super) fn continuing(mut self, former: Option<&Problem>) -> Self {
        if let Some(former) = former.filter(|former| former.cause() == self.problem.cause()) {
            self.problem.since = self.problem.since.min(former.since);
        }
        self
    }
}
