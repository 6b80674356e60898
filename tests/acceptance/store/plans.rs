//! A plan fits into its item however many names a workspace has, or its check is refused with the reason.

use std::collections::BTreeMap;

use acceptance::{Item, put_items};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::brand::uuid_of_domain;
use domain::check::CheckState;
use domain::id::EntityId;
use domain::time::HOUR;
use serde_json::json;
use store::{ClaimError, FirstCheck, ReplyRecorder, Tenant, Trigger};
use uuid::Uuid;

use super::table::{NOON, Table, catalogue, models, new_entity};
use crate::checker::fixture::{CheckerFixture, default_answer};

/// More brands than a plan can list in the attributes of an item.
const MANY_BRANDS: u32 = 20_000;

/// The group of the added brands.
const GROUP: &str = "gggggggggggggggg";

/// Adds brands to the workspace of an entity, or replaces them. Checks look for the members of a group.
async fn put_brands(
    table: &Table,
    tenant: &Tenant,
    group: Option<&str>,
    domains: impl Iterator<Item = String>,
) {
    let of_brand = |pk: &str, sk: &str| pk.ends_with(tenant.workspace().as_str()) && sk.starts_with("BRAND#");
    let items = table.items().await;
    let mut brands = items.iter().filter(|((pk, sk), _)| of_brand(pk, sk));
    let mut template: Item = brands.next().unwrap().1.clone();
    template.remove("group");
    let members = domains.zip(1_000..).map(|(domain, ordinal)| {
        let uuid = uuid_of_domain(&domain);
        let text = |text: String| AttributeValue::S(text);
        let mut member = template.clone();
        member.extend([
            ("SK".to_owned(), text(format!("BRAND#{uuid}"))),
            ("uuid".to_owned(), text(uuid.to_string())),
            ("ordinal".to_owned(), AttributeValue::N(ordinal.to_string())),
            ("domain".to_owned(), text(domain)),
            ("trackings".to_owned(), AttributeValue::L(Vec::new())),
        ]);
        member.extend(group.map(|group| ("group".to_owned(), text(group.to_owned()))));
        member
    });
    put_items(&table.database, members).await;
}

/// Returns domains with names that no compression makes shorter.
fn random_domains(count: u32) -> impl Iterator<Item = String> {
    let digits = |n: u32| Uuid::new_v5(&Uuid::nil(), &n.to_be_bytes()).simple().to_string();
    (0..count).map(move |n| format!("{}.com", digits(n)))
}

async fn plan_item(table: &Table) -> Item {
    let items = table.items().await;
    let mut plans = items.into_iter().filter(|((_, sk), _)| sk.ends_with("#PLAN"));
    let (_, plan) = plans.next().unwrap();
    assert_eq!(plans.next(), None, "one plan");
    plan
}

#[tokio::test]
async fn a_check_for_thousands_of_brands_is_claimed_asked_and_finished() {
    let fixture = CheckerFixture::start(2, default_answer).await;
    let domains = (0..MANY_BRANDS).map(|n| format!("competitor-{n}.com"));
    put_brands(&fixture.table, &fixture.tenant, Some(GROUP), domains).await;
    fixture.tick().await;
    let plan = fixture.plan().await;
    assert_eq!(plan.brands.len(), 1 + MANY_BRANDS as usize);
    let current = fixture.table.store.current_brands(&fixture.tenant).await;
    assert_eq!(plan.brands, current.unwrap());
    let stored = plan_item(&fixture.table).await;
    assert!(!stored.contains_key("brands"), "it is compressed");
    fixture.deliver_published().await;
    fixture.audit().await;
    assert_eq!(fixture.check_state().await, CheckState::Complete);
}

#[tokio::test]
async fn a_small_plan_has_its_fields_as_attributes() {
    let table = Table::start().await;
    let tenant = table.tenant(1_000).await;
    let entity = table.entity(&tenant, "acme.com", 3, 2).await.id;
    let (check, plan) = table.claimed(&tenant, &entity).await;
    let stored = plan_item(&table).await;
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let number = |number: u32| AttributeValue::N(number.to_string());
    let brand = BTreeMap::from([
        ("ordinal".to_owned(), number(1)),
        ("name".to_owned(), text("acme")),
        ("aliases".to_owned(), AttributeValue::L(Vec::new())),
        ("domain".to_owned(), text("acme.com")),
    ]);
    let brand = AttributeValue::M(brand.into_iter().collect());
    assert_eq!(stored["brands"], AttributeValue::L(vec![brand]));
    let prompts = (1..=3).map(number).collect();
    assert_eq!(stored["prompts"], AttributeValue::L(prompts));
    let read = table.store.plan(&tenant, &entity, check).await.unwrap();
    assert_eq!(read, Some(plan));
}

#[tokio::test]
async fn a_check_whose_plan_does_not_fit_is_refused_with_the_reason_and_its_slot_is_skipped() {
    let table = Table::start().await;
    let tenant = table.tenant(1_000).await;
    let entity: EntityId = table.entity(&tenant, "acme.com", 3, 1).await.id;
    put_brands(&table, &tenant, Some(GROUP), random_domains(MANY_BRANDS)).await;
    let refused = ClaimError::PlanTooLarge {
        prompts: 3,
        brands: 1 + MANY_BRANDS as usize,
    };
    for trigger in [Trigger::Request, Trigger::Schedule] {
        let claimed = table.claim(&tenant, &entity, trigger).await;
        assert_eq!(claimed, Err(refused.clone()));
    }
    let seen = table.read_entity(&tenant, &entity).await;
    assert_eq!(seen.next_check_at, Some(NOON + 24 * HOUR), "the slot is skipped");
    assert!(seen.running.is_none());
    let reasons: Vec<&str> = seen.problems.iter().map(|p| p.reason.as_str()).collect();
    assert_eq!(
        reasons,
        ["A check of 3 prompts that looks for 20001 brands is too large"]
    );
    assert_eq!(table.credits(&tenant).await, (1_000, 0, 0));

    // With fewer names there is a check again.
    put_brands(&table, &tenant, None, random_domains(MANY_BRANDS / 4 * 3)).await;
    table.advance(24 * HOUR);
    assert!(table.claim(&tenant, &entity, Trigger::Schedule).await.is_ok());
    let seen = table.read_entity(&tenant, &entity).await;
    assert!(seen.problems.is_empty(), "it is over");
    assert_eq!(table.credits(&tenant).await, (997, 3, 0));
}

#[tokio::test]
async fn an_entity_with_too_large_a_plan_is_created_without_its_first_check() {
    let table = Table::start().await;
    let tenant = table.tenant(1_000).await;
    table.entity(&tenant, "acme.com", 1, 1).await;
    put_brands(&table, &tenant, Some(GROUP), random_domains(MANY_BRANDS)).await;
    let new = new_entity(&tenant, "umbra.io", 90, &models(2));
    let none = ReplyRecorder::disabled();
    let created = table
        .store
        .create_entity(&tenant, &new, Some(&catalogue()), &none)
        .await;
    let created = created.unwrap();
    assert!(matches!(
        created.first_check,
        Some(FirstCheck::NotClaimed(ClaimError::PlanTooLarge { .. }))
    ));
    let seen = table.read_entity(&tenant, &created.entity.id).await;
    assert_eq!(seen.problems.len(), 1, "{}", json!(seen.problems));
}
