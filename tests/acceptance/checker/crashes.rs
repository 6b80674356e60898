//! A worker that dies each time: its question is given up in the end. The process that dies anywhere else is in
//! the simulation.

use std::sync::Arc;
use std::time::Duration;

use acceptance::ProviderReply;
use domain::answer::State;
use domain::limits::LEASE;
use domain::time::SECOND;
use tokio::sync::Notify;

use super::bench::{Bench, NEVER, plain};

#[tokio::test]
async fn a_question_whose_worker_always_dies_is_asked_three_times_and_then_given_up() {
    let asked = Arc::new(Notify::new());
    let asking = asked.clone();
    let bench = Bench::start(1, move |model: &str, input: &str| {
        let is_fatal = model == "small";
        if is_fatal {
            asking.notify_one();
        }
        let wait = Duration::from_secs(if is_fatal { 3_600 } else { 0 });
        ProviderReply::from(plain(model, input)).after(wait)
    })
    .await;
    let mut deaths = 0;
    for _ in 0..4 {
        bench.checker.handle(bench.tick_event(true), NEVER).await.unwrap();
        let mut batches = bench.published().await;
        while let Some(batch) = batches.pop() {
            tokio::select! {
                given_back = bench.deliver(&batch) => assert_eq!(given_back, 0),
                () = asked.notified() => deaths += 1,
            }
            batches.extend(bench.published().await);
        }
        bench.table.pass(LEASE + SECOND);
    }
    assert_eq!(deaths, 3);
    let responses = bench.audit().await;
    assert_eq!(responses[0].reason.as_deref(), Some("No answer after 3 requests"));
    assert_eq!(responses[1].state, State::Answered);
    let times: Vec<u32> = bench.provider.asked().into_values().collect();
    assert_eq!(times, [1, 3]);
}
