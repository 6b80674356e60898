//! Captures the log lines of a single test.

use std::cell::RefCell;
use std::sync::Once;

use runtime::JsonLinesLayer;
use serde_json::Value;
use tracing::{Level, Metadata};
use tracing_subscriber::filter::dynamic_filter_fn;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry;

/// The namespace of the metrics.
pub(crate) const NAMESPACE: &str = "Test";

thread_local! {
    /// The minimum level and the captured lines of this thread, while a test captures its log.
    static CAPTURED: RefCell<Option<(Level, String)>> = const { RefCell::new(None) };
}

/// The subscriber of the process. Tracing caches interest for the whole process, so a subscriber per thread
/// would suppress the lines of other threads.
static SUBSCRIBER: Once = Once::new();

fn is_wanted(what: &Metadata<'_>) -> bool {
    CAPTURED.with_borrow(|kept| kept.as_ref().is_some_and(|(level, _)| what.level() <= level))
}

fn keep(line: &str) {
    CAPTURED.with_borrow_mut(|kept| {
        if let Some((_, lines)) = kept {
            lines.push_str(line);
        }
    });
}

/// Captures what this thread logs until it is dropped.
pub(crate) struct CapturedLog;

impl Drop for CapturedLog {
    fn drop(&mut self) {
        CAPTURED.set(None);
    }
}

impl CapturedLog {
    pub(crate) fn start() -> Self {
        Self::from(Level::INFO)
    }

    pub(crate) fn from(level: Level) -> Self {
        SUBSCRIBER.call_once(|| {
            let lines = JsonLinesLayer::new(Some(NAMESPACE), keep);
            let wanted = dynamic_filter_fn(|what, _| is_wanted(what)).with_max_level_hint(Level::DEBUG);
            tracing::subscriber::set_global_default(registry().with(lines.with_filter(wanted))).unwrap();
        });
        CAPTURED.set(Some((level, String::new())));
        Self
    }

    #[expect(clippy::unused_self, reason = "nothing is kept without one")]
    pub(crate) fn text(&self) -> String {
        CAPTURED.with_borrow(|kept| kept.clone().unwrap().1)
    }

    /// Returns the lines that the service's own crates logged at `level` or above.
    pub(crate) fn lines(&self, level: Level) -> Vec<Value> {
        let text = self.text();
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let is_shown = |line: &Value| line["level"].as_str().unwrap().parse::<Level>().unwrap() <= level;
        lines.filter(|line| is_own(line) && is_shown(line)).collect()
    }

    /// Returns the lines at `info` or above with this message.
    pub(crate) fn with_message(&self, message: &str) -> Vec<Value> {
        let mut lines = self.lines(Level::INFO);
        lines.retain(|line| line["message"] == message);
        lines
    }
}

/// The service's own crates. Their dependencies can log request bodies at `debug`.
const OWN: [&str; 21] = [
    "actions",
    "analytics",
    "api",
    "checker",
    "console",
    "domain",
    "domain_groups",
    "entities",
    "events",
    "facts",
    "insights",
    "local",
    "mcp",
    "notifier",
    "prompts",
    "providers",
    "runtime",
    "serving",
    "store",
    "webhooks",
    "workspace",
];

fn is_own(line: &Value) -> bool {
    OWN.contains(&line["target"].as_str().unwrap().split("::").next().unwrap())
}

/// Returns whether a line must not contain any part of a request.
pub(crate) fn is_restricted(line: &Value) -> bool {
    is_own(line) || line["level"] != "DEBUG"
}
