//! The first phase of the start: the data directory, the clock, and the demo workspace of an earlier run.

use std::sync::Arc;

use domain::clock::Clock;
use runtime::SystemClock;

use super::options::Options;
use crate::clock::ServiceClock;
use crate::data::{DataDir, DemoState};
use crate::error::HostError;
use crate::history;

/// The data directory, the clock, and the demo workspace of an earlier run.
pub(super) struct Timeline {
    pub(super) data: Option<DataDir>,
    pub(super) clock: Arc<ServiceClock>,
    pub(super) demo: Option<DemoState>,
    /// Whether the demo workspace still needs its history, or the rest of it.
    pub(super) needs_history: bool,
}

impl Timeline {
    /// Opens the data directory and starts the clock where the data ends.
    pub(super) fn open(options: &Options, uses_demo_provider: bool) -> Result<Self, HostError> {
        let data = options.data.as_deref().map(DataDir::open).transpose()?;
        let saved = data.as_ref().and_then(DataDir::saved_time);
        let demo = data.as_ref().and_then(DataDir::demo);
        let has_history = demo.as_ref().is_some_and(|demo| demo.is_complete);
        let needs_history = !options.empty && uses_demo_provider && !has_history;
        let start = history::start_time(saved, demo.is_some(), needs_history, SystemClock.real_now());
        // A history is generated at real speed. At a higher one, slots would pass while their checks run.
        let scale = if needs_history { 1 } else { options.time_scale };
        Ok(Self {
            data,
            clock: Arc::new(ServiceClock::new(start, scale)),
            demo,
            needs_history,
        })
    }
}
