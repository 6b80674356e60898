//! A leased shard, whose lease is renewed while a worker asks, and whose responses are recorded.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use domain::check::{Plan, PlanModel, Response, ShardPlan};
use domain::limits::{LEASE, LEASE_RENEWAL, MAX_ANSWERS_PER_WRITE, MAX_QUESTION_DURATION};
use domain::ordinal::PromptOrdinal;
use domain::time::{Day, Timestamp};
use store::{Lease, StoreError};
use tokio::sync::mpsc::Receiver;

use super::error_counts::ErrorCounts;
use crate::Checker;

/// The time after which a failed renewal is retried.
const RENEWAL_RETRY: Duration = Duration::from_secs(5);

/// A shard that this worker has leased, with everything that does not change during the lease.
pub(super) struct LeasedShard<'a> {
    pub(super) checker: &'a Checker,
    pub(super) lease: &'a Lease,
    /// The day on which the check was claimed.
    pub(super) day: Day,
    pub(super) plan: &'a Plan,
    pub(super) model: &'a PlanModel,
    /// The ordinals of the prompts that the shard asks.
    pub(super) prompts: &'a [PromptOrdinal],
    /// The provider errors of this worker.
    pub(super) errors: ErrorCounts,
    /// The last instant, in real time, at which a question may be started.
    last_start: Timestamp,
    lease_is_lost: AtomicBool,
}

impl<'a> LeasedShard<'a> {
    /// Creates a leased shard. `killed_at` is the real time at which Lambda ends the invocation.
    pub(super) fn new(
        checker: &'a Checker,
        lease: &'a Lease,
        day: Day,
        plan: &'a Plan,
        ShardPlan { model, prompts }: ShardPlan<'a>,
        killed_at: Timestamp,
    ) -> Self {
        Self {
            checker,
            lease,
            day,
            plan,
            model,
            prompts,
            errors: ErrorCounts::default(),
            last_start: killed_at - MAX_QUESTION_DURATION,
            lease_is_lost: AtomicBool::new(false),
        }
    }

    pub(super) fn lease_is_lost(&self) -> bool {
        self.lease_is_lost.load(Ordering::Relaxed)
    }

    /// Returns whether the invocation ends too soon for another question.
    pub(super) fn is_out_of_time(&self) -> bool {
        self.checker.clock.real_now() >= self.last_start
    }

    /// Renews the lease until it is lost. A renewal that fails is retried while the lease lasts. Answers that
    /// arrive after the lease is lost are still recorded.
    pub(super) async fn keep_lease(&self) -> Infallible {
        let clock = &self.checker.clock;
        let mut leased_until = self.lease.progress.lease_until;
        let mut delay = LEASE_RENEWAL;
        loop {
            tokio::time::sleep(delay).await;
            let until = clock.now() + LEASE;
            match self.checker.store.renew_lease(self.lease, until).await {
                Ok(true) => (leased_until, delay) = (until, LEASE_RENEWAL),
                Err(error) if clock.now() < leased_until => {
                    tracing::warn!(%error, "a lease could not be renewed");
                    delay = RENEWAL_RETRY;
                }
                Ok(false) | Err(_) => {
                    // The worker asks no further question.
                    self.lease_is_lost.store(true, Ordering::Relaxed);
                    return std::future::pending().await;
                }
            }
        }
    }

    /// Records every response that arrives, up to 10 per transaction. A shard has one writer. Returns `false`
    /// if the shard was closed and accepts no more responses.
    pub(super) async fn record_all(&self, mut arriving: Receiver<Response>) -> Result<bool, StoreError> {
        let mut batch = Vec::with_capacity(MAX_ANSWERS_PER_WRITE);
        while arriving.recv_many(&mut batch, MAX_ANSWERS_PER_WRITE).await > 0 {
            if !self.record(std::mem::take(&mut batch)).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Records responses. Returns `false` if the shard was closed and accepts no more responses.
    pub(super) async fn record(&self, responses: Vec<Response>) -> Result<bool, StoreError> {
        let store = &self.checker.store;
        for batch in responses.chunks(MAX_ANSWERS_PER_WRITE) {
            if !store
                .record_responses(self.lease, self.day, batch.to_vec())
                .await?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
