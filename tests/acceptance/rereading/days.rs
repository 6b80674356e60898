//! Which days are read again, and what clients see of it.

use domain::time::{DAY, Day, MINUTE};
use serde_json::{Value, json};

use super::twin::{Change, Twin};

#[tokio::test]
async fn the_status_shows_a_rereading_from_the_change_to_its_end() {
    let twin = Twin::start_and_run_days(3).await;
    twin.fixture.table.advance(MINUTE);
    // The slot of today is due as well.
    twin.run_day().await;
    assert_eq!(twin.rereading_status().await, Value::Null);
    let before = twin.mention_count().await;
    twin.learn(Change::Alias).await;
    assert_eq!(twin.rereading_status().await, json!({"done": 0, "total": null}));
    twin.fixture.tick().await;
    assert_eq!(twin.rereading_status().await, json!({"done": 0, "total": null}));
    assert_eq!(twin.mention_count().await, before);
    let asked = twin.fixture.ask_count();
    twin.fixture.deliver_published().await;
    assert_eq!(twin.rereading_status().await, Value::Null);
    assert!(twin.mention_count().await > before);
    assert_eq!(twin.fixture.ask_count(), asked);
}

#[tokio::test]
async fn figures_count_since_the_first_day_that_was_read_for_the_same_names() {
    let twin = Twin::start_and_run_days(3).await;
    let today = twin.fixture.table.now().day();
    let first = today.plus_days(-29).to_string();
    assert_eq!(twin.counted_since().await, json!(first));
    twin.learn(Change::Alias).await;
    // The check of today is claimed with the new name, before the earlier days are read again.
    twin.fixture.tick().await;
    let held = twin.fixture.take_published().await;
    let (rereading, check): (Vec<_>, Vec<_>) = held
        .into_iter()
        .partition(|batch| batch.to_string().contains("RereadingDue"));
    for batch in check {
        twin.fixture.deliver(&batch).await;
    }
    twin.fixture.deliver_published().await;
    assert_eq!(twin.counted_since().await, json!(today.to_string()));
    for batch in rereading {
        twin.fixture.deliver(&batch).await;
    }
    assert_eq!(twin.counted_since().await, json!(first));
}

#[tokio::test]
async fn a_day_whose_texts_are_gone_stays_as_it_is() {
    let twin = Twin::start_and_run_days(3).await;
    let (table, entity) = (&twin.fixture.table, &twin.fixture.entity);
    let days = twin.readings_by_day().await;
    // One text of the second day is gone.
    let items = table.items().await;
    let second = format!("{}#", days[1].0);
    let partition = format!("#E#{entity}#R#");
    let gone = items
        .keys()
        .find(|(pk, sk)| pk.contains(&partition) && sk.starts_with(&second));
    acceptance::delete_item(&table.database, gone.unwrap()).await;
    twin.learn(Change::Alias).await;
    twin.run_due_work().await;
    for _ in 0..3 {
        table.advance(MINUTE);
        twin.run_due_work().await;
    }
    assert_eq!(twin.rereading_status().await, Value::Null, "the rereading ends");
    let after = twin.readings_by_day().await;
    assert_eq!(after[1], days[1]);
    assert_ne!(after[0], days[0]);
    assert_ne!(after[2], days[2]);
    assert_eq!(twin.counted_since().await, json!(days[2].0.to_string()));
}

#[tokio::test]
async fn a_day_whose_texts_have_expired_is_not_read() {
    let twin = Twin::start_and_run_days(1).await;
    twin.fixture.table.advance(91 * DAY);
    twin.learn(Change::Alias).await;
    twin.fixture.table.faults.take();
    twin.run_due_work().await;
    let since = twin.fixture.table.now().day().plus_days(-90);
    let first = since.plus_days(-2).to_string();
    let calls = twin.fixture.table.faults.take();
    let reads_old = calls
        .iter()
        .any(|call| call.request.to_string().contains(&format!("{first}#")));
    assert!(!reads_old);
}

#[tokio::test]
async fn a_check_that_ends_with_other_names_than_its_day_is_indexed_together_with_it() {
    let twin = Twin::start_and_run_days(2).await;
    twin.run_day().await;
    // The second check of the day is claimed with the old names, and the first is read again before it ends.
    let run = twin
        .fixture
        .table
        .claim(
            &twin.fixture.tenant,
            &twin.fixture.entity,
            store::Trigger::Request,
        )
        .await;
    run.unwrap();
    twin.learn(Change::Alias).await;
    twin.run_due_work().await;
    let is_uniform = |days: &[(Day, Vec<String>)]| days.iter().all(|(_, readings)| readings.len() == 1);
    assert!(is_uniform(&twin.readings_by_day().await));
    // The check is reconciled, answered and finished.
    for _ in 0..6 {
        twin.fixture.table.advance(MINUTE);
        twin.run_due_work().await;
        assert!(is_uniform(&twin.readings_by_day().await));
    }
    let entity = twin.fixture.read_entity().await;
    assert_eq!(entity.last_check.unwrap().check.get(), 4);
    let readings = twin.readings_by_day().await;
    assert!(
        readings.iter().all(|(_, of_day)| *of_day == readings[0].1),
        "{readings:?}"
    );
    assert_eq!(twin.rereading_status().await, Value::Null);
}
