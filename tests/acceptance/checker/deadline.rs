//! At its deadline a check ends, and accounts for every question.

use std::time::Duration;

use acceptance::ProviderReply;
use domain::answer::State;
use domain::check::CheckState;
use domain::limits::CHECK_DEADLINE;
use domain::time::MILLISECOND;

use super::bench::{Bench, number, plain};

#[tokio::test]
async fn a_provider_that_stays_overloaded_makes_a_partial_check_with_the_reason() {
    let bench = Bench::start(3, |model: &str, input: &str| {
        if model == "large" {
            let mut busy = ProviderReply::error(429, "rate_limit_exceeded");
            busy.retry_after = Some(600);
            return busy;
        }
        plain(model, input).into()
    })
    .await;
    bench.tick().await;
    bench.run().await;
    let mut looks = 0;
    while let Some(running) = bench.seen().await.running {
        let now = bench.table.now();
        assert!(running.next_reconciliation_at > now && running.next_reconciliation_at <= running.deadline);
        bench
            .table
            .pass(running.next_reconciliation_at.duration_since(now));
        bench.tick().await;
        bench.run().await;
        looks += 1;
        assert!(looks < 50, "the check does not end");
    }
    assert!(looks >= 12, "it was tried until the deadline");
    let responses = bench.audit().await;
    for response in &responses {
        if response.model == 0 {
            assert_eq!(response.state, State::Answered);
        } else {
            assert_eq!(response.state, State::Failed);
            let reason = response.reason.as_deref().unwrap();
            assert!(reason.contains("rate limit"), "{reason}");
        }
    }
    assert_eq!(bench.check_state().await, CheckState::Partial);
    let problems = bench.seen().await.problems;
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].model_id, Some(bench.plan().await.models[1].uuid));
    assert!(
        problems[0].reason.starts_with("3 of 3 questions"),
        "{}",
        problems[0].reason
    );
}

#[tokio::test]
async fn a_provider_that_hangs_costs_only_its_own_questions() {
    let bench = Bench::start(3, |model: &str, input: &str| {
        let hangs = model == "large" && number(input) == 2;
        let wait = Duration::from_secs(if hangs { 3_600 } else { 0 });
        ProviderReply::from(plain(model, input)).after(wait)
    })
    .await;
    bench.tick().await;
    let claimed = bench.published().await.remove(0);
    bench.deliver(&claimed).await;
    for shard in bench.published().await {
        tokio::select! {
            _ = bench.deliver(&shard) => {}
            () = bench.recorded(5) => {}
        }
    }
    bench.published().await;
    bench.table.pass(CHECK_DEADLINE - MILLISECOND);
    assert!(bench.seen().await.is_processing(bench.table.now()));
    bench.table.pass(MILLISECOND);
    assert!(
        !bench.seen().await.is_processing(bench.table.now()),
        "at once, though no tick has come"
    );
    bench.tick().await;
    let responses = bench.audit().await;
    let failed: Vec<_> = responses.iter().filter(|r| r.state == State::Failed).collect();
    assert_eq!(failed.len(), 1);
    assert_eq!((failed[0].prompt, failed[0].model), (2, 1));
    assert_eq!(bench.check_state().await, CheckState::Partial);
    assert_eq!(bench.seen().await.problems.len(), 1);
}

#[tokio::test]
async fn a_check_that_nobody_worked_on_fails_whole_and_gives_its_credits_back() {
    let bench = Bench::start(30, plain).await;
    bench.tick().await;
    bench.published().await;
    bench.table.pass(CHECK_DEADLINE);
    // Two ticks at once close it once.
    futures::join!(bench.tick(), bench.tick());
    let responses = bench.audit().await;
    assert!(responses.iter().all(|r| r.state == State::Failed) && responses.len() == 60);
    assert_eq!(bench.check_state().await, CheckState::Partial);
}
