//! The answers of a running check count before the check ends, and each of them counts once.

mod facts_audit;
mod held_steps;
mod random_order;

use domain::check::Check;
use domain::limits::INTERIM_FOLD_AFTER;
use domain::ordinal::CheckNumber;
use domain::time::{DAY, MINUTE};
use events::{CheckEvent, CheckRef};
use serde_json::Value;

use super::fixture::{CREDITS, FIRST_CHECK};
use crate::rereading::assert_same;
use crate::rereading::twin::{Change, Twin};
use crate::store::table::models;

impl Twin {
    /// Returns the event that the answers so far of a check are to be folded, as the queue delivers it.
    async fn fold_due(&self, check: CheckNumber) -> Value {
        let check = CheckRef {
            workspace_id: *self.fixture.tenant.workspace(),
            entity_id: self.fixture.entity,
            check,
        };
        let event = CheckEvent::FoldDue(check);
        self.fixture.checker.bus.publish(&[event]).await.unwrap();
        let mut published = self.fixture.take_published().await;
        assert_eq!(published.len(), 1);
        published.remove(0)
    }

    /// Folds the answers so far of the first check.
    async fn fold(&self) {
        let event = self.fold_due(FIRST_CHECK).await;
        assert_eq!(self.fixture.deliver(&event).await, 0);
    }

    /// Makes the provider refuse the questions to these models.
    fn set_busy(&self, models: &[&str]) {
        *self.busy.lock().unwrap() = models.iter().map(|model| (*model).to_owned()).collect();
    }

    /// Claims the first check and lets the provider answer for one of two models. Ten minutes pass.
    async fn answer_for_small(&self) {
        self.set_busy(&["large"]);
        self.run_due_work().await;
        self.fixture.table.advance(INTERIM_FOLD_AFTER);
        assert_eq!(self.fixture.responses().await.len(), 3);
    }

    /// Lets the provider answer everything, and runs the check to its end and what follows from it.
    async fn answer_the_rest(&self) {
        self.set_busy(&[]);
        for _ in 0..12 {
            self.fixture.table.advance(MINUTE);
            self.fixture.tick().await;
            let mut batches = self.fixture.take_published().await;
            while let Some(batch) = batches.pop() {
                assert_eq!(self.fixture.deliver(&batch).await, 0);
                self.assert_each_day_has_one_reading().await;
                batches.extend(self.fixture.take_published().await);
            }
        }
        assert!(self.fixture.read_entity().await.running.is_none());
        assert!(!self.is_rereading().await);
    }

    /// Asserts that the figures of no day mix two readings, and that those of no check do.
    async fn assert_each_day_has_one_reading(&self) {
        for (day, readings) in self.readings_by_day().await {
            assert!(
                readings.len() == 1 && !readings[0].is_empty(),
                "{day}: {readings:?}"
            );
        }
    }

    async fn first_check(&self) -> Check {
        let (store, tenant) = (&self.fixture.table.store, &self.fixture.tenant);
        let check = store.check(tenant, &self.fixture.entity, FIRST_CHECK).await;
        check.unwrap().unwrap()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_answers_of_one_model_count_in_every_endpoint_while_another_model_is_busy() {
    let (early, late) = tokio::join!(Twin::start(), Twin::start());
    for twin in [&early, &late] {
        twin.answer_for_small().await;
    }
    let before = early.figures().await;
    early.fold().await;
    let interim = early.figures().await;
    for ((name, before), (_, interim)) in before.iter().zip(&interim) {
        assert_ne!(before, interim, "{name}");
    }
    early.assert_families_agree().await;

    // What counts checks waits for the end.
    let entity = early.fixture.read_entity().await;
    assert!(entity.running.is_some() && entity.last_check.is_none());
    assert!(early.recommendations().await.is_empty());
    let credits = early.fixture.table.credits(&early.fixture.tenant).await;
    assert_eq!(credits, (CREDITS - 12, 12, 0));
    assert!(early.first_check().await.folded_at.is_some());

    for twin in [&early, &late] {
        twin.answer_the_rest().await;
    }
    let small = format!("&models={}", models(1)[0]);
    assert_same(
        "the model that answered",
        interim,
        early.filtered_figures(&small).await,
    );
    assert_same("at the end", early.figures().await, late.figures().await);
    assert_eq!(early.recommendations().await, late.recommendations().await);
    early.audit_facts().await;
}

#[tokio::test]
async fn a_check_is_folded_once_while_it_runs_and_only_if_it_has_an_answer() {
    let twin = Twin::start().await;
    let items = async || twin.fixture.table.items().await;
    twin.set_busy(&["small", "large"]);
    twin.run_due_work().await;
    let before = items().await;
    twin.fold().await;
    assert_eq!(items().await, before, "there is no answer");

    twin.set_busy(&["large"]);
    for _ in 0..11 {
        twin.fixture.table.advance(MINUTE);
        twin.run_due_work().await;
    }
    assert_eq!(twin.fixture.responses().await.len(), 3);
    let now = twin.fixture.table.now();
    twin.fold().await;
    assert_eq!(twin.first_check().await.folded_at, Some(now));
    let folded = items().await;
    assert_ne!(folded, before);
    twin.fixture.table.advance(MINUTE);
    twin.fold().await;
    assert_eq!(items().await, folded, "it was folded before");

    twin.answer_the_rest().await;
    let ended = items().await;
    twin.fold().await;
    assert_eq!(items().await, ended, "the check has ended");
}

#[tokio::test]
async fn a_check_that_only_has_to_be_finished_is_not_folded_before() {
    let twin = Twin::start().await;
    twin.fixture.tick().await;
    for _ in 0..2 {
        for batch in twin.fixture.take_published().await {
            assert_eq!(twin.fixture.deliver(&batch).await, 0);
        }
    }
    let finish = twin.fixture.take_published().await;
    assert_eq!(twin.first_check().await.shards.left(), 0);
    let before = twin.fixture.table.items().await;
    twin.fold().await;
    assert_eq!(twin.fixture.table.items().await, before);
    assert_eq!(finish.len(), 1);
    assert_eq!(twin.fixture.deliver(&finish[0]).await, 0);
    twin.audit_facts().await;
}

#[tokio::test]
async fn the_check_of_a_deleted_entity_is_not_folded() {
    let twin = Twin::start().await;
    twin.answer_for_small().await;
    let store = &twin.fixture.table.store;
    let deleted = store.delete_entity(&twin.fixture.tenant, &twin.fixture.entity);
    deleted.await.unwrap();
    let before = twin.fixture.table.items().await;
    twin.fold().await;
    assert_eq!(twin.fixture.table.items().await, before);
}

#[tokio::test]
async fn a_check_that_reaches_its_deadline_replaces_its_interim_facts() {
    let twin = Twin::start().await;
    twin.answer_for_small().await;
    twin.fold().await;
    twin.fixture.reach_deadline().await;
    twin.run_due_work().await;
    assert!(twin.fixture.read_entity().await.running.is_none());
    twin.audit_facts().await;
    let failed = |response: &&domain::check::Response| response.reason.is_some();
    assert_eq!(twin.fixture.responses().await.iter().filter(failed).count(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_is_added_between_the_two_folds_counts_in_all_answers() {
    for change in [Change::Alias, Change::Entity, Change::Member] {
        let (known, late) = tokio::join!(Twin::start(), Twin::start());
        known.learn(change).await;
        for twin in [&known, &late] {
            twin.run_day().await;
            twin.next_day();
            twin.set_busy(&["large"]);
            twin.run_due_work().await;
            twin.fixture.table.advance(INTERIM_FOLD_AFTER);
            let event = twin.fold_due(2.into()).await;
            assert_eq!(twin.fixture.deliver(&event).await, 0);
        }
        late.learn(change).await;
        for twin in [&known, &late] {
            twin.run_due_work().await;
        }
        late.assert_families_agree().await;
        let shown = format!("{change:?} while the check runs");
        assert_same(&shown, late.figures().await, known.figures().await);
        for twin in [&known, &late] {
            twin.answer_the_rest().await;
            twin.audit_facts().await;
        }
        let shown = format!("{change:?} at the end");
        assert_same(&shown, late.figures().await, known.figures().await);
    }
}

#[tokio::test]
async fn interim_segments_that_final_ones_replace_expire_within_a_week() {
    let twin = Twin::start().await;
    twin.answer_for_small().await;
    twin.fold().await;
    let interim = twin.segment_expiries().await;
    let start = twin.fixture.table.now().day().start();
    let in_a_week = (start + 7 * DAY).ttl_seconds();
    assert!(!interim.is_empty() && interim.values().all(|expiry| *expiry == in_a_week));
    twin.answer_the_rest().await;
    let both = twin.segment_expiries().await;
    let kept = (start + 400 * DAY).ttl_seconds();
    let replaced = both.values().filter(|expiry| **expiry == in_a_week).count();
    assert!(replaced > 0 && both.values().all(|expiry| [in_a_week, kept].contains(expiry)));
    twin.fixture.table.advance(8 * DAY);
    twin.audit_facts().await;
}
