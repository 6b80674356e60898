//! A question whose worker always crashes is recorded as failed in the end. The simulation covers crashes at
//! every other point.

use std::sync::Arc;
use std::time::Duration;

use acceptance::ProviderReply;
use domain::answer::ResponseState;
use domain::limits::LEASE;
use domain::time::SECOND;
use tokio::sync::Notify;

use super::fixture::{CheckerFixture, NO_TIME_LIMIT, default_answer};

#[tokio::test]
async fn a_question_whose_worker_always_crashes_is_asked_three_times_and_then_fails() {
    let asked = Arc::new(Notify::new());
    let asking = asked.clone();
    let fixture = CheckerFixture::start(1, move |model: &str, input: &str| {
        let is_fatal = model == "small";
        if is_fatal {
            asking.notify_one();
        }
        let wait = Duration::from_secs(if is_fatal { 3_600 } else { 0 });
        ProviderReply::from(default_answer(model, input)).after(wait)
    })
    .await;
    let mut deaths = 0;
    for _ in 0..4 {
        fixture
            .checker
            .handle(fixture.tick_event(true), NO_TIME_LIMIT)
            .await
            .unwrap();
        let mut batches = fixture.take_published().await;
        while let Some(batch) = batches.pop() {
            tokio::select! {
                given_back = fixture.deliver(&batch) => assert_eq!(given_back, 0),
                () = asked.notified() => deaths += 1,
            }
            batches.extend(fixture.take_published().await);
        }
        fixture.table.advance(LEASE + SECOND);
    }
    assert_eq!(deaths, 3);
    let responses = fixture.audit().await;
    assert_eq!(responses[0].reason.as_deref(), Some("No answer after 3 requests"));
    assert_eq!(responses[1].state, ResponseState::Answered);
    let times: Vec<u32> = fixture.provider.asked().into_values().collect();
    assert_eq!(times, [1, 3]);
}
