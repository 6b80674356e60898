//! The outcome of a worker's turn on a shard.

use domain::ordinal::PromptOrdinal;
use std::collections::BTreeMap;

use store::StoreError;

use super::deferral::Deferral;
use crate::CheckerError;

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
    /// A step failed. The queue delivers the event again.
    Failed(CheckerError),
}

impl From<StoreError> for ShardOutcome {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}
