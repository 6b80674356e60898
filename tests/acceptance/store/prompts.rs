//! Updates and deletions of prompts.

mod interleaved;

use domain::id::{EntityId, PromptId, TagId};
use domain::limits::{MAX_PROMPT_BYTES_PER_REQUEST, MAX_TAGS_PER_PROMPT};
use domain::locale::Geolocation;
use domain::prompt::{Prompt, PromptChange, PromptText, PromptUpdate};
use store::{ClaimError, ReplyRecorder, Tenant, Trigger};
use uuid::Uuid;

use super::table::{Table, new_prompts, prompt_ids};
use super::transactions::actions;

fn active(is_active: bool) -> PromptChange {
    PromptChange {
        is_active: Some(is_active),
        ..PromptChange::default()
    }
}

fn text(text: &str) -> PromptChange {
    PromptChange {
        text: Some(PromptText::parse("prompt", text).unwrap()),
        ..PromptChange::default()
    }
}

fn updates(ids: &[PromptId], change: &PromptChange) -> Vec<PromptUpdate> {
    let update = |id: &PromptId| PromptUpdate {
        id: *id,
        change: change.clone(),
    };
    ids.iter().map(update).collect()
}

async fn change(table: &Table, tenant: &Tenant, ids: &[PromptId], change: &PromptChange) {
    let updates = updates(ids, change);
    let changed = table.store.update_prompts(tenant, &updates).await.unwrap();
    assert_eq!(changed.len(), ids.len());
}

async fn prompts(table: &Table, tenant: &Tenant, entity: &EntityId) -> Vec<Prompt> {
    table.store.prompts(tenant, entity).await.unwrap()
}

/// Creates an entity with `count` paused prompts whose next check is far in the future.
async fn entity_without_due_check(
    table: &Table,
    tenant: &Tenant,
    domain: &str,
    count: u32,
) -> (EntityId, Vec<PromptId>) {
    let entity = table.entity(tenant, domain, 0, 1).await.id;
    for first in (0..count).step_by(90) {
        let new = new_prompts(90.min(count - first) as usize);
        let added = table
            .store
            .add_prompts(tenant, &entity, &new, &ReplyRecorder::disabled())
            .await;
        added.unwrap();
    }
    let ids = prompt_ids(&entity, count);
    for some in ids.chunks(100) {
        change(table, tenant, some, &active(false)).await;
    }
    // Its slot is skipped because it has nothing to ask.
    let claim = table.claim(tenant, &entity, Trigger::Schedule).await;
    assert_eq!(claim, Err(ClaimError::NoActivePrompt));
    let next = table.read_entity(tenant, &entity).await.next_check_at.unwrap();
    assert!(next > table.now());
    table.faults.take();
    (entity, ids)
}

#[tokio::test]
async fn the_largest_changes_fit_one_transaction() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    let entity = table.entity(&tenant, "acme.com", 90, 1).await.id;
    let more = new_prompts(10);
    let added = table
        .store
        .add_prompts(&tenant, &entity, &more, &ReplyRecorder::disabled())
        .await;
    added.unwrap();
    let tags = (1..=MAX_TAGS_PER_PROMPT as u128).map(|n| TagId::from_random(Uuid::from_u128(n)));
    let all = PromptChange {
        language: Some(None),
        geolocation: Some(Some(Geolocation::default())),
        is_active: Some(true),
        tags: Some(tags.collect()),
        ..text(&"𝒂".repeat(MAX_PROMPT_BYTES_PER_REQUEST / 100 / 4))
    };
    let ids = prompt_ids(&entity, 100);
    actions(&table);
    change(&table, &tenant, &ids, &all).await;
    assert_eq!(actions(&table), [100]);
    table.store.delete_prompt(&tenant, &ids[0]).await.unwrap();
    assert_eq!(actions(&table), [3]);
}
