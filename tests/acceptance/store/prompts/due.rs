//! The first active prompt of an active entity makes the entity due.

use domain::prompt::Prompt;
use domain::time::HOUR;
use store::ReplyRecorder;

use super::{active, change, entity_without_due_check, next, prompts, text};
use crate::store::creation::consistent;
use crate::store::table::{NOON, Table, models, new_entity, prompt_ids};
use crate::store::transactions::actions;

#[tokio::test]
async fn the_first_active_prompts_make_the_entity_due_in_the_same_transaction_or_right_after_it() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    for (count, transactions) in [(99, vec![100]), (100, vec![100, 1])] {
        let (entity, ids) =
            entity_without_due_check(&table, &tenant, &format!("site{count}.com"), count).await;
        change(&table, &tenant, &ids, &active(true)).await;
        assert_eq!(actions(&table), transactions);
        assert_eq!(next(&table, &tenant, &entity).await, Some(NOON));
        assert!(
            prompts(&table, &tenant, &entity)
                .await
                .iter()
                .all(Prompt::is_asked)
        );
    }
    // One request updates three entities, and one transaction has room for two of them.
    let mut all = Vec::new();
    let mut entities = Vec::new();
    for (site, count) in [("a.com", 40), ("b.com", 40), ("c.com", 18)] {
        let (entity, ids) = entity_without_due_check(&table, &tenant, site, count).await;
        entities.push(entity);
        all.extend(ids);
    }
    change(&table, &tenant, &all, &active(true)).await;
    assert_eq!(actions(&table), [100, 1]);
    for entity in &entities {
        assert_eq!(next(&table, &tenant, entity).await, Some(NOON));
    }
    consistent(&table, &tenant).await;
}

#[tokio::test]
async fn an_entity_that_already_has_active_prompts_or_is_inactive_does_not_become_due() {
    let table = Table::start().await;
    let tenant = table.tenant(1_000).await;
    let (entity, ids) = entity_without_due_check(&table, &tenant, "acme.com", 3).await;
    // Other changes, and updates without a change, do not make the entity due.
    let slot = next(&table, &tenant, &entity).await;
    change(&table, &tenant, &ids, &text("Which?")).await;
    change(&table, &tenant, &ids, &active(false)).await;
    assert_eq!(next(&table, &tenant, &entity).await, slot);

    change(&table, &tenant, &ids[..1], &active(true)).await;
    assert_eq!(next(&table, &tenant, &entity).await, Some(NOON));
    table.advance(HOUR);
    table.claimed(&tenant, &entity).await;
    let slot = next(&table, &tenant, &entity).await;
    for again in [&ids[..1], &ids[1..]] {
        change(&table, &tenant, again, &active(true)).await;
        assert_eq!(next(&table, &tenant, &entity).await, slot);
    }

    let mut new = new_entity(&tenant, "quiet.com", 1, &models(1));
    new.start_tracking = false;
    let created = table
        .store
        .create_entity(&tenant, &new, None, &ReplyRecorder::disabled())
        .await;
    let quiet = created.unwrap().entity.id;
    for is_active in [false, true] {
        change(&table, &tenant, &prompt_ids(&quiet, 1), &active(is_active)).await;
        assert_eq!(next(&table, &tenant, &quiet).await, None);
    }
}
