//! Reads, restores and normalizes the state of a workspace.

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::{Value, json};

use crate::contract::Fixture;

/// Items by partition key and sort key.
pub(super) type Items = BTreeMap<(String, String), HashMap<String, AttributeValue>>;

const TABLE: &str = "visibility";

/// Reads all items of a workspace and its entities.
pub(super) async fn items(db: &Client, fixture: &Fixture) -> Items {
    let workspace = format!("W#{}", fixture.account.tenant.workspace());
    let children = [&fixture.entity, &fixture.other].map(|entity| format!("{workspace}#E#{entity}"));
    let mut items = Items::new();
    for partition in children.into_iter().chain([workspace]) {
        let mut rows = db
            .query()
            .table_name(TABLE)
            .key_condition_expression("PK = :pk")
            .expression_attribute_values(":pk", AttributeValue::S(partition))
            .into_paginator()
            .items()
            .send();
        while let Some(item) = rows.next().await {
            let item = item.unwrap();
            let part = |name: &str| item[name].as_s().unwrap().clone();
            items.insert((part("PK"), part("SK")), item);
        }
    }
    items
}

/// Restores the items to a previous state.
pub(super) async fn restore(db: &Client, fixture: &Fixture, before: &Items) {
    let now = items(db, fixture).await;
    for (pk, sk) in now.keys().filter(|key| !before.contains_key(*key)) {
        let [pk, sk] = [pk, sk].map(|part| AttributeValue::S(part.clone()));
        let delete = db.delete_item().table_name(TABLE).key("PK", pk).key("SK", sk);
        delete.send().await.unwrap();
    }
    for (key, item) in before.iter().filter(|(key, item)| now.get(*key) != Some(*item)) {
        let put = db.put_item().table_name(TABLE).set_item(Some(item.clone()));
        put.send().await.unwrap_or_else(|e| panic!("{key:?}: {e}"));
    }
}

/// Replaces ids by the order in which they occur, and instants and secrets by a constant.
pub(super) fn normalized(value: &Value) -> Value {
    named(value, &mut BTreeMap::new())
}

fn named(value: &Value, ids: &mut BTreeMap<String, usize>) -> Value {
    match value {
        Value::Array(values) => values.iter().map(|v| named(v, ids)).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(k, v)| (k.clone(), named(v, ids)));
            Value::Object(fields.collect())
        }
        Value::String(text) => {
            let id = text.split('-').next().unwrap_or_default();
            if id.len() == 16 && id.bytes().all(|b| b.is_ascii_alphanumeric()) {
                let (next, rest) = (ids.len(), &text[16..]);
                json!(format!("id {}{rest}", ids.entry(id.to_owned()).or_insert(next)))
            } else if text.starts_with("whsec_") {
                json!("a secret")
            } else if text.contains("test_") {
                json!("the id of a test or its delivery")
            } else if text.len() == 24 && text.ends_with('Z') {
                json!("an instant")
            } else {
                value.clone()
            }
        }
        Value::Number(number) if number.as_u64().is_some_and(|n| n > 1_000_000_000_000) => {
            json!("an instant")
        }
        other => other.clone(),
    }
}
