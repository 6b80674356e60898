//! A step that is held up before it writes the index notices what another process has done meanwhile.

use std::sync::mpsc;

use acceptance::AwsCall;
use checker::Checker;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::checker::fixture::{FIRST_CHECK, NO_TIME_LIMIT};
use crate::rereading::twin::{Change, Twin};

/// Returns whether a call writes the index of a month.
fn writes_index(call: &AwsCall) -> bool {
    let is_write = matches!(call.operation.as_str(), "UpdateItem" | "TransactWriteItems");
    is_write && call.request.to_string().contains("INDEX#")
}

impl Twin {
    /// Runs a step until it is about to write the index, then `meanwhile` with the checker of another
    /// process, and then the rest of the step.
    async fn hold_before_index_write(&self, event: &Value, meanwhile: impl AsyncFnOnce(&Checker)) {
        let (reached, is_reached) = oneshot::channel();
        let (proceed, may_proceed) = mpsc::channel::<()>();
        let mut reached = Some(reached);
        self.faults.script(move |call| {
            if let Some(reached) = reached.take_if(|_| writes_index(call)) {
                reached.send(()).unwrap();
                tokio::task::block_in_place(|| may_proceed.recv()).unwrap();
            }
            None
        });
        let (held, event) = (self.fixture.checker.clone(), event.clone());
        let step = tokio::spawn(async move { held.handle(event, NO_TIME_LIMIT).await });
        is_reached.await.unwrap();
        let other = Checker {
            store: self.fixture.table.store.clone(),
            ..self.fixture.checker.clone()
        };
        meanwhile(&other).await;
        proceed.send(()).unwrap();
        step.await.unwrap().unwrap();
        self.faults.none();
    }

    /// Answers all questions of the first check and returns the event that it is to be finished.
    async fn answer_all(&self, checker: &Checker) -> Value {
        self.set_busy(&[]);
        self.fixture.table.advance(super::INTERIM_FOLD_AFTER);
        let mut batches = vec![self.fixture.tick_event(true)];
        while let Some(batch) = batches.pop() {
            if batch.to_string().contains("CheckAnswered") {
                return batch;
            }
            checker.handle(batch, NO_TIME_LIMIT).await.unwrap();
            batches.extend(self.fixture.take_published().await);
        }
        panic!("the check is not answered");
    }

    /// Publishes the rereading that a change of names has requested, and returns its event.
    async fn rereading_due(&self, checker: &Checker) -> Value {
        let tick = self.fixture.tick_event(false);
        checker.handle(tick, NO_TIME_LIMIT).await.unwrap();
        let events = self.fixture.take_published().await;
        let mut rereadings = events
            .into_iter()
            .filter(|event| event.to_string().contains("RereadingDue"));
        rereadings.next().unwrap()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_late_interim_fold_does_not_replace_final_facts() {
    let twin = Twin::start().await;
    twin.answer_for_small().await;
    let interim = twin.fold_due(FIRST_CHECK).await;
    twin.hold_before_index_write(&interim, async |other| {
        let finish = twin.answer_all(other).await;
        other.handle(finish, NO_TIME_LIMIT).await.unwrap();
    })
    .await;
    assert_eq!(twin.first_check().await.folded_at, None);
    twin.audit_facts().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_finish_whose_answers_are_read_again_meanwhile_folds_them_once_more() {
    let twin = Twin::start().await;
    twin.answer_for_small().await;
    twin.fold().await;
    let finish = twin.answer_all(&twin.fixture.checker).await;
    twin.hold_before_index_write(&finish, async |other| {
        twin.learn(Change::Alias).await;
        let rereading = twin.rereading_due(other).await;
        other.handle(rereading, NO_TIME_LIMIT).await.unwrap();
        twin.set_aliases(&[]).await;
    })
    .await;
    twin.answer_the_rest().await;
    twin.audit_facts().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_rereading_of_interim_facts_reads_the_final_ones_if_the_check_ends_meanwhile() {
    let twin = Twin::start().await;
    twin.answer_for_small().await;
    twin.fold().await;
    let finish = twin.answer_all(&twin.fixture.checker).await;
    twin.learn(Change::Entity).await;
    let rereading = twin.rereading_due(&twin.fixture.checker).await;
    twin.hold_before_index_write(&rereading, async |other| {
        other.handle(finish.clone(), NO_TIME_LIMIT).await.unwrap();
    })
    .await;
    twin.answer_the_rest().await;
    twin.audit_facts().await;
}
