//! Everything was down for a while: what was missed is caught up once, what is late is dropped.

use std::sync::Arc;

use acceptance::{Fault, ProviderReply};
use domain::answer::State;
use domain::catalogue::Catalogue;
use domain::check::CheckState;
use domain::entity::EntityUpdate;
use domain::limits::CHECK_DEADLINE;
use domain::time::{HOUR, MINUTE};
use tokio::sync::Notify;

use super::bench::{Bench, CREDITS, number, plain};
use crate::store::table::NOON;

#[tokio::test]
async fn after_an_outage_the_old_check_is_closed_and_one_check_catches_up() {
    let bench = Bench::start(3, plain).await;
    bench.tick().await;
    let claimed = bench.published().await.remove(0);
    bench.deliver(&claimed).await;
    let shards = bench.published().await;
    bench.deliver(&shards[0]).await;
    // The rest of its messages is lost, and three slots pass.
    bench.table.pass(3 * 24 * HOUR + 5 * HOUR);
    bench.tick().await;
    assert_eq!(bench.check_state().await, CheckState::Partial);
    let responses = bench.audit().await;
    let states: Vec<State> = responses.iter().map(|r| r.state).collect();
    let of = |state| states.iter().filter(|s| **s == state).count();
    assert_eq!((of(State::Answered), of(State::Failed)), (3, 3));

    bench.tick().await;
    bench.run().await;
    let seen = bench.seen().await;
    assert_eq!(seen.last_check.unwrap().check, 2);
    assert_eq!(seen.next_check_at, Some(NOON + 4 * 24 * HOUR), "on the schedule");
    assert!(seen.problems.is_empty());
    let asked = bench.asked_in_all();
    for _ in 0..3 {
        bench.tick().await;
        bench.run().await;
    }
    assert_eq!((bench.seen().await.check_seq, bench.asked_in_all()), (2, asked));
    // What was lost turns up.
    for batch in shards.iter().chain([&claimed]) {
        assert_eq!(bench.deliver(batch).await, 0);
    }
    assert_eq!(bench.asked_in_all(), asked);
    bench.table.pass(19 * HOUR);
    bench.tick().await;
    assert_eq!(bench.seen().await.running.unwrap().check, 3, "at its usual time");
}

#[tokio::test]
async fn an_outage_of_the_table_alone_leaves_the_slot_to_the_next_tick() {
    let bench = Bench::start(1, plain).await;
    bench.table.faults.script(|_| Some(Fault::Unreachable));
    let down = bench.checker.handle(bench.tick_event(false), super::bench::NEVER);
    assert!(down.await.is_err(), "the schedule's alarm sees it");
    bench.table.faults.none();
    bench.table.pass(MINUTE);
    bench.tick().await;
    bench.run().await;
    bench.audit().await;
    assert_eq!(bench.seen().await.next_check_at, Some(NOON + 24 * HOUR));
}

#[tokio::test]
async fn an_answer_that_comes_after_the_close_is_dropped_without_an_error_and_not_paid() {
    let gate = Arc::new(Notify::new());
    let held = gate.clone();
    let bench = Bench::start(3, move |model: &str, input: &str| {
        let reply = ProviderReply::from(plain(model, input));
        if model == "large" && number(input) == 2 {
            reply.behind(&held)
        } else {
            reply
        }
    })
    .await;
    bench.tick().await;
    let claimed = bench.published().await.remove(0);
    bench.deliver(&claimed).await;
    let shards = bench.published().await;
    assert_eq!(bench.deliver(&shards[0]).await, 0);
    let (late, closed) = futures::join!(bench.deliver(&shards[1]), async {
        bench.recorded(5).await;
        bench.table.pass(CHECK_DEADLINE);
        bench.tick().await;
        let closed = bench.audit().await;
        gate.notify_one();
        closed
    });
    assert_eq!(late, 0, "no error");
    bench.run().await;
    assert_eq!(bench.audit().await, closed, "nothing has changed");
    let open: Vec<_> = closed.iter().filter(|r| r.state == State::Failed).collect();
    assert_eq!((open[0].prompt, open[0].model, open.len()), (2, 1, 1));
    let used = 3 + 2 * 3;
    assert_eq!(
        bench.table.credits(&bench.tenant).await,
        (CREDITS - used, 0, used)
    );
    assert!(bench.provider.asked().values().all(|times| *times == 1));
}

#[tokio::test]
async fn a_slot_that_falls_due_while_a_check_runs_is_claimed_when_it_ends() {
    let bench = Bench::start(2, plain).await;
    bench.tick().await;
    let hourly = EntityUpdate {
        frequency_hours: Some(1),
        ..EntityUpdate::default()
    };
    let store = &bench.table.store;
    let changed = store
        .update_entity(&bench.tenant, &bench.entity, &hourly, &Catalogue::default())
        .await;
    assert_eq!(changed.unwrap().next_check_at, Some(NOON + HOUR));
    let claimed = bench.published().await;
    bench.table.pass(HOUR + MINUTE);
    bench.tick().await;
    let seen = bench.seen().await;
    assert_eq!((seen.check_seq, seen.running.unwrap().check), (1, 1));
    assert_eq!(seen.next_check_at, Some(NOON + HOUR), "the slot waits");
    for batch in &claimed {
        bench.deliver(batch).await;
    }
    bench.run().await;
    bench.audit().await;
    futures::join!(bench.tick(), bench.tick());
    let seen = bench.seen().await;
    assert_eq!((seen.check_seq, seen.running.unwrap().check), (2, 2));
    assert_eq!(seen.next_check_at, Some(NOON + 2 * HOUR));
}
