//! After a provider's pause, one question probes it.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use acceptance::ProviderReply;
use domain::answer::ResponseState;
use domain::clock::Clock;
use domain::limits::{MAX_QUESTION_DURATION, PAUSE_JITTER, PROBE_RETRY, PROVIDER_PAUSE};
use domain::time::SECOND;

use super::pauses::{PauseScenario, quota_error, successful_reply};

/// Returns when each of the last `count` questions was asked.
fn last_asks(scenario: &PauseScenario, count: usize) -> Vec<Instant> {
    let asks = scenario.fixture.asks.lock().unwrap();
    let from = asks.len().checked_sub(count).unwrap();
    asks[from..].iter().map(|(at, ..)| *at).collect()
}

#[tokio::test]
async fn no_worker_asks_before_the_probe_is_answered_and_all_ask_after_it() {
    const ANSWER_DELAY: Duration = Duration::from_millis(300);
    let scenario = PauseScenario::start(27).await;
    let refused = scenario.advance_and_deliver(Duration::ZERO).await;
    scenario.set_script(|model, input| successful_reply(model, input).after(ANSWER_DELAY));
    let shards = scenario.advance_and_tick(PROVIDER_PAUSE + PAUSE_JITTER).await;
    assert_eq!(shards.len(), 8);
    let all = shards.iter().map(|batch| scenario.fixture.deliver(batch));
    assert_eq!(futures::future::join_all(all).await.into_iter().sum::<usize>(), 0);
    let asks = last_asks(&scenario, scenario.fixture.ask_count() - refused);
    assert!(asks.len() >= 2, "who probed asks on");
    assert!(asks[1] - asks[0] >= ANSWER_DELAY, "one question alone");
    assert_eq!(scenario.pause().await, None);

    scenario.set_script(successful_reply);
    scenario.run_until_ended(3).await;
    assert_eq!(
        scenario.fixture.ask_count() - refused,
        2 * 54,
        "each question once more"
    );
    let responses = scenario.fixture.audit().await;
    assert!(responses.iter().all(|r| r.state == ResponseState::Answered));
    for entity in scenario.read_entity().await {
        assert!(entity.problems.is_empty(), "it is over");
    }
}

#[tokio::test]
async fn a_worker_that_crashes_during_a_probe_does_not_block_other_workers() {
    let scenario = PauseScenario::start(3).await;
    scenario.advance_and_deliver(Duration::ZERO).await;
    scenario.set_script(|model, input| successful_reply(model, input).after(Duration::from_secs(3_600)));
    let shards = scenario.advance_and_tick(PROVIDER_PAUSE + PAUSE_JITTER).await;
    let before = scenario.fixture.ask_count();
    tokio::select! {
        _ = scenario.fixture.deliver(&shards[0]) => panic!("the provider hangs"),
        () = async {
            while scenario.fixture.ask_count() == before {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        } => {}
    }
    let probe = scenario.pause().await.unwrap().probe.unwrap();
    assert_eq!(probe.until, scenario.fixture.table.now() + MAX_QUESTION_DURATION);
    scenario.set_script(successful_reply);
    for batch in &shards[1..] {
        assert_eq!(scenario.fixture.deliver(batch).await, 0);
    }
    assert_eq!(scenario.fixture.ask_count(), before + 1, "the others wait");
    let now = scenario.fixture.table.now();
    for shard in scenario
        .shards()
        .await
        .iter()
        .filter(|shard| shard.owner != probe.owner)
    {
        let look = shard.not_before.unwrap();
        assert!(look >= now + PROBE_RETRY && look <= now + PROBE_RETRY + PAUSE_JITTER);
    }
    assert_eq!(
        scenario.advance_and_deliver(MAX_QUESTION_DURATION - SECOND).await,
        0,
        "not before its end"
    );
    assert!(
        scenario
            .advance_and_deliver(SECOND + PROBE_RETRY + PAUSE_JITTER)
            .await
            > 0
    );
    assert_eq!(scenario.pause().await, None);
    scenario.run_until_ended(3).await;
    let responses = scenario.fixture.audit().await;
    assert!(responses.iter().all(|r| r.state == ResponseState::Answered));
}

#[tokio::test]
async fn a_probe_to_an_overloaded_provider_neither_ends_nor_extends_the_pause() {
    let scenario = PauseScenario::start(3).await;
    scenario.advance_and_deliver(Duration::ZERO).await;
    let pause = scenario.pause().await.unwrap();
    scenario.set_script(|_, _| {
        let mut busy = ProviderReply::error(429, "rate_limit_exceeded");
        busy.retry_after = Some(90);
        busy
    });
    assert_eq!(
        scenario.advance_and_deliver(PROVIDER_PAUSE + PAUSE_JITTER).await,
        1
    );
    let seen = scenario.pause().await.unwrap();
    assert_eq!((seen.count, seen.until), (1, pause.until));
    let hindered = scenario.shards().await.into_iter().filter_map(|s| s.problem);
    let busy: Vec<_> = hindered.filter(|p| p.model_id.is_some()).collect();
    assert_eq!(
        busy.len(),
        1,
        "one shard waits for its model, three for the probe"
    );
    scenario.set_script(successful_reply);
    assert_eq!(scenario.run_until_ended(6).await, 12);
    assert_eq!(scenario.pause().await, None);
    scenario.fixture.audit().await;
}

#[tokio::test]
async fn a_probe_that_reveals_nothing_about_the_account_is_followed_by_another() {
    const ANSWER_DELAY: Duration = Duration::from_millis(100);
    let scenario = PauseScenario::start(6).await;
    scenario.advance_and_deliver(Duration::ZERO).await;
    let replies = Mutex::new(vec![
        quota_error("", ""),
        ProviderReply::error(500, "server_error"),
        ProviderReply::error(400, "invalid_prompt"),
    ]);
    scenario.set_script(move |_, _| replies.lock().unwrap().pop().unwrap().after(ANSWER_DELAY));
    assert_eq!(
        scenario.advance_and_deliver(PROVIDER_PAUSE + PAUSE_JITTER).await,
        3
    );
    let asks = last_asks(&scenario, 3);
    assert!(
        asks.windows(2).all(|pair| pair[1] - pair[0] >= ANSWER_DELAY),
        "one at a time"
    );
    let pause = scenario.pause().await.unwrap();
    assert_eq!((pause.count, pause.probe), (2, None));
    scenario.set_script(successful_reply);
    scenario.run_until_ended(20).await;
    let states = scenario
        .responses()
        .await
        .into_iter()
        .map(|r| (r.prompt.get(), r.state));
    let failed: Vec<_> = states
        .filter(|(_, state)| *state != ResponseState::Answered)
        .collect();
    assert_eq!(
        failed,
        [(1, ResponseState::Failed)],
        "only what was refused itself"
    );
}

#[tokio::test]
async fn a_worker_whose_invocation_ends_soon_starts_no_probe() {
    let scenario = PauseScenario::start(3).await;
    scenario.advance_and_deliver(Duration::ZERO).await;
    scenario.set_script(successful_reply);
    let shards = scenario.advance_and_tick(PROVIDER_PAUSE + PAUSE_JITTER).await;
    let before = scenario.fixture.ask_count();
    let ends = scenario.fixture.table.clock.real_now() + 60 * SECOND;
    scenario
        .fixture
        .checker
        .handle(shards[0].clone(), ends)
        .await
        .unwrap();
    assert_eq!(scenario.fixture.ask_count(), before);
    assert_eq!(
        scenario.pause().await.unwrap().probe,
        None,
        "it is free for the next one"
    );
    for batch in &shards[1..] {
        assert_eq!(scenario.fixture.deliver(batch).await, 0);
    }
    scenario.fixture.deliver_published().await;
    scenario.run_until_ended(3).await;
    scenario.fixture.audit().await;
}
