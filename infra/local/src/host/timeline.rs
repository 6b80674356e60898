//! The first phase of the start: the data directory, the clock, and the demo workspace of an earlier run.

use std::sync::Arc;

use domain::clock::Clock;
use domain::time::Timestamp;
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
    /// The service time of the data that is older than the demo workspace.
    pub(super) older_data_ends_at: Option<Timestamp>,
}

impl Timeline {
    /// Opens the data directory and starts the clock where the data ends.
    pub(super) fn open(options: &Options, uses_demo_provider: bool) -> Result<Self, HostError> {
        let data = options.data.as_deref().map(DataDir::open).transpose()?;
        let saved = data.as_ref().map_or(Ok(None), DataDir::saved_time)?;
        let demo = data.as_ref().map_or(Ok(None), DataDir::demo)?;
        let has_history = demo.as_ref().is_some_and(|demo| demo.is_complete);
        let needs_history = !options.empty && uses_demo_provider && !has_history;
        let start = history::start_time(saved, demo.is_some(), needs_history, SystemClock.real_now());
        let older_data_ends_at = match &demo {
            Some(demo) => demo.older_data_ends_at,
            None => saved,
        };
        Ok(Self {
            data,
            older_data_ends_at,
            clock: Arc::new(ServiceClock::new(start)),
            demo,
            needs_history,
        })
    }
}
