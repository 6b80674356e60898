//! After a provider's pause, one question probes it.

use std::time::{Duration, Instant};

use acceptance::ProviderReply;
use domain::answer::ResponseState;
use domain::clock::Clock;
use domain::limits::{MAX_QUESTION_DURATION, PAUSE_JITTER, PROBE_RETRY, PROVIDER_PAUSE};
use domain::time::SECOND;

use super::pauses::{PauseScenario, successful_reply};

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
        1 + 2 * 54,
        "a probe, and each question once more"
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
async fn a_probe_that_reveals_nothing_neither_ends_nor_extends_the_pause() {
    for reply in [
        ProviderReply::error(429, "rate_limit_exceeded"),
        ProviderReply::error(500, "server_error"),
    ] {
        let scenario = PauseScenario::start(3).await;
        scenario.advance_and_deliver(Duration::ZERO).await;
        let pause = scenario.pause().await.unwrap();
        scenario.set_script(move |_, _| reply.clone());
        let asked = scenario.advance_and_deliver(PROVIDER_PAUSE + PAUSE_JITTER).await;
        assert!((1..=2).contains(&asked), "the models of one probe: {asked}");
        let seen = scenario.pause().await.unwrap();
        assert_eq!((seen.since, seen.until), (pause.since, pause.until));
        let problems = scenario.shards().await.into_iter().map(|shard| shard.problem);
        assert!(problems.eq(std::iter::repeat_n(Some(pause.problem()), 4)));
        scenario.set_script(successful_reply);
        assert_eq!(
            scenario.run_until_ended(6).await,
            1 + 12,
            "a probe and all questions"
        );
        assert_eq!(scenario.pause().await, None);
        scenario.fixture.audit().await;
    }
}

#[tokio::test]
async fn a_provider_that_judges_the_request_itself_accepts_the_account() {
    let scenario = PauseScenario::start(3).await;
    scenario.advance_and_deliver(Duration::ZERO).await;
    scenario.set_script(
        |model, input| match input.contains("uestion") || input.contains("Other") {
            true => successful_reply(model, input),
            false => ProviderReply::error(404, "model_not_found"),
        },
    );
    scenario.advance_and_deliver(PROVIDER_PAUSE + PAUSE_JITTER).await;
    assert_eq!(scenario.pause().await, None);
    scenario.run_until_ended(3).await;
    let responses = scenario.fixture.audit().await;
    assert!(responses.iter().all(|r| r.state == ResponseState::Answered));
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
