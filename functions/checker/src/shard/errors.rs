//! What a worker's provider would not do, counted by what it means.

use std::sync::atomic::{AtomicUsize, Ordering};

use providers::AskError;
use runtime::metrics::{KEY_ERRORS, LOST_ANSWERS, QUOTA_ERRORS, RATE_LIMITS, REQUEST_ERRORS, count};

#[derive(Default)]
pub(super) struct Errors {
    waits: AtomicUsize,
    lost: AtomicUsize,
    quota: AtomicUsize,
    key: AtomicUsize,
    fatal: AtomicUsize,
}

impl Errors {
    pub(super) fn add(&self, error: &AskError) {
        let counter = match error {
            AskError::Wait { .. } => &self.waits,
            AskError::Lost { .. } => &self.lost,
            AskError::QuotaExhausted { .. } => &self.quota,
            AskError::BadKey { .. } => &self.key,
            AskError::Fatal { .. } => &self.fatal,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Tells of them, if there were any.
    pub(super) fn log(&self, provider: &str) {
        let [waits, lost, quota, key, fatal] = [&self.waits, &self.lost, &self.quota, &self.key, &self.fatal]
            .map(|counter| count(counter.load(Ordering::Relaxed)));
        if [waits, lost, quota, key, fatal].iter().all(Option::is_none) {
            return;
        }
        tracing::info!(
            provider.name = provider,
            { RATE_LIMITS } = waits,
            { LOST_ANSWERS } = lost,
            { QUOTA_ERRORS } = quota,
            { KEY_ERRORS } = key,
            { REQUEST_ERRORS } = fatal,
            "a provider did not answer each question of a shard"
        );
    }
}
