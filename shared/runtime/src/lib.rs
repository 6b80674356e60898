//! What a `main` takes from its process: settings, the system's clock, the log. Nothing else reads them.
#![forbid(unsafe_code)]

mod clock;
mod logs;
mod settings;

pub use clock::SystemClock;
pub use logs::write_logs;
pub use settings::{BadSetting, Settings, variable};
