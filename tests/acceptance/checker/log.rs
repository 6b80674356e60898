//! What the checker logs: enough to see what hinders it, and nothing of what it asks or is told.

use std::sync::Arc;
use std::time::Duration;

use domain::limits::{PAUSE_JITTER, PROVIDER_PAUSE};
use providers::Providers;
use serde_json::Value;

use super::pauses::{Scene, good, no_quota};
use crate::log::Log;

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
    scene.later(Duration::ZERO).await;
    scene.later(PROVIDER_PAUSE + PAUSE_JITTER).await;
    scene.says(good);
    scene.later(PROVIDER_PAUSE + PAUSE_JITTER).await;
    scene.to_the_end(3).await;

    let counts = |lines: &[Value]| -> Vec<Value> { lines.iter().map(|l| l["pause.count"].clone()).collect() };
    let paused = log.that_say("a provider is paused");
    assert_eq!(counts(&paused), [1, 2]);
    let probed = log.that_say("a paused provider is probed with one question");
    assert_eq!(counts(&probed), [1, 2]);
    let ended = log.that_say("a paused provider answers again");
    assert_eq!(counts(&ended), [2]);
    assert_eq!(
        ended[0]["pause.ms"],
        2 * (PROVIDER_PAUSE + PAUSE_JITTER).as_millis() as u64
    );
    for line in paused.iter().chain(&probed) {
        assert!(line["reason"].as_str().unwrap().contains("insufficient_quota"));
    }
    for line in paused.iter().chain(&probed).chain(&ended) {
        assert_eq!(line["provider.name"], "openai");
    }
    assert_eq!(log.that_say("a check is complete").len(), 2);
    for hidden in ["Question", "recommend", "sk-hidden", &base_url] {
        assert!(!log.text().contains(hidden), "{hidden} is logged");
    }
}
