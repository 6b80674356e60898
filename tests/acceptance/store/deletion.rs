//! A deleted entity leaves the table in steps.

use acceptance::Fault;
use domain::time::DAY;

use super::table::Table;

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
