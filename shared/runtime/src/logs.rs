//! The log: JSON lines, one per event. Lambda picks them up from stdout.

mod lines;
mod panics;
#[cfg(test)]
mod tests;

use std::io::Write;

use tracing::{Level, Subscriber};
use tracing_subscriber::filter::{FilterExt, LevelFilter, Targets, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry;

use crate::metrics::is_metric;
pub use lines::Lines;

/// What the service logs itself, where it happens, with its ids: the Lambda runtime would repeat it without.
const REPEATED: &str = "lambda_runtime::layers::panic";

/// Starts logging, panics included. `level` is a filter such as `info` or `warn,checker=debug`; what cannot be read is
/// `info`. With a `namespace` for metrics, lines that hold metrics are written at any level, and CloudWatch reads them.
/// `write` gets a whole line with its end.
pub fn write_logs(
    level: Option<&str>,
    namespace: Option<&str>,
    write: impl Fn(&str) + Send + Sync + 'static,
) {
    // Fails only where a log was started already, which then goes on.
    let _ = tracing::subscriber::set_global_default(subscriber(level, namespace, write));
    panics::log();
}

/// Writes a line where Lambda reads it. One that cannot be written is lost: there is nobody to tell.
pub fn stdout(line: &str) {
    let _ = std::io::stdout().lock().write_all(line.as_bytes());
}

pub fn stderr(line: &str) {
    let _ = std::io::stderr().lock().write_all(line.as_bytes());
}

fn subscriber(
    level: Option<&str>,
    namespace: Option<&str>,
    write: impl Fn(&str) + Send + Sync + 'static,
) -> impl Subscriber + Send + Sync {
    let chosen = level.and_then(|level| level.parse().ok());
    let filter: Targets = chosen.unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
    let filter = filter.with_target(REPEATED, LevelFilter::OFF);
    let counts = namespace.is_some();
    // The service's own spans, which are errors' ones, hold the dimensions.
    let is_counted = filter_fn(move |what| {
        let holds_dimensions = what.is_span() && *what.level() == Level::ERROR;
        counts && (holds_dimensions || what.fields().iter().any(|field| is_metric(field.name())))
    });
    // At trace the dependencies write whole requests: nothing of that is ever logged.
    let filter = filter.or(is_counted).and(LevelFilter::DEBUG);
    registry().with(Lines::new(namespace, write).with_filter(filter))
}
