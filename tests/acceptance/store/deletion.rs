//! Counters stay correct when an entity is deleted, whatever runs at the same time.

use acceptance::{Fault, SeededRng};
use domain::time::DAY;
use futures::future::join_all;
use store::{Refusal, ReplyRecorder, Resource, Tenant, Trigger};

use super::table::{Table, catalogue, done, models, new_entity, new_prompts};

/// Asserts that the counters equal the number of items.
async fn counted(table: &Table, tenant: &Tenant, context: &str) {
    let workspace = table.store.workspace(tenant).await.unwrap().unwrap();
    let entities = table.store.entities(tenant).await.unwrap();
    assert_eq!(workspace.entities_used as usize, entities.len(), "{context}");
    let mut prompts = 0;
    for entity in &entities {
        let found = table.store.prompts(tenant, &entity.id).await.unwrap();
        let live = found.iter().filter(|p| !p.is_deleted).count();
        assert_eq!(entity.prompts as usize, live, "{context}");
        prompts += live;
    }
    assert_eq!(workspace.prompts_used as usize, prompts, "{context}");
}

#[tokio::test]
async fn concurrent_deletions_creations_prompts_and_claims_leave_correct_counters() {
    for seed in 0..10 {
        let table = Table::start().await;
        let tenant = table.tenant(10_000).await;
        let first = table.entity(&tenant, "acme.com", 3, 2).await;
        let (catalogue, mut rng) = (catalogue(), SeededRng::new(seed));
        table.faults.random(seed, 200, &Fault::TRANSIENT);
        let jobs: Vec<u64> = (0..16).map(|_| rng.below(5).into()).collect();
        let results = join_all(jobs.iter().map(|job| {
            let (store, tenant, id, catalogue) = (&table.store, &tenant, &first.id, &catalogue);
            async move {
                let (new, prompts) = (new_entity(tenant, "acme.com", 1, &models(1)), new_prompts(2));
                let nothing = match job {
                    0 => return Ok(done(store.delete_entity(tenant, id).await)?.is_some()),
                    1 => {
                        let added = store
                            .add_prompts(tenant, id, &prompts, &ReplyRecorder::disabled())
                            .await;
                        done(added).map(drop)
                    }
                    2 => {
                        let once = ReplyRecorder::disabled();
                        let claim = store.claim_check(tenant, id, Trigger::Schedule, catalogue, &once);
                        done(claim.await).map(drop)
                    }
                    _ => {
                        let created = store
                            .create_entity(tenant, &new, Some(catalogue), &ReplyRecorder::disabled())
                            .await;
                        done(created).map(drop)
                    }
                };
                nothing.map(|()| false)
            }
        }))
        .await;
        table.faults.none();
        let failed = results.iter().filter(|r| r.is_err()).count();
        let deleted = results.iter().filter(|r| matches!(r, Ok(true))).count();
        assert!(deleted <= 1, "seed {seed}");
        let gone = table.store.entity(&tenant, &first.id).await.unwrap().is_none();
        assert!(gone == (deleted == 1) || failed > 0, "seed {seed}");
        counted(&table, &tenant, &format!("seed {seed}")).await;
        let entities = table.store.entities(&tenant).await.unwrap();
        let targets = table.items().await;
        let targets = targets.keys().filter(|(_, sk)| sk.starts_with("TARGET#")).count();
        assert_eq!(targets, entities.len(), "seed {seed}");
        assert!(entities.len() <= 1, "one tracking of one target");
    }
}

#[tokio::test]
async fn a_deletion_with_a_lost_response_takes_effect_once() {
    let table = Table::start().await;
    let tenant = table.tenant(100).await;
    let (entity, other) = (
        table.entity(&tenant, "acme.com", 3, 1).await,
        table.entity(&tenant, "other.com", 2, 1).await,
    );
    let mut lost = 0;
    table.faults.script(move |call| {
        (call.operation == "TransactWriteItems" && lost < 5).then(|| {
            lost += 1;
            Fault::Lost
        })
    });
    assert_eq!(table.store.delete_entity(&tenant, &entity.id).await, Ok(()));
    table.faults.none();
    let again = table.store.delete_entity(&tenant, &entity.id).await;
    assert_eq!(again, Err(Refusal::NotFound(Resource::Entity).into()));
    counted(&table, &tenant, "after").await;
    assert_eq!(table.store.entities(&tenant).await.unwrap()[0].id, other.id);
}

#[tokio::test]
async fn a_deleted_entity_is_due_until_it_is_cleaned_up_and_every_child_expires() {
    let table = Table::start().await;
    let tenant = table.tenant(100).await;
    let entity = table.entity(&tenant, "acme.com", 30, 1).await.id;
    let (check, _) = table.claimed(&tenant, &entity).await;
    table.store.delete_entity(&tenant, &entity).await.unwrap();
    assert_eq!(
        table.due_entities(table.now()).await,
        std::slice::from_ref(&entity)
    );

    let store = &table.store;
    let deleted = async || store.entity_or_deleted(&tenant, &entity).await.unwrap();
    // The item stays while its check runs, because the check still has to release its credits.
    assert!(
        !store
            .expire_entity(&tenant, deleted().await.unwrap())
            .await
            .unwrap()
    );
    store.abandon_check(&tenant, &entity, check).await.unwrap();
    assert_eq!(table.credits(&tenant).await, (100, 0, 0));
    // The erasure can be repeated from any point.
    let mut calls = 0;
    table.faults.script(move |call| {
        calls += usize::from(call.operation == "UpdateItem");
        (calls > 10).then_some(Fault::Unreachable)
    });
    let erased = deleted().await.unwrap();
    assert!(store.erase_entity_items(&tenant, &erased, 1_000).await.is_err());
    table.faults.none();
    let mut count = 0;
    loop {
        let step = store.erase_entity_items(&tenant, &erased, 7).await.unwrap();
        assert!(step.count <= 7);
        count += step.count;
        if step.is_complete {
            break;
        }
    }
    assert!(
        (1..32).contains(&count),
        "{count} of 30 prompts, a check and its plan"
    );
    let again = store.erase_entity_items(&tenant, &erased, 7).await.unwrap();
    assert_eq!((again.count, again.is_complete), (0, true));
    assert!(
        store
            .expire_entity(&tenant, deleted().await.unwrap())
            .await
            .unwrap()
    );
    assert!(deleted().await.is_none());
    assert!(table.due_entities(table.now()).await.is_empty());

    table.advance(401 * DAY);
    let of_entity = format!("#E#{entity}");
    for ((pk, sk), item) in table.items().await {
        if pk.contains(&of_entity) || sk.ends_with(entity.as_str()) {
            let expires: i64 = item["expiresAt"].as_n().unwrap().parse().unwrap();
            assert!(expires * 1_000 <= table.now().as_millis(), "{pk} {sk}");
        }
    }
}
