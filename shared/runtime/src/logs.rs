//! The log: JSON lines, one per event, on stdout where Lambda picks them up.

use tracing_subscriber::EnvFilter;

/// Starts logging. `level` is a filter such as `info` or `warn,checker=debug`; what cannot be read is `info`.
pub fn write_logs(level: Option<&str>) {
    let filter = EnvFilter::try_new(level.unwrap_or("info")).unwrap_or_else(|_| EnvFilter::new("info"));
    // Fails only where a log was started already, which then goes on.
    let _ = tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_span_list(false)
        .with_env_filter(filter)
        .try_init();
}
