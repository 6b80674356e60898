//! When calls fail, each change counts once, and the number of used prompts equals the number of prompts.

use acceptance::{Fault, SeededRng};
use domain::id::PromptId;
use domain::workspace::Limits;
use futures::StreamExt;
use proptest::prelude::*;
use store::{Refusal, ReplyRecorder, Resource};

use super::{active, change, entity_without_due_check, next, prompts, updates};
use crate::store::creation::consistent;
use crate::store::table::{NOON, Table, done, new_prompts, no_limits};

#[tokio::test]
async fn each_write_takes_effect_once_despite_conflicts_and_lost_responses() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    for fault in [Fault::Conflict, Fault::Lost, Fault::ServerError, Fault::Throttled] {
        let (entity, ids) = entity_without_due_check(&table, &tenant, &format!("{fault:?}.com"), 100).await;
        // The first two attempts of every transaction fail.
        let mut tries = 0;
        let faults = table.faults.clone();
        let hinder = move || {
            faults.script(move |call| {
                let is_write = call.operation == "TransactWriteItems";
                tries = if is_write { (tries + 1) % 3 } else { tries };
                (is_write && tries != 0).then_some(fault)
            });
        };
        hinder();
        change(&table, &tenant, &ids, &active(true)).await;
        for id in &ids[..3] {
            hinder();
            let store = &table.store;
            assert_eq!(store.delete_prompt(&tenant, id).await, Ok(()), "{fault:?}");
            let again = store.delete_prompt(&tenant, id).await;
            assert_eq!(again, Err(Refusal::NotFound(Resource::Prompt).into()));
        }
        table.faults.none();
        assert_eq!(next(&table, &tenant, &entity).await, Some(NOON));
        let found = prompts(&table, &tenant, &entity).await;
        assert_eq!(found.iter().filter(|p| p.is_asked()).count(), 97);
        consistent(&table, &tenant).await;
    }
}

/// Adds, updates and deletes prompts and tags, four at a time, with a fault on every fifth call.
async fn change_under_faults(seed: u64) {
    let table = Table::start().await;
    let limits = Limits {
        prompts: 20,
        ..no_limits()
    };
    let (tenant, _) = table.workspace(limits, 0).await;
    let mut entities = Vec::new();
    for site in ["a.com", "b.com"] {
        entities.push(table.entity(&tenant, site, 4, 1).await.id);
    }
    table.faults.random(seed, 200, &Fault::TRANSIENT);
    let mut rng = SeededRng::new(seed);
    let jobs: Vec<_> = (0..40)
        .map(|_| {
            (
                rng.below(10),
                rng.below(2) as usize,
                1 + rng.below(8),
                rng.chance(50),
            )
        })
        .collect();
    let results: Vec<_> = futures::stream::iter(jobs)
        .map(|(verb, place, ordinal, flag)| {
            let (store, tenant, entities) = (&table.store, &tenant, &entities);
            async move {
                let id = |place: usize| PromptId {
                    entity: entities[place].clone(),
                    ordinal: ordinal.into(),
                };
                match verb {
                    0..=2 => {
                        let new = new_prompts(ordinal as usize);
                        let once = ReplyRecorder::disabled();
                        let added = store.add_prompts(tenant, &entities[place], &new, &once);
                        done(added.await).map(drop)
                    }
                    3..=5 => {
                        let both = updates(&[id(0), id(1)], &active(flag));
                        let changed = store.update_prompts(tenant, &both).await;
                        done(changed).map(drop)
                    }
                    _ => done(store.delete_prompt(tenant, &id(place)).await).map(drop),
                }
            }
        })
        .buffer_unordered(4)
        .collect()
        .await;
    table.faults.none();
    for error in results.iter().filter_map(|r| r.as_ref().err()) {
        assert!(error.is_transient(), "{error}");
    }
    consistent(&table, &tenant).await;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_number_of_used_prompts_equals_the_number_of_prompts_whatever_calls_fail(seed: u64) {
        tokio::runtime::Runtime::new().unwrap().block_on(change_under_faults(seed));
    }
}
