//! The demo workspace and its history: the service runs its own checks while service time moves forward day
//! by day.

mod board;
mod generator;
mod start;
mod workspace;

pub(crate) use generator::HistoryGenerator;
pub(crate) use start::start_time;

use domain::clock::Clock;
use serde_json::Value;

use crate::bus::schedule;

/// Returns a tick that reconciles every running check.
pub(crate) fn reconcile_all_event(clock: &dyn Clock) -> Value {
    let mut tick = schedule::tick(clock.now());
    tick["detail"][checker::RECONCILE_ALL] = true.into();
    tick
}
