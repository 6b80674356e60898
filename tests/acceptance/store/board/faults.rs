//! Concurrent changes of a board while calls fail.

use std::collections::BTreeMap;

use acceptance::{Fault, SeededRng, candidates, incomplete_findings};
use domain::board::{ActionableStatus, TaskStatus};
use domain::ordinal::ActionableOrdinal;
use futures::StreamExt;
use proptest::prelude::*;
use store::ReplyRecorder;
use strum::VariantArray;

use crate::store::table::done;

use super::BoardFixture;

/// Makes every kind of change to a board, four at a time, with a fault on every fifth call.
async fn change_under_faults(seed: u64) {
    let fixture = BoardFixture::filled(12).await;
    fixture.table.faults.random(seed, 200, &Fault::TRANSIENT);
    let mut rng = SeededRng::new(seed);
    let jobs: Vec<_> = (0..24)
        .map(|_| (rng.below(10), 1 + rng.below(12), rng.below(5) as usize))
        .collect();
    let results: Vec<_> = futures::stream::iter(jobs)
        .map(|(kind, ordinal, column)| {
            let (fixture, store, tenant) = (&fixture, &fixture.table.store, &fixture.tenant);
            async move {
                let (actionable, task) = (fixture.actionable(ordinal), fixture.task(ordinal));
                match kind {
                    0..=2 => {
                        let created = store
                            .create_task(tenant, &actionable, &[], &ReplyRecorder::disabled())
                            .await;
                        let task = done(created)?;
                        Ok(task.map(|task| (task.actionable, ActionableStatus::InTask)))
                    }
                    3 => {
                        let found = incomplete_findings(&candidates(&fixture.entity, 10 + ordinal));
                        store
                            .refill_board(tenant, &fixture.entity, ordinal.into(), &found, |_| Vec::new())
                            .await
                            .map(|_| None)
                    }
                    4 => {
                        let dismissed = store
                            .dismiss_actionable(tenant, &actionable, &ReplyRecorder::disabled())
                            .await;
                        let actionable = done(dismissed)?;
                        Ok(actionable.map(|a| (a.ordinal, ActionableStatus::Dismissed)))
                    }
                    _ => {
                        let to = TaskStatus::VARIANTS.get(column).copied();
                        let moved = store
                            .move_task(tenant, &task, to, &ReplyRecorder::disabled())
                            .await;
                        done(moved).map(|_| None)
                    }
                }
            }
        })
        .buffer_unordered(4)
        .collect()
        .await;
    fixture.table.faults.none();

    let board = fixture.consistent().await;
    let states: BTreeMap<ActionableOrdinal, _> =
        board.actionables.iter().map(|a| (a.ordinal, a.status)).collect();
    for result in &results {
        match result {
            Ok(Some((ordinal, status))) => assert_eq!(states[ordinal], *status, "a success that is lost"),
            Ok(None) => {}
            Err(error) => assert!(error.is_transient(), "{error}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_board_stays_consistent_whatever_calls_fail(seed: u64) {
        tokio::runtime::Runtime::new().unwrap().block_on(change_under_faults(seed));
    }
}
