//! The log: JSON lines, one per event, on stdout where Lambda picks them up.

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Starts logging. `level` is a filter such as `info` or `warn,checker=debug`; what cannot be read is `info`.
pub fn write_logs(level: Option<&str>) {
    let filter: Targets = level
        .and_then(|level| level.parse().ok())
        .unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
    // Fails only where a log was started already, which then goes on.
    let lines = fmt::layer()
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_span_list(false);
    let _ = tracing_subscriber::registry().with(lines).with(filter).try_init();
}
