//! What one step of a rereading may do.

use domain::clock::Clock;
use domain::limits::{MAX_ANSWERS_PER_REREADING_STEP, REREADING_STEP};
use domain::time::Timestamp;

/// What one step has done, compared with what it may do.
pub(super) struct Budget {
    started: Timestamp,
    answers: usize,
}

impl Budget {
    pub(super) fn new(clock: &dyn Clock) -> Self {
        Self {
            started: clock.real_now(),
            answers: 0,
        }
    }

    pub(super) fn count(&mut self, answers: usize) {
        self.answers += answers;
    }

    /// Returns whether the step has to end. A step that has read nothing goes on.
    pub(super) fn is_spent(&self, clock: &dyn Clock) -> bool {
        self.answers > 0
            && (self.answers >= MAX_ANSWERS_PER_REREADING_STEP
                || clock.real_now().duration_since(self.started) >= REREADING_STEP)
    }
}
