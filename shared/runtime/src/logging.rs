//! Writes logs as JSON lines, one per event. Lambda reads them from stdout.

mod json_lines;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::panic::{self, Location, PanicHookInfo};

use tracing::{Level, Subscriber};
use tracing_subscriber::filter::{FilterExt, LevelFilter, Targets, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry;

use crate::metrics::is_metric;
pub use json_lines::JsonLinesLayer;

/// The target of panics that the Lambda runtime logs. The service logs them itself, with their ids.
const RUNTIME_PANICS: &str = "lambda_runtime::layers::panic";

/// Starts logging, including panics.
///
/// `level` is a filter such as `info` or `warn,checker=debug`; a missing or invalid filter means `info`. With
/// a `namespace`, events with metrics are written at any level, in a format that CloudWatch reads. `write`
/// receives complete lines with their line ends.
pub fn start_logging(
    level: Option<&str>,
    namespace: Option<&str>,
    write: impl Fn(&str) + Send + Sync + 'static,
) {
    // This fails only if logging has already been started, which then continues.
    let _ = tracing::subscriber::set_global_default(subscriber(level, namespace, write));
    panic::set_hook(Box::new(log_panic));
}

/// Logs the location of a panic, with the ids of its spans and without its message, which can contain
/// confidential data. A release build then aborts.
fn log_panic(info: &PanicHookInfo<'_>) {
    let location = info.location();
    tracing::error!(
        panic.file = location.map(Location::file),
        panic.line = location.map(Location::line),
        "the code panicked"
    );
}

/// Writes a line to stdout, where Lambda reads it. Ignores errors, because they cannot be reported.
pub fn stdout(line: &str) {
    let _ = std::io::stdout().lock().write_all(line.as_bytes());
}

/// Writes a line to stderr. Ignores errors, because they cannot be reported.
pub fn stderr(line: &str) {
    let _ = std::io::stderr().lock().write_all(line.as_bytes());
}

fn subscriber(
    level: Option<&str>,
    namespace: Option<&str>,
    write: impl Fn(&str) + Send + Sync + 'static,
) -> impl Subscriber + Send + Sync {
    let parsed = level.and_then(|level| level.parse().ok());
    let filter: Targets = parsed.unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
    // `rmcp` writes texts of clients at level warn.
    let filter = filter
        .with_target(RUNTIME_PANICS, LevelFilter::OFF)
        .with_target("rmcp", LevelFilter::OFF);
    let has_metrics = namespace.is_some();
    // The service's own spans, which have the level error, contain the dimensions.
    let is_metric_source = filter_fn(move |metadata| {
        let has_dimensions = metadata.is_span() && *metadata.level() == Level::ERROR;
        has_metrics && (has_dimensions || metadata.fields().iter().any(|field| is_metric(field.name())))
    });
    // Dependencies write complete requests at level trace, which must never be logged.
    let filter = filter.or(is_metric_source).and(LevelFilter::DEBUG);
    registry().with(JsonLinesLayer::new(namespace, write).with_filter(filter))
}
