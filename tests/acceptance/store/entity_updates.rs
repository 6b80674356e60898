//! Concurrent updates of an entity do not lose each other's changes.

use acceptance::Fault;
use domain::check::EndState;
use domain::entity::{Entity, EntityUpdate};
use domain::locale::{Geolocation, Language};
use domain::target::Target;
use domain::time::HOUR;
use store::{CheckOutcome, Tenant, Trigger, UpdateEntityError};

use super::table::{NOON, Table, catalogue, models, refused};
use super::targets::consistent;

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
    consistent(&table, &tenant).await;
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
async fn updates_claims_and_completions_do_not_lose_each_others_changes() {
    let table = Table::start().await;
    let tenant = table.tenant(1_000).await;
    let entity = table.entity(&tenant, "acme.com", 1, 1).await;
    for round in 1..=6u32 {
        let (hours, text) = (24 + round, format!("Round {round}"));
        let before = table.read_entity(&tenant, &entity.id).await;
        let (hourly, text) = (every(hours), described(&text));
        let claimed = futures::join!(
            change(&table, &tenant, &entity, &hourly),
            table.claim(&tenant, &entity.id, Trigger::Request),
            change(&table, &tenant, &entity, &text),
        );
        assert!(
            claimed.0.is_ok() && claimed.1.is_ok() && claimed.2.is_ok(),
            "{claimed:?}"
        );
        let seen = table.read_entity(&tenant, &entity.id).await;
        assert_eq!(seen.running.as_ref().map(|r| r.check.get()), Some(round));
        assert_eq!(
            (seen.frequency_hours, &seen.description),
            (hours, text.description.as_ref().unwrap())
        );
        assert_eq!(seen.revision, before.revision + 3);

        let check = table
            .store
            .check(&tenant, &entity.id, round.into())
            .await
            .unwrap()
            .unwrap();
        let finish = CheckOutcome {
            end: EndState::Complete,
            used: 1,
            problems: Vec::new(),
            events: Vec::new(),
            credits_per_day: None,
            alerted_on: None,
        };
        let moved = target(&format!("acme.com/{round}"));
        let (completed, changed) = futures::join!(
            table
                .store
                .finish_check(&tenant, &entity.id, &check, &finish, table.now()),
            change(&table, &tenant, &entity, &moved),
        );
        assert!(completed.unwrap() && changed.is_ok());
        let seen = table.read_entity(&tenant, &entity.id).await;
        assert_eq!(seen.running, None);
        assert_eq!(seen.last_check.map(|last| last.check.get()), Some(round));
        assert_eq!(seen.target, format!("acme.com/{round}"));
    }
    consistent(&table, &tenant).await;
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
    consistent(&table, &tenant).await;
}

#[tokio::test]
async fn the_same_change_sent_by_many_at_once_succeeds_for_all() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    let entity = table.entity(&tenant, "acme.com", 0, 1).await;
    let moved = target("acme.com/shop");
    let all = (0..8).map(|_| change(&table, &tenant, &entity, &moved));
    let results = futures::future::join_all(all).await;
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    assert_eq!(
        table.read_entity(&tenant, &entity.id).await.revision,
        entity.revision + 1
    );
    consistent(&table, &tenant).await;
}

#[tokio::test]
async fn a_change_with_a_lost_response_or_a_conflict_takes_effect_once() {
    for fault in [Fault::Lost, Fault::Conflict, Fault::Throttled, Fault::ServerError] {
        let table = Table::start().await;
        let tenant = table.tenant(0).await;
        let entity = table.entity(&tenant, "acme.com", 0, 1).await;
        let mut left = 2;
        table.faults.script(move |call| {
            let is_met = call.operation == "TransactWriteItems" && left > 0;
            left -= u32::from(is_met);
            is_met.then_some(fault)
        });
        let changed = change(&table, &tenant, &entity, &target("acme.com/shop")).await;
        assert_eq!(changed.unwrap().target, "acme.com/shop", "{fault:?}");
        assert_eq!(
            table.read_entity(&tenant, &entity.id).await.revision,
            entity.revision + 1
        );
        consistent(&table, &tenant).await;
    }
}
