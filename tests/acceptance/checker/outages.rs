//! After an outage of the whole service, missed slots are caught up once and late answers are dropped.

use std::sync::Arc;

use acceptance::ProviderReply;
use domain::answer::ResponseState;
use domain::catalogue::Catalogue;
use domain::entity::EntityUpdate;
use domain::time::{HOUR, MINUTE};
use tokio::sync::Notify;

use super::fixture::{CREDITS, CheckerFixture, default_answer, prompt_number};
use crate::store::table::NOON;

#[tokio::test]
async fn an_answer_that_arrives_after_the_close_is_dropped_without_an_error_and_not_charged() {
    let gate = Arc::new(Notify::new());
    let held = gate.clone();
    let fixture = CheckerFixture::start(3, move |model: &str, input: &str| {
        let reply = ProviderReply::from(default_answer(model, input));
        if model == "large" && prompt_number(input) == 2 {
            reply.behind(&held)
        } else {
            reply
        }
    })
    .await;
    let shards = fixture.claim_due_check().await;
    assert_eq!(fixture.deliver(&shards[0]).await, 0);
    let (late, closed) = futures::join!(fixture.deliver(&shards[1]), async {
        fixture.wait_for_responses(5).await;
        fixture.reach_deadline().await;
        fixture.tick().await;
        let closed = fixture.audit().await;
        gate.notify_one();
        closed
    });
    assert_eq!(late, 0, "no error");
    fixture.deliver_published().await;
    assert_eq!(fixture.audit().await, closed, "nothing has changed");
    let open: Vec<_> = closed
        .iter()
        .filter(|r| r.state == ResponseState::Failed)
        .collect();
    assert_eq!((open[0].prompt.get(), open[0].model.get(), open.len()), (2, 1, 1));
    let used = 3 + 2 * 3;
    assert_eq!(
        fixture.table.credits(&fixture.tenant).await,
        (CREDITS - used, 0, used)
    );
    assert!(fixture.provider.asked().values().all(|times| *times == 1));
}

#[tokio::test]
async fn a_slot_that_falls_due_while_a_check_runs_is_claimed_when_it_ends() {
    let fixture = CheckerFixture::start(2, default_answer).await;
    fixture.tick().await;
    let hourly = EntityUpdate {
        frequency_hours: Some(1),
        ..EntityUpdate::default()
    };
    let store = &fixture.table.store;
    let changed = store
        .update_entity(&fixture.tenant, &fixture.entity, &hourly, &Catalogue::default())
        .await;
    assert_eq!(changed.unwrap().next_check_at, Some(NOON + HOUR));
    let claimed = fixture.take_published().await;
    fixture.table.advance(HOUR + MINUTE);
    fixture.tick().await;
    let seen = fixture.read_entity().await;
    assert_eq!((seen.check_seq.get(), seen.running.unwrap().check.get()), (1, 1));
    assert_eq!(seen.next_check_at, Some(NOON + HOUR), "the slot waits");
    for batch in &claimed {
        fixture.deliver(batch).await;
    }
    fixture.deliver_published().await;
    fixture.audit().await;
    futures::join!(fixture.tick(), fixture.tick());
    let seen = fixture.read_entity().await;
    assert_eq!((seen.check_seq.get(), seen.running.unwrap().check.get()), (2, 2));
    assert_eq!(seen.next_check_at, Some(NOON + 2 * HOUR));
}
