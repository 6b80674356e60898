//! The log's lines as they are written, of one test alone.

use std::cell::RefCell;
use std::sync::Once;

use runtime::Lines;
use serde_json::Value;
use tracing::{Level, Metadata};
use tracing_subscriber::filter::dynamic_filter_fn;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry;

/// The namespace of the metrics.
pub(crate) const NAMESPACE: &str = "Test";

thread_local! {
    /// From which level on what is logged on this thread is kept, and what was, while somebody wants it.
    static KEPT: RefCell<Option<(Level, String)>> = const { RefCell::new(None) };
}

/// One for the process: what a subscriber of one thread is not interested in is lost to those of all others.
static SUBSCRIBER: Once = Once::new();

fn is_wanted(what: &Metadata<'_>) -> bool {
    KEPT.with_borrow(|kept| kept.as_ref().is_some_and(|(level, _)| what.level() <= level))
}

fn keep(line: &str) {
    KEPT.with_borrow_mut(|kept| {
        if let Some((_, lines)) = kept {
            lines.push_str(line);
        }
    });
}

/// What is logged on this thread, from now on until it is dropped.
pub(crate) struct Log;

impl Drop for Log {
    fn drop(&mut self) {
        KEPT.set(None);
    }
}

impl Log {
    pub(crate) fn start() -> Self {
        Self::from(Level::INFO)
    }

    pub(crate) fn from(level: Level) -> Self {
        SUBSCRIBER.call_once(|| {
            let lines = Lines::new(Some(NAMESPACE), keep);
            let wanted = dynamic_filter_fn(|what, _| is_wanted(what)).with_max_level_hint(Level::DEBUG);
            tracing::subscriber::set_global_default(registry().with(lines.with_filter(wanted))).unwrap();
        });
        KEPT.set(Some((level, String::new())));
        Self
    }

    #[expect(clippy::unused_self, reason = "nothing is kept without one")]
    pub(crate) fn text(&self) -> String {
        KEPT.with_borrow(|kept| kept.clone().unwrap().1)
    }

    /// The lines of the service's own crates, from this level on.
    pub(crate) fn lines(&self, level: Level) -> Vec<Value> {
        let text = self.text();
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let is_shown = |line: &Value| line["level"].as_str().unwrap().parse::<Level>().unwrap() <= level;
        lines.filter(|line| is_own(line) && is_shown(line)).collect()
    }

    /// The lines from `info` on that say this.
    pub(crate) fn that_say(&self, message: &str) -> Vec<Value> {
        let mut lines = self.lines(Level::INFO);
        lines.retain(|line| line["message"] == message);
        lines
    }
}

/// The service's own crates. Those that it links may show what was sent, at `debug`.
const OWN: [&str; 16] = [
    "actions",
    "analytics_core",
    "analytics",
    "api",
    "bootstrap",
    "checker",
    "domain",
    "domain_groups",
    "entities",
    "events",
    "local",
    "prompts",
    "providers",
    "runtime",
    "store",
    "workspace",
];

fn is_own(line: &Value) -> bool {
    OWN.contains(&line["target"].as_str().unwrap().split("::").next().unwrap())
}

/// Whether a line is one that may hold nothing of what was sent.
pub(crate) fn is_closed(line: &Value) -> bool {
    is_own(line) || line["level"] != "DEBUG"
}
