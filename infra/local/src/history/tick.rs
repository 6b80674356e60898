//! The event that makes the checker reconcile all running checks.

use domain::clock::Clock;
use serde_json::Value;

use crate::bus::schedule;

/// Returns a tick that reconciles every running check.
pub(crate) fn reconcile_all_event(clock: &dyn Clock) -> Value {
    let mut tick = schedule::tick(clock.now());
    tick["detail"][checker::RECONCILE_ALL] = true.into();
    tick
}
