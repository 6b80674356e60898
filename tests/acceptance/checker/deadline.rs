//! At its deadline, a check is finished and accounts for every question.

use std::time::Duration;

use acceptance::{Fault, ProviderReply};
use domain::answer::ResponseState;
use domain::check::CheckState;
use domain::limits::{CHECK_DEADLINE, LEASE};
use domain::time::{HOUR, MILLISECOND, MINUTE};

use super::fixture::{CheckerFixture, default_answer, first_check, prompt_number};
use crate::store::table::NOON;

#[tokio::test]
async fn a_provider_that_stays_overloaded_leaves_a_partial_check_with_the_reason() {
    let fixture = CheckerFixture::start(3, |model: &str, input: &str| {
        if model == "large" {
            let mut busy = ProviderReply::error(429, "rate_limit_exceeded");
            busy.retry_after = Some(600);
            // Nobody waits in real time for a start at the rate that this teaches.
            busy.requests_per_minute = Some(u32::MAX);
            return busy;
        }
        default_answer(model, input).into()
    })
    .await;
    fixture.tick().await;
    fixture.deliver_published().await;
    let mut looks = 0;
    while let Some(running) = fixture.read_entity().await.running {
        let now = fixture.table.now();
        assert!(running.next_reconciliation_at > now);
        fixture
            .table
            .advance(running.next_reconciliation_at.duration_since(now));
        fixture.tick().await;
        fixture.deliver_published().await;
        looks += 1;
        assert!(looks < 50, "the check does not end");
    }
    assert!(looks >= 12, "it was tried until the deadline");
    let responses = fixture.audit().await;
    for response in &responses {
        if response.model.get() == 0 {
            assert_eq!(response.state, ResponseState::Answered);
        } else {
            assert_eq!(response.state, ResponseState::Failed);
            let reason = response.reason.as_deref().unwrap();
            assert!(reason.contains("rate limit"), "{reason}");
        }
    }
    assert_eq!(fixture.check_state().await, CheckState::Partial);
    let problems = fixture.read_entity().await.problems;
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].model_id, Some(fixture.plan().await.models[1].uuid));
    assert!(
        problems[0].reason.starts_with("3 of 3 questions"),
        "{}",
        problems[0].reason
    );
}

#[tokio::test]
async fn a_provider_that_hangs_affects_only_its_own_questions() {
    let fixture = CheckerFixture::start(3, |model: &str, input: &str| {
        let hangs = model == "large" && prompt_number(input) == 2;
        let wait = Duration::from_secs(if hangs { 3_600 } else { 0 });
        ProviderReply::from(default_answer(model, input)).after(wait)
    })
    .await;
    for shard in fixture.claim_due_check().await {
        tokio::select! {
            _ = fixture.deliver(&shard) => {}
            () = fixture.wait_for_responses(5) => {}
        }
    }
    fixture.take_published().await;
    let deadline = fixture.table.now() + CHECK_DEADLINE;
    assert!(!fixture.read_check().await.is_closed_at(deadline - MILLISECOND));
    fixture.reach_deadline().await;
    assert!(
        fixture.read_check().await.is_closed_at(fixture.table.now()),
        "at once, though no tick has come"
    );
    fixture.tick().await;
    let responses = fixture.audit().await;
    let failed: Vec<_> = responses
        .iter()
        .filter(|r| r.state == ResponseState::Failed)
        .collect();
    assert_eq!(failed.len(), 1);
    assert_eq!((failed[0].prompt.get(), failed[0].model.get()), (2, 1));
    assert_eq!(fixture.check_state().await, CheckState::Partial);
    assert_eq!(fixture.read_entity().await.problems.len(), 1);
}

#[tokio::test]
async fn a_check_that_no_worker_takes_up_waits_and_is_not_failed() {
    let fixture = CheckerFixture::start(30, default_answer).await;
    fixture.tick().await;
    fixture.take_published().await;
    for _ in 0..3 {
        fixture.table.advance(CHECK_DEADLINE);
        futures::join!(fixture.tick(), fixture.tick());
        fixture.take_published().await;
        assert_eq!(fixture.check_state().await, CheckState::Running);
        assert_eq!(fixture.read_check().await.deadline, None, "it has not begun");
    }
    fixture.table.advance(CHECK_DEADLINE);
    fixture.tick().await;
    fixture.deliver_published().await;
    let responses = fixture.audit().await;
    assert!(responses.iter().all(|r| r.state == ResponseState::Answered) && responses.len() == 60);
    assert_eq!(fixture.check_state().await, CheckState::Complete);
}

#[tokio::test]
async fn time_in_which_the_service_is_down_does_not_count_towards_the_deadline() {
    let fixture = CheckerFixture::start(3, default_answer).await;
    fixture.tick().await;
    fixture.crash_each_worker().await;
    let began = fixture.table.now();
    let reconciliation = fixture
        .read_entity()
        .await
        .running
        .unwrap()
        .next_reconciliation_at;
    let worked = reconciliation.duration_since(began);

    fixture.table.advance(6 * HOUR);
    let restarted = fixture.table.now();
    futures::join!(fixture.tick(), fixture.tick());
    assert_eq!(fixture.check_state().await, CheckState::Running);
    let extended = restarted + (CHECK_DEADLINE - worked);
    assert_eq!(
        fixture.read_check().await.deadline,
        Some(extended),
        "once for both ticks"
    );

    fixture.deliver_published().await;
    let responses = fixture.audit().await;
    assert!(responses.iter().all(|r| r.state == ResponseState::Answered));
    assert_eq!(
        (fixture.check_state().await, responses.len()),
        (CheckState::Complete, 6)
    );
}

#[tokio::test]
async fn a_reconciliation_that_failed_after_it_moved_the_deadline_does_not_move_it_again() {
    let fixture = CheckerFixture::start(3, default_answer).await;
    fixture.tick().await;
    fixture.crash_each_worker().await;
    let reconciliation = fixture
        .read_entity()
        .await
        .running
        .unwrap()
        .next_reconciliation_at;
    let before = fixture.read_check().await.deadline.unwrap();
    fixture.table.advance(6 * HOUR);
    let downtime = fixture.table.now().duration_since(reconciliation);
    for _ in 0..3 {
        // The entity, with the moment of the next reconciliation, cannot be written.
        fixture
            .table
            .faults
            .script(|call| (call.operation == "TransactWriteItems").then_some(Fault::Unreachable));
        fixture.tick().await;
        fixture.table.advance(MINUTE);
    }
    fixture.table.faults.none();
    assert_eq!(fixture.read_check().await.deadline, Some(before + downtime));
}

#[tokio::test]
async fn a_check_is_not_closed_while_a_shard_waits_for_its_first_worker_again() {
    let fixture = CheckerFixture::start(3, default_answer).await;
    let shards = fixture.claim_due_check().await;
    fixture.deliver(&shards[0]).await;
    fixture.deliver_without_lease(&shards[1]).await;
    fixture.reach_deadline().await;
    assert!(fixture.read_check().await.is_closed_at(fixture.table.now()));
    fixture.tick().await;
    assert_eq!(fixture.check_state().await, CheckState::Running);
    fixture.deliver_published().await;
    let responses = fixture.audit().await;
    assert!(responses.iter().all(|r| r.state == ResponseState::Answered));
    assert_eq!(fixture.check_state().await, CheckState::Complete);
}

#[tokio::test]
async fn a_check_is_not_closed_while_the_first_worker_of_a_shard_has_not_moved_the_deadline_yet() {
    let fixture = CheckerFixture::start(3, default_answer).await;
    let shards = fixture.claim_due_check().await;
    fixture.deliver(&shards[0]).await;
    fixture.reach_deadline().await;
    let leased = fixture
        .table
        .lease(&fixture.tenant, &fixture.entity, first_check().check, 1)
        .await;
    assert!(leased.is_ok());
    // The first reconciliation finds the lease, and the next ones find a shard that is worked on.
    for _ in 0..3 {
        fixture.tick().await;
        fixture.table.advance(MINUTE);
        assert_eq!(fixture.check_state().await, CheckState::Running);
    }
    fixture.table.advance(LEASE);
    fixture.tick().await;
    fixture.deliver_published().await;
    let responses = fixture.audit().await;
    assert!(responses.iter().all(|r| r.state == ResponseState::Answered));
    assert_eq!(fixture.check_state().await, CheckState::Complete);
}

#[tokio::test]
async fn the_deadline_moves_when_a_further_shard_is_taken_up_for_the_first_time() {
    let fixture = CheckerFixture::start(30, default_answer).await;
    let shards = fixture.claim_due_check().await;
    let mut deadlines = Vec::new();
    for shard in &shards {
        fixture.table.advance(CHECK_DEADLINE);
        fixture.deliver(shard).await;
        deadlines.push(fixture.read_check().await.deadline.unwrap());
        assert_eq!(fixture.read_check().await.started_at, Some(NOON + CHECK_DEADLINE));
    }
    let expected: Vec<_> = (2..=5).map(|n| NOON + n * CHECK_DEADLINE).collect();
    assert_eq!(deadlines, expected);
    fixture.deliver_published().await;
    fixture.audit().await;
    assert_eq!(fixture.check_state().await, CheckState::Complete);
}
