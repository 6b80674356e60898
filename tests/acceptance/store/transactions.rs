//! The largest possible form of each write fits into one transaction.

use std::collections::BTreeSet;

use acceptance::{candidates, incomplete_findings, largest_candidate, largest_outcome};
use domain::board::{Actionable, CheckFindings, Task, TaskStatus};
use domain::check::EndState;
use domain::check_key::CheckKey;
use domain::entity::EntityUpdate;
use domain::id::{ActionableId, TaskId};
use domain::limits::{
    MAX_ACTIVE_ACTIONABLES, MAX_ANSWERS_PER_WRITE, MAX_OUTCOMES_PER_CHECK, MAX_PROMPTS_PER_REQUEST,
};
use domain::name_request::ReviewDecision;
use domain::target::Target;
use domain::time::HOUR;
use serde_json::Value;
use store::{CheckOutcome, Refusal, ReplyRecorder, RequestIdentity, Resource, StoreError};

use super::groups::{change_to, new_group, seen};
use super::names::{new_name_request, person};
use super::table::{Table, answered, catalogue, models, new_entity, new_prompts};

/// Returns the number of actions of each transaction since the last call. Panics if a transaction has more
/// than 100 actions, or two actions on one item.
pub(crate) fn actions(table: &Table) -> Vec<usize> {
    let calls = table.faults.take();
    let transactions = calls.iter().filter(|c| c.operation == "TransactWriteItems");
    transactions
        .map(|call| {
            let actions = call.request["TransactItems"].as_array().unwrap();
            let keys: BTreeSet<(String, String)> = actions.iter().map(key).collect();
            assert_eq!(keys.len(), actions.len(), "an item twice in a transaction");
            assert!(actions.len() <= 100);
            assert!(call.request.to_string().len() < 4 * 1024 * 1024);
            actions.len()
        })
        .collect()
}

fn key(action: &Value) -> (String, String) {
    let (_, action) = action.as_object().unwrap().iter().next().unwrap();
    let key = action.get("Key").or(action.get("Item")).unwrap();
    let part = |name: &str| key[name]["S"].as_str().unwrap().to_owned();
    (part("PK"), part("SK"))
}

pub(crate) fn request(key: &str) -> RequestIdentity {
    RequestIdentity::new("POST", "/", key.as_bytes(), "{}")
}

pub(crate) fn answer<T>(_: &T) -> Result<String, StoreError> {
    Ok("{}".to_owned())
}

#[tokio::test]
async fn the_largest_form_of_every_write_fits_one_transaction_with_no_item_twice() {
    let table = Table::start().await;
    let store = &table.store;
    let tenant = table.tenant(100_000).await;
    let entity = table.entity(&tenant, "acme.com", 0, 1).await;
    let now = table.now();
    actions(&table);

    // Another tracking of the same brand updates the brand, and the first one creates it. Both take the same
    // number of actions.
    for domain in ["shop.acme.com", "other.com"] {
        let new = new_entity(&tenant, domain, MAX_PROMPTS_PER_REQUEST, &models(2));
        store
            .create_entity(
                &tenant,
                &new,
                Some(&catalogue()),
                &ReplyRecorder::new(&request(domain), answer),
            )
            .await
            .unwrap();
        assert_eq!(actions(&table), [MAX_PROMPTS_PER_REQUEST + 9]);
    }
    let added = new_prompts(MAX_PROMPTS_PER_REQUEST);
    store
        .add_prompts(
            &tenant,
            &entity.id,
            &added,
            &ReplyRecorder::new(&request("add"), answer),
        )
        .await
        .unwrap();
    assert_eq!(actions(&table), [MAX_PROMPTS_PER_REQUEST + 3]);

    let (check, plan) = table.claimed(&tenant, &entity.id).await;
    assert_eq!(actions(&table), [4]);
    let lease = table.lease(&tenant, &entity.id, check, 0).await.unwrap();
    let model = plan.models[0].ordinal;
    let answers: Vec<_> = plan.prompts[..MAX_ANSWERS_PER_WRITE]
        .iter()
        .map(|prompt| answered((*prompt).into(), model.into(), &"word ".repeat(4_000), now))
        .collect();
    assert!(store.record_responses(&lease, now.day(), answers).await.unwrap());
    assert_eq!(actions(&table), [MAX_ANSWERS_PER_WRITE + 1]);
    assert!(store.finish_shard(&lease).await.unwrap());
    assert_eq!(actions(&table), [2]);

    table.advance(3 * HOUR);
    let key = CheckKey {
        day: now.day(),
        check,
    };
    store
        .close_shards(&tenant, &entity.id, key, &plan, table.now())
        .await
        .unwrap();
    let closed = actions(&table);
    assert!(closed.iter().all(|n| *n <= MAX_ANSWERS_PER_WRITE) && !closed.is_empty());
    let running = store.check(&tenant, &entity.id, check).await.unwrap().unwrap();
    let finish = CheckOutcome {
        end: EndState::Partial,
        used: 10,
        problems: Vec::new(),
        events: Vec::new(),
        credits_per_day: None,
        alerted_on: None,
    };
    let completed = store.finish_check(&tenant, &entity.id, &running, &finish, table.now());
    assert!(completed.await.unwrap());
    assert_eq!(actions(&table), [3]);
}

#[tokio::test]
async fn the_largest_write_of_a_group_fits_one_transaction() {
    let table = Table::start().await;
    let store = &table.store;
    let tenant = table.tenant(0).await;
    let acme = table.entity(&tenant, "acme.com", 1, 1).await;
    let brands = seen(&table, &tenant, 140).await;
    actions(&table);

    // The transaction creates 45 brands and contains the scope and the record of the idempotent request.
    let request = RequestIdentity::new("POST", "/domain-groups", b"key", "{}");
    let once = ReplyRecorder::new(&request, |_| Ok("{}".to_owned()));
    let new = new_group(&brands[..45], Some(&acme.id));
    let made = store.create_group(&tenant, &new, &once).await.unwrap();
    assert_eq!(actions(&table), [45 + 5]);
    let change = change_to(&brands[45..90]);
    store
        .update_group(&tenant, &made.group.id, &change)
        .await
        .unwrap();
    assert_eq!(actions(&table), [90 + 4]);

    // Deleting the entity also deletes the groups in its scope and the group whose primary is its brand.
    let new = new_group(&brands[..3], Some(&acme.id));
    store
        .create_group(&tenant, &new, &ReplyRecorder::disabled())
        .await
        .unwrap();
    let own = std::iter::once(acme.brand).chain(brands[90..134].iter().copied());
    let new = new_group(&own.collect::<Vec<_>>(), None);
    let own = store
        .create_group(&tenant, &new, &ReplyRecorder::disabled())
        .await
        .unwrap();
    actions(&table);
    store.delete_entity(&tenant, &acme.id).await.unwrap();
    assert_eq!(actions(&table), [50 + 46 + 4]);
    assert!(store.groups(&tenant).await.unwrap().is_empty());

    let other = store.delete_group(&tenant, &own.group.id).await;
    assert_eq!(other, Err(Refusal::NotFound(Resource::Group).into()));
    let new = new_group(&brands[..45], None);
    let made = store
        .create_group(&tenant, &new, &ReplyRecorder::disabled())
        .await
        .unwrap();
    actions(&table);
    store.delete_group(&tenant, &made.group.id).await.unwrap();
    assert_eq!(actions(&table), [45 + 3]);
    assert_eq!(store.workspace(&tenant).await.unwrap().unwrap().entities_used, 0);
}

#[tokio::test]
async fn the_largest_change_of_a_board_fits_one_transaction_with_no_item_twice() {
    let table = Table::start().await;
    let store = &table.store;
    let tenant = table.tenant(0).await;
    let entity = table.entity(&tenant, "acme.com", 1, 1).await.id;
    let request = |key: &str| RequestIdentity::new("POST", "/", key.as_bytes(), "{}");
    let keys = ["task", "done", "dismiss"].map(request);
    let answer = |_: &Task| Ok(String::new());
    actions(&table);

    // All actionables are new at first. The second check then makes the largest possible update: it removes
    // all actionables, records as many outcomes, and creates as many actionables.
    let first = incomplete_findings(&candidates(&entity, 40));
    store
        .refill_board(&tenant, &entity, 1.into(), &first, |_| Vec::new())
        .await
        .unwrap();
    assert_eq!(actions(&table), [MAX_ACTIVE_ACTIONABLES + 2]);
    for ordinal in 1..=30 {
        let (entity, to) = (entity, Some(TaskStatus::Done));
        let actionable = ActionableId {
            entity,
            ordinal: ordinal.into(),
        };
        let task = store
            .create_task(&tenant, &actionable, &[], &ReplyRecorder::disabled())
            .await;
        let ordinal = task.unwrap().ordinal;
        let id = TaskId { entity, ordinal };
        store
            .move_task(&tenant, &id, to, &ReplyRecorder::disabled())
            .await
            .unwrap();
    }
    let others: Vec<_> = (101..=130).map(|n| largest_candidate(&entity, n)).collect();
    store
        .refill_board(&tenant, &entity, 2.into(), &incomplete_findings(&others), |_| {
            Vec::new()
        })
        .await
        .unwrap();
    let nothing = CheckFindings {
        can_retire_recommendations: true,
        ..CheckFindings::default()
    };
    for check in [3, 4] {
        store
            .refill_board(&tenant, &entity, check.into(), &nothing, |_| Vec::new())
            .await
            .unwrap();
    }
    actions(&table);
    let board = store.board(&tenant, &entity).await.unwrap();
    let done = board
        .actionables
        .iter()
        .filter_map(|a| Some((a.ordinal, a.awaiting_outcome_since()?)));
    let most = CheckFindings {
        candidates: (201..=240).map(|n| largest_candidate(&entity, n)).collect(),
        can_retire_recommendations: true,
        outcomes: done
            .map(|(ordinal, done)| largest_outcome(&entity, ordinal.into(), done))
            .collect(),
    };
    assert_eq!(most.outcomes.len(), MAX_OUTCOMES_PER_CHECK);
    let refill = store
        .refill_board(&tenant, &entity, 5.into(), &most, |_| Vec::new())
        .await
        .unwrap();
    assert_eq!((refill.changed.len(), refill.created.len()), (60, 30));
    assert_eq!(
        actions(&table),
        [2 * MAX_ACTIVE_ACTIONABLES + MAX_OUTCOMES_PER_CHECK + 2]
    );
    let board = store.board(&tenant, &entity).await.unwrap();
    for changed in refill.changed.iter().chain(&refill.created) {
        assert!(board.actionables.contains(changed));
        assert!(serde_json::to_string(changed).unwrap().len() < 50 * 1024);
    }

    // The items are the board, the entity, the workspace, the actionable, the task, and the recorded reply.
    let actionable = |ordinal| ActionableId { entity, ordinal };
    let (first, second) = (actionable(61.into()), actionable(62.into()));
    let once = ReplyRecorder::new(&keys[0], answer);
    let created = store.create_task(&tenant, &first, &[], &once).await;
    let task = TaskId {
        entity,
        ordinal: created.unwrap().ordinal,
    };
    assert_eq!(actions(&table), [6]);
    let (once, to) = (ReplyRecorder::new(&keys[1], answer), Some(TaskStatus::Done));
    store.move_task(&tenant, &task, to, &once).await.unwrap();
    assert_eq!(actions(&table), [6]);
    let once = ReplyRecorder::new(&keys[2], |_: &Actionable| Ok(String::new()));
    store.dismiss_actionable(&tenant, &second, &once).await.unwrap();
    assert_eq!(actions(&table), [5]);
}

#[tokio::test]
async fn a_change_of_an_entitys_name_and_target_writes_each_item_once() {
    let table = Table::start().await;
    let store = &table.store;
    let tenant = table.tenant(0).await;
    let acme = table.entity(&tenant, "acme.com", 0, 1).await;
    let jane = person(&tenant, "Jane");
    let jane = store
        .create_entity(&tenant, &jane, None, &ReplyRecorder::disabled())
        .await;
    let jane = jane.unwrap().entity.id;
    actions(&table);

    let change = EntityUpdate {
        target: Some(Target::parse_domain("target", "acme.com/shop").unwrap()),
        ..EntityUpdate::default()
    };
    let changed = store
        .update_entity(&tenant, &acme.id, &change, &catalogue())
        .await;
    changed.unwrap();
    assert_eq!(actions(&table), [4]);
    let (key, joan) = (request("name"), new_name_request("Joan"));
    let filed = store
        .request_name(&tenant, &jane, &joan, &ReplyRecorder::new(&key, answer))
        .await;
    filed.unwrap();
    assert_eq!(actions(&table), [4]);
    let reviewed = store
        .review_name(&tenant, &jane, ReviewDecision::Approve, "")
        .await;
    reviewed.unwrap();
    // The workspace counts the change of a name.
    assert_eq!(actions(&table), [6]);
}
