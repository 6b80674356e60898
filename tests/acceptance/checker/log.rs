//! The checker's log names the problem that delays a check, and contains no questions, answers or keys.

use std::sync::Arc;
use std::time::Duration;

use domain::limits::{PAUSE_JITTER, PROVIDER_PAUSE};
use providers::Providers;

use super::pauses::{PauseScenario, quota_error, successful_reply};
use crate::log::CapturedLog;

#[tokio::test]
async fn a_pause_its_probes_and_its_end_are_logged_once_and_nothing_secret_is_logged() {
    let mut scenario = PauseScenario::start(3).await;
    let base_url = scenario.fixture.provider.base_url.clone();
    scenario.fixture.checker.providers = Arc::new(Providers::from_lookup(|name| match name {
        "OPENAI_API_KEY" => Some("sk-hidden".to_owned()),
        "OPENAI_BASE_URL" => Some(base_url.clone()),
        _ => None,
    }));
    let log = CapturedLog::start();
    scenario.set_script(quota_error);
    scenario.advance_and_deliver(Duration::ZERO).await;
    scenario.advance_and_deliver(PROVIDER_PAUSE + PAUSE_JITTER).await;
    scenario.set_script(successful_reply);
    scenario.advance_and_deliver(PROVIDER_PAUSE + PAUSE_JITTER).await;
    scenario.run_until_ended(3).await;

    let paused = log.with_message("a provider is paused");
    assert_eq!(paused.len(), 2);
    assert!(
        paused
            .iter()
            .all(|line| line["pause.since"] == paused[0]["pause.since"])
    );
    let probed = log.with_message("a paused provider is probed");
    assert_eq!(probed.len(), 2);
    let ended = log.with_message("a paused provider answers again");
    assert_eq!(ended.len(), 1);
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
    assert_eq!(log.with_message("a check is finished").len(), 2);
    for hidden in ["Question", "recommend", "sk-hidden", &base_url] {
        assert!(!log.text().contains(hidden), "{hidden} is logged");
    }
}
