//! When a provider's pause is over one question probes it.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use acceptance::ProviderReply;
use domain::answer::State;
use domain::clock::Clock;
use domain::limits::{MAX_QUESTION_DURATION, PAUSE_JITTER, PROBE_RETRY, PROVIDER_PAUSE};
use domain::time::SECOND;

use super::pauses::{Scene, good, no_quota};

/// When the last so many questions were asked.
fn last_asks(scene: &Scene, count: usize) -> Vec<Instant> {
    let asks = scene.bench.asks.lock().unwrap();
    let from = asks.len().checked_sub(count).unwrap();
    asks[from..].iter().map(|(at, ..)| *at).collect()
}

#[tokio::test]
async fn nobody_asks_before_the_probe_is_answered_and_all_do_after_it() {
    const THOUGHT: Duration = Duration::from_millis(300);
    let scene = Scene::start(27).await;
    let refused = scene.later(Duration::ZERO).await;
    scene.says(|model, input| good(model, input).after(THOUGHT));
    let shards = scene.ready(PROVIDER_PAUSE + PAUSE_JITTER).await;
    assert_eq!(shards.len(), 8);
    let all = shards.iter().map(|batch| scene.bench.deliver(batch));
    assert_eq!(futures::future::join_all(all).await.into_iter().sum::<usize>(), 0);
    let asks = last_asks(&scene, scene.bench.asked_in_all() - refused);
    assert!(asks.len() >= 2, "who probed asks on");
    assert!(asks[1] - asks[0] >= THOUGHT, "one question alone");
    assert_eq!(scene.pause().await, None);

    scene.says(good);
    scene.to_the_end(3).await;
    assert_eq!(
        scene.bench.asked_in_all() - refused,
        2 * 54,
        "each question once more"
    );
    let responses = scene.bench.audit().await;
    assert!(responses.iter().all(|r| r.state == State::Answered));
    for entity in scene.seen().await {
        assert!(entity.problems.is_empty(), "it is over");
    }
}

#[tokio::test]
async fn a_worker_that_dies_while_it_probes_is_in_nobodys_way() {
    let scene = Scene::start(3).await;
    scene.later(Duration::ZERO).await;
    scene.says(|model, input| good(model, input).after(Duration::from_secs(3_600)));
    let shards = scene.ready(PROVIDER_PAUSE + PAUSE_JITTER).await;
    let before = scene.bench.asked_in_all();
    tokio::select! {
        _ = scene.bench.deliver(&shards[0]) => panic!("the provider hangs"),
        () = async {
            while scene.bench.asked_in_all() == before {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        } => {}
    }
    let probe = scene.pause().await.unwrap().probe.unwrap();
    assert_eq!(probe.until, scene.bench.table.now() + MAX_QUESTION_DURATION);
    scene.says(good);
    for batch in &shards[1..] {
        assert_eq!(scene.bench.deliver(batch).await, 0);
    }
    assert_eq!(scene.bench.asked_in_all(), before + 1, "the others wait");
    let now = scene.bench.table.now();
    for shard in scene
        .shards()
        .await
        .iter()
        .filter(|shard| shard.owner != probe.owner)
    {
        let look = shard.not_before.unwrap();
        assert!(look >= now + PROBE_RETRY && look <= now + PROBE_RETRY + PAUSE_JITTER);
    }
    assert_eq!(
        scene.later(MAX_QUESTION_DURATION - SECOND).await,
        0,
        "not before its end"
    );
    assert!(scene.later(SECOND + PROBE_RETRY + PAUSE_JITTER).await > 0);
    assert_eq!(scene.pause().await, None);
    scene.to_the_end(3).await;
    let responses = scene.bench.audit().await;
    assert!(responses.iter().all(|r| r.state == State::Answered));
}

#[tokio::test]
async fn a_probe_that_the_provider_is_too_busy_for_neither_ends_nor_prolongs_the_pause() {
    let scene = Scene::start(3).await;
    scene.later(Duration::ZERO).await;
    let pause = scene.pause().await.unwrap();
    scene.says(|_, _| {
        let mut busy = ProviderReply::error(429, "rate_limit_exceeded");
        busy.retry_after = Some(90);
        busy
    });
    assert_eq!(scene.later(PROVIDER_PAUSE + PAUSE_JITTER).await, 1);
    let seen = scene.pause().await.unwrap();
    assert_eq!((seen.count, seen.until), (1, pause.until));
    let hindered = scene.shards().await.into_iter().filter_map(|s| s.problem);
    let busy: Vec<_> = hindered.filter(|p| p.model_id.is_some()).collect();
    assert_eq!(
        busy.len(),
        1,
        "one shard waits for its model, three for the probe"
    );
    scene.says(good);
    assert_eq!(scene.to_the_end(6).await, 12);
    assert_eq!(scene.pause().await, None);
    scene.bench.audit().await;
}

#[tokio::test]
async fn a_question_that_says_nothing_of_the_account_is_followed_by_another_probe() {
    const THOUGHT: Duration = Duration::from_millis(100);
    let scene = Scene::start(6).await;
    scene.later(Duration::ZERO).await;
    let replies = Mutex::new(vec![
        no_quota("", ""),
        ProviderReply::error(500, "server_error"),
        ProviderReply::error(400, "invalid_prompt"),
    ]);
    scene.says(move |_, _| replies.lock().unwrap().pop().unwrap().after(THOUGHT));
    assert_eq!(scene.later(PROVIDER_PAUSE + PAUSE_JITTER).await, 3);
    let asks = last_asks(&scene, 3);
    assert!(
        asks.windows(2).all(|pair| pair[1] - pair[0] >= THOUGHT),
        "one at a time"
    );
    let pause = scene.pause().await.unwrap();
    assert_eq!((pause.count, pause.probe), (2, None));
    scene.says(good);
    scene.to_the_end(20).await;
    let states = scene.responses().await.into_iter().map(|r| (r.prompt, r.state));
    let failed: Vec<_> = states.filter(|(_, state)| *state != State::Answered).collect();
    assert_eq!(failed, [(1, State::Failed)], "only what was refused itself");
}

#[tokio::test]
async fn a_worker_whose_invocation_ends_soon_begins_no_probe() {
    let scene = Scene::start(3).await;
    scene.later(Duration::ZERO).await;
    scene.says(good);
    let shards = scene.ready(PROVIDER_PAUSE + PAUSE_JITTER).await;
    let before = scene.bench.asked_in_all();
    let ends = scene.bench.table.clock.real_now() + 60 * SECOND;
    scene.bench.checker.handle(shards[0].clone(), ends).await.unwrap();
    assert_eq!(scene.bench.asked_in_all(), before);
    assert_eq!(
        scene.pause().await.unwrap().probe,
        None,
        "it is free for the next one"
    );
    for batch in &shards[1..] {
        assert_eq!(scene.bench.deliver(batch).await, 0);
    }
    scene.bench.run().await;
    scene.to_the_end(3).await;
    scene.bench.audit().await;
}
