//! The runtimes of a measurement.

use tokio::runtime::{Builder, Runtime};

/// A runtime for what is measured, and one for everything else.
pub(crate) struct Runtimes {
    /// Runs the measured code on the current thread.
    pub(crate) measured: Runtime,
    /// Runs everything else on threads of its own.
    pub(crate) background: Runtime,
}

impl Runtimes {
    pub(crate) fn new() -> Self {
        let measured = Builder::new_current_thread().enable_all().build();
        let background = Builder::new_multi_thread().worker_threads(2).enable_all().build();
        Self {
            measured: measured.expect("a runtime"),
            background: background.expect("a runtime"),
        }
    }
}
