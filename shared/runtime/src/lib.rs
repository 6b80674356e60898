//! The process around a function: its memory allocator, its settings, the system's clock, logs and metrics,
//! and its start. Only a `main` uses them, except the metrics.
#![forbid(unsafe_code)]

mod allocator;
#[cfg(feature = "table")]
mod bootstrap;
mod clock;
mod logging;
pub mod metrics;
mod settings;

#[cfg(feature = "table")]
pub use bootstrap::Bootstrap;
pub use clock::SystemClock;
pub use logging::{JsonLinesLayer, start_logging, stderr, stdout};
pub use settings::{InvalidSetting, Settings, environment_variable};
