//! Repeats recorded calls with the SDK alone. Their CPU time is subtracted from the CPU time of a request, which leaves the
//! function's own work.

use std::collections::HashMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::batch_get_item::builders::BatchGetItemFluentBuilder;
use aws_sdk_dynamodb::operation::get_item::builders::GetItemFluentBuilder;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, KeysAndAttributes};
use serde_json::Value;

use super::call_recorder::RecordedCall;

/// A call that the SDK can send repeatedly.
pub(crate) enum SdkCall {
    Get(GetItemFluentBuilder),
    Query(QueryFluentBuilder),
    Batch(BatchGetItemFluentBuilder),
    Update(UpdateItemFluentBuilder),
}

impl SdkCall {
    pub(crate) fn new(db: &Client, recorded: &RecordedCall) -> Self {
        let request = &recorded.call.request;
        let text = |name: &str| request[name].as_str().map(str::to_owned);
        let names = || {
            let names = request["ExpressionAttributeNames"].as_object()?;
            let name = |(short, long): (&String, &Value)| Some((short.clone(), long.as_str()?.to_owned()));
            names.iter().map(name).collect::<Option<HashMap<_, _>>>()
        };
        let values = || {
            request["ExpressionAttributeValues"]
                .as_object()
                .map(|_| item(&request["ExpressionAttributeValues"]))
        };
        let start = || {
            request["ExclusiveStartKey"]
                .as_object()
                .map(|_| item(&request["ExclusiveStartKey"]))
        };
        match recorded.call.operation.as_str() {
            "GetItem" => Self::Get(
                db.get_item()
                    .set_table_name(text("TableName"))
                    .set_key(Some(item(&request["Key"])))
                    .set_expression_attribute_names(names())
                    .set_projection_expression(text("ProjectionExpression"))
                    .set_consistent_read(request["ConsistentRead"].as_bool()),
            ),
            "Query" => Self::Query(
                db.query()
                    .set_table_name(text("TableName"))
                    .set_key_condition_expression(text("KeyConditionExpression"))
                    .set_filter_expression(text("FilterExpression"))
                    .set_limit(
                        request["Limit"]
                            .as_i64()
                            .and_then(|limit| i32::try_from(limit).ok()),
                    )
                    .set_expression_attribute_names(names())
                    .set_expression_attribute_values(values())
                    .set_projection_expression(text("ProjectionExpression"))
                    .set_exclusive_start_key(start())
                    .set_consistent_read(request["ConsistentRead"].as_bool()),
            ),
            "BatchGetItem" => Self::Batch(batch(db, &request["RequestItems"])),
            "UpdateItem" => Self::Update(
                db.update_item()
                    .set_table_name(text("TableName"))
                    .set_key(Some(item(&request["Key"])))
                    .set_update_expression(text("UpdateExpression"))
                    .set_condition_expression(text("ConditionExpression"))
                    .set_expression_attribute_names(names())
                    .set_expression_attribute_values(values())
                    .set_return_values(request["ReturnValues"].as_str().map(Into::into)),
            ),
            other => panic!("no analytics request calls {other}"),
        }
    }

    pub(crate) async fn send(&self) {
        match self {
            Self::Get(call) => drop(call.clone().send().await.expect("a recorded call")),
            // One page per call, because the store reads pages and each page was recorded as a call.
            Self::Query(call) => {
                let mut pages = call.clone().into_paginator().send();
                drop(pages.next().await.expect("a page").expect("a recorded call"));
            }
            Self::Batch(call) => drop(call.clone().send().await.expect("a recorded call")),
            Self::Update(call) => drop(call.clone().send().await.expect("a recorded call")),
        }
    }
}

fn batch(db: &Client, request_items: &Value) -> BatchGetItemFluentBuilder {
    let tables = request_items.as_object().into_iter().flatten();
    let table = |(name, request): (&String, &Value)| {
        let keys = request["Keys"]
            .as_array()
            .into_iter()
            .flatten()
            .map(item)
            .collect();
        let keys = KeysAndAttributes::builder()
            .set_keys(Some(keys))
            .set_consistent_read(request["ConsistentRead"].as_bool())
            .build()
            .expect("keys");
        (name.clone(), keys)
    };
    db.batch_get_item()
        .set_request_items(Some(tables.map(table).collect()))
}

fn item(value: &Value) -> HashMap<String, AttributeValue> {
    let fields = value.as_object().into_iter().flatten();
    fields
        .map(|(name, value)| (name.clone(), attribute(value)))
        .collect()
}

/// Converts an attribute value from JSON. Supports the types of keys and bound values.
fn attribute(value: &Value) -> AttributeValue {
    if let Some(text) = value["S"].as_str() {
        AttributeValue::S(text.to_owned())
    } else if let Some(number) = value["N"].as_str() {
        AttributeValue::N(number.to_owned())
    } else if let Some(flag) = value["BOOL"].as_bool() {
        AttributeValue::Bool(flag)
    } else {
        panic!("{value} has an unsupported type")
    }
}
