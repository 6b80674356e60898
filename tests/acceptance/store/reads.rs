//! The number of round trips that a request takes.

use std::collections::BTreeMap;

use acceptance::{AwsCall, serial_depth};
use domain::answer::ResponseState;
use domain::check_key::CheckKey;
use domain::family::Family;
use domain::ordinal::PromptOrdinal;
use domain::period::DateRange;
use domain::prompt::{PromptChange, PromptUpdate};
use facts::families::{Visibility, VisibilityCell};
use serde_json::Value;
use store::{FactsKind, ReplyRecorder, Tenant};

use super::groups::new_group;
use super::instance::Instance;
use super::table::{Table, no_limits, prompt_ids};

/// Returns the body of a successful response.
pub(super) async fn get(table: &Table, key: &str, path: &str, query: &str) -> Value {
    let response = request(table, key, path, query).await;
    assert_eq!(response["statusCode"], 200, "{response}");
    serde_json::from_str(response["body"].as_str().unwrap()).unwrap()
}

/// Returns the response of an instance that has just started.
async fn request(table: &Table, key: &str, path: &str, query: &str) -> Value {
    Instance::start(table).request(key, path, query).await
}

/// Adds the facts of one day: `prompts` prompts that one model answered, each with a mention of the brand.
pub(super) async fn add_facts(table: &Table, tenant: &Tenant, entity: &domain::id::EntityId, check: u32) {
    let cell = |prompt| VisibilityCell {
        prompt,
        model: 0.into(),
        state: ResponseState::Answered,
        brands: vec![1.into()],
        model_version: None,
    };
    let sealed = Visibility::new((1..=50).map(PromptOrdinal::new).map(cell).collect()).encode();
    let key = CheckKey {
        day: table.now().day(),
        check: check.into(),
    };
    let family = Family::Visibility;
    let segment = table
        .store
        .put_segment(tenant, entity, family, key, &[sealed], FactsKind::Final)
        .await
        .unwrap();
    let segments = BTreeMap::from([(family, segment)]);
    table.index(tenant, entity, key, segments).await;
}

fn by_operation(calls: &[AwsCall]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for call in calls {
        *counts.entry(call.operation.as_str()).or_default() += 1;
    }
    counts
}

#[tokio::test]
async fn a_visibility_trend_takes_three_round_trips_authentication_included() {
    let table = Table::start().await;
    let (tenant, key) = table.workspace(no_limits(), 0).await;
    let entity = table.entity(&tenant, "acme.com", 1, 1).await.id;
    for check in 1..=30 {
        add_facts(&table, &tenant, &entity, check).await;
        table.advance(domain::time::DAY);
    }
    table.set_back(domain::time::DAY);
    let query = format!("entityId={entity}");
    let path = "/v1/trends/visibility";
    get(&table, key.reveal(), path, &query).await;

    table.faults.take();
    let trend = get(&table, key.reveal(), path, &query).await;
    assert_eq!(trend["data"].as_array().unwrap().len(), 30);
    let calls = table.faults.take();
    let expected = BTreeMap::from([("UpdateItem", 1), ("GetItem", 3), ("Query", 3)]);
    assert_eq!(
        by_operation(&calls),
        expected,
        "the key; the entity, two months, groups and brands; the segments"
    );
    assert!(serial_depth(&calls) <= 3, "{calls:?}");
    let item = |call: &AwsCall| call.operation == "GetItem";
    assert_eq!(
        serial_depth(&calls.iter().filter(|c| item(c)).cloned().collect::<Vec<_>>()),
        1
    );
}

#[tokio::test]
async fn the_trend_of_a_union_takes_four_round_trips() {
    let table = Table::start().await;
    let (tenant, key) = table.workspace(no_limits(), 0).await;
    let mut entities = Vec::new();
    for domain in ["acme.com", "blog.acme.com", "other.com"] {
        let entity = table.entity(&tenant, domain, 1, 1).await;
        add_facts(&table, &tenant, &entity.id, 1).await;
        entities.push(entity);
    }
    let group = new_group(&[entities[0].brand, entities[2].brand], None);
    table
        .store
        .create_group(&tenant, &group, &ReplyRecorder::disabled())
        .await
        .unwrap();
    let query = format!("entityId={}", entities[0].id);
    let path = "/v1/trends/visibility";
    get(&table, key.reveal(), path, &query).await;
    table.faults.take();
    let trend = get(&table, key.reveal(), path, &query).await;
    assert_eq!(trend["data"][0]["responses"], 150);
    let calls = table.faults.take();
    let expected = BTreeMap::from([("UpdateItem", 1), ("GetItem", 9), ("Query", 5)]);
    assert_eq!(by_operation(&calls), expected);
    assert!(serial_depth(&calls) <= 4, "{calls:?}");
}

#[tokio::test]
async fn an_invalid_entity_id_costs_authentication_alone() {
    let table = Table::start().await;
    let (_, key) = table.workspace(no_limits(), 0).await;
    let query = format!("entityId=nonsense&citedEntityUuid={}", uuid::Uuid::nil());
    let path = "/v1/entities/citations/details";
    // The first request opens the minute of the rate limit, which takes an update of its own.
    request(&table, key.reveal(), path, &query).await;
    table.faults.take();
    let response = request(&table, key.reveal(), path, &query).await;
    assert_eq!(response["statusCode"], 404, "{response}");
    let expected = BTreeMap::from([("UpdateItem", 1)]);
    assert_eq!(by_operation(&table.faults.take()), expected);
}

#[tokio::test]
async fn the_indexes_and_first_prompts_of_many_entities_are_those_that_single_reads_give() {
    let table = Table::start().await;
    let (tenant, key) = table.workspace(no_limits(), 0).await;
    let mut entities = Vec::new();
    for number in 0..120 {
        let entity = table.entity(&tenant, &format!("site{number}.com"), 2, 1).await;
        entities.push(entity.id);
    }
    // The facts of some entities are in two months.
    for check in 1..=2 {
        for entity in entities.iter().step_by(7) {
            add_facts(&table, &tenant, entity, check).await;
        }
        table.advance(30 * domain::time::DAY);
    }
    let today = table.now().day();
    let days =
        |first: i32, last: i32| DateRange::between(today.plus_days(first), today.plus_days(last)).unwrap();
    // Two ranges share a month.
    let ranges = vec![days(-70, -31), days(-30, 0)];
    let wanted: Vec<_> = entities.iter().map(|entity| (entity, ranges.clone())).collect();
    let found = table.store.fact_indexes(&tenant, &wanted).await.unwrap();
    let mut checks = 0;
    for (entity, found) in entities.iter().zip(&found) {
        let single = table
            .store
            .fact_index(&tenant, entity, &[days(-70, 0)], store::Consistency::Strong)
            .await;
        let expected = single.unwrap().checks().unwrap();
        assert_eq!(found.checks().unwrap(), expected);
        checks += expected.len();
    }
    assert_eq!((found.len(), checks), (120, 36));

    let paused: Vec<_> = entities
        .iter()
        .step_by(10)
        .flat_map(|id| prompt_ids(id, 1))
        .collect();
    let pause = |id: domain::id::PromptId| PromptUpdate {
        id,
        change: PromptChange {
            is_active: Some(false),
            ..PromptChange::default()
        },
    };
    let updates: Vec<PromptUpdate> = paused.iter().copied().map(pause).collect();
    table.store.update_prompts(&tenant, &updates).await.unwrap();
    let all: Vec<_> = entities.iter().collect();
    let active = table.store.with_active_first_prompt(&tenant, &all).await.unwrap();
    for entity in &entities {
        let is_paused = paused.iter().any(|id| id.entity == *entity);
        assert_eq!(active.contains(entity), !is_paused);
    }

    let path = "/v1/entities/overview";
    let overview = get(&table, key.reveal(), path, "limit=100&offset=20").await;
    let rows = overview["data"].as_array().unwrap();
    assert_eq!(rows.len(), 100);
    for row in rows {
        let query = format!("entityId={}", row["entityId"].as_str().unwrap());
        let single = get(&table, key.reveal(), "/v1/trends/visibility", &query).await;
        assert_eq!(row["trend"], single["data"]);
        assert_eq!(row["status"]["scheduled"], true, "a second prompt is active");
    }
}
