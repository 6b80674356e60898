//! The segments of a finished month are merged. Whatever happens then, figures are those of the checks' own segments.

use acceptance::{Fault, delete_item};
use domain::facts::Family;
use domain::limits::{MERGE_REPUBLICATION, REMERGE_AFTER};
use domain::period::DateRange;
use domain::time::{MINUTE, Month};
use serde_json::Value;

use crate::rereading::assert_same;
use crate::rereading::twin::{Change, Twin};

/// A world whose first month is finished and due.
struct FinishedMonth {
    twin: Twin,
    month: Month,
    /// The event that merges it, in the form in which the queue delivers it.
    event: Value,
}

impl FinishedMonth {
    /// Lets a world answer every day until its first month is to be merged, and holds the event back.
    async fn start() -> Self {
        let twin = Twin::start().await;
        let month = twin.fixture.table.now().day().month();
        for _ in 0..70 {
            twin.fixture.tick().await;
            let mut held = None;
            loop {
                let published = twin.fixture.take_published().await;
                if published.is_empty() {
                    break;
                }
                for batch in published {
                    if batch.to_string().contains("MergeDue") {
                        held = Some(batch);
                    } else {
                        assert_eq!(twin.fixture.deliver(&batch).await, 0);
                    }
                }
            }
            if let Some(event) = held {
                return Self { twin, month, event };
            }
            twin.next_day();
        }
        panic!("no month is merged");
    }

    /// Returns the families that are merged, so that their merged segments count.
    async fn merged(&self) -> Vec<Family> {
        let (fixture, last) = (&self.twin.fixture, self.month.last_day());
        let range = DateRange::single_day(last);
        let index = fixture
            .table
            .store
            .fact_index(&fixture.tenant, &fixture.entity, &range, true);
        let index = index.await.unwrap();
        let is_merged = |family: &Family| {
            let merged = index.merged_segments_of(*family);
            merged.iter().any(|(month, _)| *month == self.month)
        };
        Family::ALL.into_iter().filter(is_merged).collect()
    }

    /// Returns what clients see of the month and of the days around it.
    async fn figures(&self) -> Vec<(String, Value)> {
        let mut figures = self.twin.figures().await;
        let (last, id) = (self.month.last_day(), &self.twin.fixture.entity);
        for (start, end) in [(-27, 0), (-12, -3), (-27, 3), (-1, 1)] {
            let (start, end) = (last.plus_days(start), last.plus_days(end));
            for path in [
                "/v1/trends/visibility",
                "/v1/trends/citations",
                "/v1/query-fanouts",
                "/v1/responses",
            ] {
                let query = format!("entityId={id}&startDate={start}&endDate={end}");
                figures.push((format!("{path} {start} {end}"), self.twin.get(path, &query).await));
            }
        }
        figures
    }

    /// Deletes the checks' own segments of the month, so that its facts can be read from merged segments alone.
    async fn delete_segments_of_checks(&self) {
        let table = &self.twin.fixture.table;
        let month = format!("{}-", self.month);
        for key in table.items().await.keys() {
            if key.0.contains("#F#") && !key.0.ends_with("#links") && key.1.starts_with(&month) {
                delete_item(&table.endpoint, key).await;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn figures_stay_the_same_while_a_month_is_merged_whatever_call_the_checker_dies_at() {
    let world = FinishedMonth::start().await;
    let expected = world.figures().await;
    assert_eq!(world.merged().await, []);
    let mut deaths = 0;
    loop {
        let fault = if deaths % 2 == 0 {
            Fault::CrashBefore
        } else {
            Fault::CrashAfter
        };
        if !world
            .twin
            .handle_until_crash_at(&world.event, deaths / 2 + 1, fault)
            .await
        {
            break;
        }
        deaths += 1;
        if deaths % 5 == 0 {
            assert_same(
                &format!("{deaths} deaths"),
                world.figures().await,
                expected.clone(),
            );
        }
    }
    assert!(deaths > 20, "{deaths} deaths");
    assert_eq!(world.merged().await, Family::MERGED);
    assert_same("merged", world.figures().await, expected.clone());
    // A duplicate changes nothing.
    let items = world.twin.fixture.table.items().await;
    assert_eq!(world.twin.fixture.deliver(&world.event).await, 0);
    assert_eq!(world.twin.fixture.table.items().await, items);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_merged_month_is_read_without_the_segments_of_its_checks() {
    let world = FinishedMonth::start().await;
    let expected = world.figures().await;
    assert_eq!(world.twin.fixture.deliver(&world.event).await, 0);
    world.delete_segments_of_checks().await;
    assert_same("without segments of checks", world.figures().await, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_month_whose_event_is_lost_is_merged_later() {
    let world = FinishedMonth::start().await;
    let fixture = &world.twin.fixture;
    fixture.tick().await;
    let published = fixture.take_published().await;
    assert!(
        !published
            .iter()
            .any(|batch| batch.to_string().contains("MergeDue"))
    );
    fixture.table.advance(MERGE_REPUBLICATION + MINUTE);
    world.twin.run_due_work().await;
    assert_eq!(world.merged().await, Family::MERGED);
    // A merged month is not due any more.
    fixture.table.advance(MERGE_REPUBLICATION + MINUTE);
    fixture.tick().await;
    assert!(fixture.take_published().await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_merged_month_that_is_read_again_counts_at_once_and_is_merged_again() {
    let world = FinishedMonth::start().await;
    let fixture = &world.twin.fixture;
    assert_eq!(fixture.deliver(&world.event).await, 0);
    let before = world.figures().await;
    world.twin.learn(Change::Alias).await;
    // The rereading changes the facts of one family, whose merged segment does not count any more.
    for _ in 0..20 {
        fixture.tick().await;
        for batch in fixture.take_published().await {
            assert!(!batch.to_string().contains("MergeDue"));
            assert_eq!(fixture.deliver(&batch).await, 0);
        }
        if !world.twin.is_rereading().await {
            break;
        }
        fixture.table.advance(MINUTE);
    }
    assert_eq!(
        world.merged().await,
        [Family::Citations, Family::Fanouts, Family::Responses]
    );
    let read_again = world.figures().await;
    assert_ne!(read_again, before);
    fixture.table.advance(REMERGE_AFTER + MINUTE);
    world.twin.run_due_work().await;
    assert_eq!(world.merged().await, Family::MERGED);
    assert_same("merged again", world.figures().await, read_again);
}
