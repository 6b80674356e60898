//! Concurrent updates of an entity do not lose each other's changes.

use domain::entity::{Entity, EntityUpdate};
use domain::locale::{Geolocation, Language};
use domain::target::Target;
use domain::time::HOUR;
use store::{Tenant, Trigger, UpdateEntityError};

use super::table::{NOON, Table, catalogue, models, refused};

fn target(domain: &str) -> EntityUpdate {
    EntityUpdate {
        target: Some(Target::parse_domain("target", domain).unwrap()),
        ..EntityUpdate::default()
    }
}

fn every(hours: u32) -> EntityUpdate {
    EntityUpdate {
        frequency_hours: Some(hours),
        ..EntityUpdate::default()
    }
}

fn described(text: &str) -> EntityUpdate {
    EntityUpdate {
        description: Some(text.to_owned()),
        ..EntityUpdate::default()
    }
}

async fn change(
    table: &Table,
    tenant: &Tenant,
    entity: &Entity,
    change: &EntityUpdate,
) -> Result<Entity, UpdateEntityError> {
    let catalogue = catalogue();
    let changed = table.store.update_entity(tenant, &entity.id, change, &catalogue);
    refused(changed.await)
}

#[tokio::test]
async fn changes_of_different_fields_at_once_are_all_kept() {
    let table = Table::start().await;
    let tenant = table.tenant(1_000).await;
    let entity = table.entity(&tenant, "acme.com", 1, 1).await;
    let one = EntityUpdate::default;
    let changes = [
        target("acme.com/shop"),
        described("Tools"),
        every(48),
        EntityUpdate {
            language: Some(Language::parse("language", "de").unwrap()),
            ..one()
        },
        EntityUpdate {
            geolocation: Some(Geolocation::parse("geolocation", "at").unwrap()),
            ..one()
        },
        EntityUpdate {
            models: Some(models(2)),
            ..one()
        },
        EntityUpdate {
            aliases: Some(vec!["AI".to_owned()]),
            ..one()
        },
        EntityUpdate {
            is_active: Some(false),
            ..one()
        },
    ];
    let all = changes.iter().map(|c| change(&table, &tenant, &entity, c));
    let results = futures::future::join_all(all).await;
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    let mut expected = entity.clone();
    for change in &changes {
        expected = expected.with_update(change, &catalogue(), NOON).unwrap();
    }
    expected.revision = entity.revision + 8;
    assert_eq!(table.read_entity(&tenant, &entity.id).await, expected);
}

#[tokio::test]
async fn an_update_without_a_change_is_not_written() {
    let table = Table::start().await;
    let tenant = table.tenant(1_000).await;
    let entity = table.entity(&tenant, "acme.com", 1, 1).await;
    let before = table.items().await;
    for same in [target("www.acme.com/"), every(24), described("")] {
        assert_eq!(change(&table, &tenant, &entity, &same).await.unwrap(), entity);
    }
    assert_eq!(table.items().await, before);
}

#[tokio::test]
async fn a_claimed_slot_counts_for_a_frequency_that_changes_at_the_same_time() {
    for _ in 0..4 {
        let table = Table::start().await;
        let tenant = table.tenant(1_000).await;
        let entity = table.entity(&tenant, "acme.com", 1, 1).await;
        let twice = every(12);
        let (claimed, changed) = futures::join!(
            table.claim(&tenant, &entity.id, Trigger::Schedule),
            change(&table, &tenant, &entity, &twice),
        );
        assert!(claimed.is_ok() && changed.is_ok());
        // Either update can come first.
        let seen = table.read_entity(&tenant, &entity.id).await;
        assert_eq!(
            (seen.next_check_at, seen.check_seq.get()),
            (Some(NOON + 12 * HOUR), 1)
        );
    }
}

#[tokio::test]
async fn one_of_many_entities_that_request_a_target_at_once_gets_it() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    let mut entities = Vec::new();
    for n in 0..6 {
        entities.push(table.entity(&tenant, &format!("s{n}.acme.com"), 0, 1).await);
    }
    let wanted = target("acme.com");
    let all = entities
        .iter()
        .map(|entity| change(&table, &tenant, entity, &wanted));
    let results = futures::future::join_all(all).await;
    assert_eq!(results.iter().filter(|r| r.is_ok()).count(), 1);
    let refused = results
        .iter()
        .filter(|r| **r == Err(UpdateEntityError::AlreadyTracked));
    assert_eq!(refused.count(), 5, "{results:?}");
}
