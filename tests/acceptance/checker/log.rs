//! What the checker logs: enough to see what hinders it, and nothing of what it asks or is told.

use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::{Arc, Once};

use domain::limits::{PAUSE_JITTER, PROVIDER_PAUSE};
use providers::Providers;
use serde_json::Value;
use tracing::Level;

use super::pauses::{Scene, good, no_quota};

thread_local! {
    /// What is logged on this thread, while somebody wants it.
    static LINES: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

/// One for the process: what a subscriber of one thread is not interested in is lost to those of all others.
static SUBSCRIBER: Once = Once::new();

struct Writer;

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LINES.with_borrow_mut(|lines| lines.as_mut().map(|lines| lines.extend_from_slice(bytes)));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is logged on this thread, from now on until it is dropped.
pub(super) struct Log;

impl Drop for Log {
    fn drop(&mut self) {
        LINES.set(None);
    }
}

impl Log {
    pub(super) fn start() -> Self {
        SUBSCRIBER.call_once(|| {
            tracing_subscriber::fmt()
                .json()
                .flatten_event(true)
                .with_max_level(Level::INFO)
                .with_writer(|| Writer)
                .init();
        });
        LINES.set(Some(Vec::new()));
        Self
    }

    #[expect(clippy::unused_self, reason = "nothing is kept without one")]
    pub(super) fn text(&self) -> String {
        let lines = LINES.with_borrow(|lines| lines.clone().unwrap());
        String::from_utf8(lines).unwrap()
    }

    /// The checker's own lines.
    pub(super) fn lines(&self) -> Vec<Value> {
        let text = self.text();
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        lines
            .filter(|line: &Value| line["target"].as_str().unwrap().starts_with("checker"))
            .collect()
    }
}

#[tokio::test]
async fn a_pause_its_probes_and_its_end_are_logged_once_and_nothing_secret_is() {
    let mut scene = Scene::start(3).await;
    let base_url = scene.bench.provider.base_url.clone();
    scene.bench.checker.providers = Arc::new(Providers::from_lookup(|name| match name {
        "OPENAI_API_KEY" => Some("sk-hidden".to_owned()),
        "OPENAI_BASE_URL" => Some(base_url.clone()),
        _ => None,
    }));
    let log = Log::start();
    scene.says(no_quota);
    scene.later(0).await;
    scene.later(PROVIDER_PAUSE + PAUSE_JITTER).await;
    scene.says(good);
    scene.later(PROVIDER_PAUSE + PAUSE_JITTER).await;
    scene.to_the_end(3).await;

    let lines = log.lines();
    let with = |message: &str| -> Vec<&Value> { lines.iter().filter(|l| l["message"] == message).collect() };
    let counts =
        |lines: &[&Value]| -> Vec<Value> { lines.iter().map(|l| l["pause.count"].clone()).collect() };
    let paused = with("a provider is paused");
    assert_eq!(counts(&paused), [1, 2]);
    let probed = with("a paused provider is asked one question");
    assert_eq!(counts(&probed), [1, 2]);
    let ended = with("a paused provider answers again");
    assert_eq!(counts(&ended), [2]);
    assert_eq!(ended[0]["pause.ms"], 2 * (PROVIDER_PAUSE + PAUSE_JITTER));
    for line in paused.iter().chain(&probed) {
        assert!(line["reason"].as_str().unwrap().contains("insufficient_quota"));
    }
    for line in paused.iter().chain(&probed).chain(&ended) {
        assert_eq!(line["provider.name"], "openai");
    }
    assert_eq!(with("a check is complete").len(), 2);
    for hidden in ["Question", "recommend", "sk-hidden", &base_url] {
        assert!(!log.text().contains(hidden), "{hidden} is logged");
    }
}
