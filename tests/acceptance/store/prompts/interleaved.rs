//! Changes between the read and the write of an update.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use acceptance::Fault;
use store::{Refusal, ReplyRecorder, Resource};

use super::{active, entity_without_due_check, prompts, text, updates};
use crate::store::table::{NOON, Table, new_prompts, prompt_ids, refused};

/// Holds back the transactions that write `attribute` until `meanwhile` is done.
async fn holding<A, B>(
    table: &Table,
    attribute: &'static str,
    write: impl Future<Output = A>,
    meanwhile: impl Future<Output = B>,
) -> (A, B) {
    let is_done = Arc::new(AtomicBool::new(false));
    let may_pass = is_done.clone();
    table.faults.script(move |call| {
        let is_held = call.operation == "TransactWriteItems" && call.request.to_string().contains(attribute);
        (is_held && !may_pass.load(Ordering::SeqCst)).then_some(Fault::Conflict)
    });
    let meanwhile = async {
        while table.faults.calls().iter().all(|call| call.fault.is_none()) {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        let done = meanwhile.await;
        is_done.store(true, Ordering::SeqCst);
        done
    };
    table.faults.take();
    tokio::join!(write, meanwhile)
}

#[tokio::test]
async fn a_batch_changes_nothing_if_one_of_its_prompts_is_deleted_meanwhile() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    let entity = table.entity(&tenant, "acme.com", 30, 1).await.id;
    let ids = prompt_ids(&entity, 30);
    let all = updates(&ids, &text("Changed?"));
    let batch = table.store.update_prompts(&tenant, &all);
    let deletion = table.store.delete_prompt(&tenant, &ids[20]);
    let (changed, deleted) = holding(&table, "Changed?", batch, deletion).await;
    assert_eq!(deleted, Ok(()));
    let unknown = Refusal::NotFoundAt(Resource::Prompt, "updates[20].promptId".to_owned());
    assert_eq!(refused(changed).unwrap_err(), unknown);
    let found = prompts(&table, &tenant, &entity).await;
    assert!(found.iter().all(|prompt| prompt.text.as_str() != "Changed?"));
}

#[tokio::test]
async fn a_concurrent_change_of_another_field_is_kept() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    let entity = table.entity(&tenant, "acme.com", 1, 1).await.id;
    let ids = prompt_ids(&entity, 1);
    let (of_text, of_state) = (updates(&ids, &text("Changed?")), updates(&ids, &active(false)));
    let held = table.store.update_prompts(&tenant, &of_text);
    let (changed, meanwhile) = holding(
        &table,
        "Changed?",
        held,
        table.store.update_prompts(&tenant, &of_state),
    )
    .await;
    changed.unwrap();
    meanwhile.unwrap();
    let prompt = prompts(&table, &tenant, &entity).await.remove(0);
    assert_eq!((prompt.text.as_str(), prompt.is_active), ("Changed?", false));
}

#[tokio::test]
async fn a_concurrent_claim_and_a_change_that_makes_the_entity_due_are_both_kept() {
    let table = Table::start().await;
    let tenant = table.tenant(1_000).await;
    let (entity, ids) = entity_without_due_check(&table, &tenant, "acme.com", 2).await;
    let new = new_prompts(1);
    let resumed = updates(&ids, &active(true));
    let once = ReplyRecorder::disabled();
    let addition = async {
        table
            .store
            .add_prompts(&tenant, &entity, &new, &once)
            .await
            .unwrap();
        table.claimed(&tenant, &entity).await
    };
    let held = table.store.update_prompts(&tenant, &resumed);
    let (changed, (check, _)) = holding(&table, ":active", held, addition).await;
    changed.unwrap();
    let seen = table.read_entity(&tenant, &entity).await;
    assert_eq!(seen.next_check_at, Some(NOON));
    assert_eq!(seen.running.map(|running| running.check), Some(check));
}

#[tokio::test]
async fn a_prompt_of_a_deleted_entity_is_unknown() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    let entity = table.entity(&tenant, "acme.com", 2, 1).await.id;
    let ids = prompt_ids(&entity, 2);
    // The deletion can also happen between the read of the entity and the deletion of the prompt.
    let deletion = table.store.delete_prompt(&tenant, &ids[0]);
    let (gone, deleted) = holding(
        &table,
        "isDeleted",
        deletion,
        table.store.delete_entity(&tenant, &entity),
    )
    .await;
    assert_eq!(deleted, Ok(()));
    assert_eq!(refused(gone), Err(Refusal::NotFound(Resource::Prompt)));
    let all = updates(&ids, &active(true));
    let changed = table.store.update_prompts(&tenant, &all).await;
    let unknown = Refusal::NotFoundAt(Resource::Prompt, "updates[0].promptId".to_owned());
    assert_eq!(refused(changed).unwrap_err(), unknown);
    let workspace = table.store.workspace(&tenant).await.unwrap().unwrap();
    assert_eq!((workspace.entities_used, workspace.prompts_used), (0, 0));
}
