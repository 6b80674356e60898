//! What a `main` takes from its process: settings, the system's clock, the log with its
//! metrics. Nothing else reads them.
#![forbid(unsafe_code)]

mod clock;
mod logs;
pub mod metrics;
mod settings;

pub use clock::SystemClock;
pub use logs::{Lines, stderr, stdout, write_logs};
pub use settings::{BadSetting, Settings, variable};
