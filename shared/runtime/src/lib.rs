//! The process around a function: its memory allocator, its settings, the system's clock, logs and metrics.
//! Only a `main` uses them.
#![forbid(unsafe_code)]

mod allocator;
mod clock;
mod logging;
pub mod metrics;
mod settings;

pub use clock::SystemClock;
pub use logging::{JsonLinesLayer, start_logging, stderr, stdout};
pub use settings::{InvalidSetting, Settings, environment_variable};
