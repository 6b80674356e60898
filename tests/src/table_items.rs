//! Reads a whole table.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};
use local::Database;

pub type Item = BTreeMap<String, AttributeValue>;

/// Returns every item of the table by its key, including expired ones.
pub async fn items(database: &Database) -> BTreeMap<(String, String), Item> {
    let db = aws_sdk_dynamodb::Client::new(&database.client_config());
    let mut scan = db.scan().table_name("visibility").into_paginator().items().send();
    let mut items = BTreeMap::new();
    while let Some(item) = scan.next().await {
        let item: Item = item.expect("the table can be read").into_iter().collect();
        let part = |name: &str| item[name].as_s().expect("a key is a text").clone();
        items.insert((part("PK"), part("SK")), item);
    }
    items
}

/// Writes items to the table, in batches of 25.
pub async fn put_items(database: &Database, items: impl IntoIterator<Item = Item>) {
    let db = aws_sdk_dynamodb::Client::new(&database.client_config());
    let put = |item: Item| {
        let put = PutRequest::builder().set_item(Some(item.into_iter().collect()));
        let put = put.build().expect("it has an item");
        WriteRequest::builder().put_request(put).build()
    };
    let requests: Vec<WriteRequest> = items.into_iter().map(put).collect();
    for batch in requests.chunks(25) {
        let write = db.batch_write_item().request_items("visibility", batch.to_vec());
        let written = write.send().await.expect("the items are written");
        assert!(written.unprocessed_items.is_none_or(|left| left.is_empty()));
    }
}

/// Deletes an item of the table.
pub async fn delete_item(database: &Database, (partition, sort): &(String, String)) {
    let db = aws_sdk_dynamodb::Client::new(&database.client_config());
    let delete = db
        .delete_item()
        .table_name("visibility")
        .key("PK", AttributeValue::S(partition.clone()))
        .key("SK", AttributeValue::S(sort.clone()));
    delete.send().await.expect("the item is deleted");
}
