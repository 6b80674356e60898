//! Counts a worker's provider errors for the metrics.

use std::sync::atomic::{AtomicUsize, Ordering};

use providers::AskError;
use runtime::metrics::{KEY_ERRORS, LOST_ANSWERS, QUOTA_ERRORS, RATE_LIMITS, REQUEST_ERRORS, count};

/// The number of provider errors of each kind.
#[derive(Default)]
pub(super) struct ErrorCounts {
    rate_limits: AtomicUsize,
    lost_answers: AtomicUsize,
    quota_errors: AtomicUsize,
    key_errors: AtomicUsize,
    request_errors: AtomicUsize,
}

impl ErrorCounts {
    pub(super) fn add(&self, error: &AskError) {
        let counter = match error {
            AskError::Unavailable { .. } => &self.rate_limits,
            AskError::AnswerLost { .. } | AskError::Empty { .. } => &self.lost_answers,
            AskError::QuotaExhausted { .. } => &self.quota_errors,
            AskError::InvalidKey { .. } => &self.key_errors,
            AskError::Permanent { .. } | AskError::Forbidden { .. } => &self.request_errors,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Logs the counts as metrics if there were any errors.
    pub(super) fn log(&self, provider: &str) {
        let counters = [
            &self.rate_limits,
            &self.lost_answers,
            &self.quota_errors,
            &self.key_errors,
            &self.request_errors,
        ];
        let [rate_limits, lost, quota, key, request] =
            counters.map(|counter| count(counter.load(Ordering::Relaxed)));
        if [rate_limits, lost, quota, key, request]
            .iter()
            .all(Option::is_none)
        {
            return;
        }
        tracing::info!(
            provider.name = provider,
            { RATE_LIMITS } = rate_limits,
            { LOST_ANSWERS } = lost,
            { QUOTA_ERRORS } = quota,
            { KEY_ERRORS } = key,
            { REQUEST_ERRORS } = request,
            "provider errors occurred in a shard"
        );
    }
}
