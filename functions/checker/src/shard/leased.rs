//! A leased shard.

use std::sync::atomic::{AtomicBool, Ordering};

use domain::check::{Plan, PlanModel, ShardPlan};
use domain::limits::MAX_QUESTION_DURATION;
use domain::ordinal::PromptOrdinal;
use domain::time::{Day, Timestamp};
use store::Lease;

use super::error_counts::ErrorCounts;
use crate::Checker;

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

    /// Marks the lease as lost, which keeps the worker from asking further questions.
    pub(super) fn mark_lease_lost(&self) {
        self.lease_is_lost.store(true, Ordering::Relaxed);
    }

    pub(super) fn lease_is_lost(&self) -> bool {
        self.lease_is_lost.load(Ordering::Relaxed)
    }

    /// Returns whether the invocation ends too soon for another question.
    pub(super) fn is_out_of_time(&self) -> bool {
        self.checker.clock.real_now() >= self.last_start
    }
}
