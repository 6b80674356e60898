//! Reads and writes items. Expired items count as absent, and listings read every page.

use std::collections::HashMap;

use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::{
    AttributeValue, KeysAndAttributes, ReturnValue, ReturnValuesOnConditionCheckFailure,
};
use domain::time::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::expression::{names, number_value, string_value, values};
use crate::keys::Key;
use crate::retry::back_off;
use crate::table::TTL_ATTRIBUTE;
use crate::{Store, StoreError, keys};

/// The maximum number of keys of one batch read.
pub(crate) const MAX_BATCH_KEYS: usize = 100;
/// The retries of a batch before its unprocessed keys count as unavailable.
const MAX_BATCH_RETRIES: u32 = 7;
/// The retries of an update that conflicts with transactions.
const MAX_UPDATE_RETRIES: u32 = 9;

pub(crate) type Item = HashMap<String, AttributeValue>;

/// Returns an item with the key and the fields of the value.
pub(crate) fn to_item<T: Serialize>(key: &Key, value: &T) -> Result<Item, StoreError> {
    let mut item: Item = serde_dynamo::aws_sdk_dynamodb_1::to_item(value)
        .map_err(|_| StoreError::Internal("an item cannot be written".to_owned()))?;
    item.extend(key.attributes());
    Ok(item)
}

/// Returns an item with the key and the fields of the value that expires at `expires`.
pub(crate) fn to_expiring_item<T: Serialize>(
    key: &Key,
    value: &T,
    expires: Timestamp,
) -> Result<Item, StoreError> {
    let mut item = to_item(key, value)?;
    item.insert(TTL_ATTRIBUTE.to_owned(), number_value(expires.ttl_seconds()));
    Ok(item)
}

pub(crate) fn from_item<T: DeserializeOwned>(item: Item) -> Result<T, StoreError> {
    // The decoder's own error can quote the item.
    let unreadable = |_| {
        StoreError::internal(
            "decoding an item",
            format!("it is no {}", std::any::type_name::<T>()),
        )
    };
    serde_dynamo::aws_sdk_dynamodb_1::from_item(item).map_err(unreadable)
}

/// Whether a read sees every write that ended before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consistency {
    Eventual,
    Strong,
}

impl Consistency {
    fn is_strong(self) -> bool {
        self == Self::Strong
    }
}

/// The sort keys of a partition that a query reads.
pub(crate) enum SortKeys {
    Prefix(String),
    Between(String, String),
}

/// How a query reads a partition.
#[derive(Clone, Copy)]
pub(crate) struct ReadOptions<'a> {
    pub(crate) consistency: Consistency,
    /// The projection expression of the attributes to read. `None` stands for all attributes.
    pub(crate) projection: Option<&'a str>,
}

impl From<Consistency> for ReadOptions<'_> {
    fn from(consistency: Consistency) -> Self {
        Self {
            consistency,
            projection: None,
        }
    }
}

/// The result of a conditional update.
pub(crate) enum Updated {
    /// The item after the update.
    Item(Item),
    /// The item that failed the condition, or `None` if there is no item.
    ConditionFailed(Option<Item>),
}

impl Updated {
    /// Returns the item after the update, or `None` if the condition failed.
    pub(crate) fn item(self) -> Option<Item> {
        match self {
            Self::Item(item) => Some(item),
            Self::ConditionFailed(_) => None,
        }
    }
}

impl Store {
    /// Returns whether an item has not expired. DynamoDB deletes expired items later.
    pub(crate) fn is_live(&self, item: &Item) -> bool {
        match item
            .get(TTL_ATTRIBUTE)
            .and_then(|v| v.as_n().ok())
            .and_then(|n| n.parse::<i64>().ok())
        {
            Some(expires) => expires.saturating_mul(1_000) > self.clock.now().as_millis(),
            None => true,
        }
    }

    /// Returns when the items of a check expire.
    pub(crate) fn check_expiry(&self, from: Timestamp) -> Timestamp {
        from + self.response_retention
    }

    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        key: &Key,
        consistency: Consistency,
    ) -> Result<Option<T>, StoreError> {
        self.get_item(key, consistency).await?.map(from_item).transpose()
    }

    /// Returns the item under a key if it has not expired.
    pub(crate) async fn get_item(
        &self,
        key: &Key,
        consistency: Consistency,
    ) -> Result<Option<Item>, StoreError> {
        let read = self
            .db
            .get_item()
            .table_name(&self.table)
            .set_key(Some(key.attributes()))
            .consistent_read(consistency.is_strong())
            .send()
            .await?;
        Ok(read.item.filter(|item| self.is_live(item)))
    }

    /// Reads up to 100 items by key, strongly consistent. Items that are absent or have expired are left out,
    /// and the order is arbitrary.
    pub(crate) async fn batch_get<T: DeserializeOwned>(&self, keys: Vec<Key>) -> Result<Vec<T>, StoreError> {
        let items = self.batch_items(keys, Consistency::Strong).await?;
        items.into_iter().map(from_item).collect()
    }

    /// Reads up to [`MAX_BATCH_KEYS`] items by key. Items that are absent or have expired are left out, and
    /// the order is arbitrary.
    pub(crate) async fn batch_items(
        &self,
        keys: Vec<Key>,
        consistency: Consistency,
    ) -> Result<Vec<Item>, StoreError> {
        let mut unread: Vec<Item> = keys.iter().map(Key::attributes).collect();
        let mut found = Vec::new();
        let mut retry = 0;
        while !unread.is_empty() {
            let keys = KeysAndAttributes::builder()
                .set_keys(Some(unread))
                .consistent_read(consistency.is_strong())
                .build()
                .map_err(|e| StoreError::internal("building a batch of keys", e))?;
            let read = self
                .db
                .batch_get_item()
                .request_items(&self.table, keys)
                .send()
                .await?;
            let items = read.responses.and_then(|mut tables| tables.remove(&self.table));
            found.extend(items.into_iter().flatten().filter(|item| self.is_live(item)));
            let unprocessed = read
                .unprocessed_keys
                .and_then(|mut tables| tables.remove(&self.table));
            unread = unprocessed.map_or_else(Vec::new, |keys| keys.keys);
            if !unread.is_empty() {
                if retry == MAX_BATCH_RETRIES {
                    return Err(StoreError::Unavailable(
                        "a batch was not read completely".to_owned(),
                    ));
                }
                back_off(retry).await;
                retry += 1;
            }
        }
        Ok(found)
    }

    /// Reads all pages of a query and returns the items that have not expired, in the order of their sort
    /// keys.
    pub(crate) async fn query(
        &self,
        pk: &str,
        sort: SortKeys,
        options: ReadOptions<'_>,
    ) -> Result<Vec<Item>, StoreError> {
        let (condition, low, high) = match sort {
            SortKeys::Prefix(prefix) => ("#PK = :pk AND begins_with(#SK, :low)", prefix, None),
            SortKeys::Between(low, high) => ("#PK = :pk AND #SK BETWEEN :low AND :high", low, Some(high)),
        };
        let mut bound = HashMap::from([
            (":pk".to_owned(), string_value(pk)),
            (":low".to_owned(), string_value(low)),
        ]);
        bound.extend(high.map(|high| (":high".to_owned(), string_value(high))));
        // The expiry is always read, because expired items are filtered out.
        let projection = options.projection.map(|p| format!("{p}, #{TTL_ATTRIBUTE}"));
        let names = names(&[condition, projection.as_deref().unwrap_or("")]);
        let query = self
            .db
            .query()
            .table_name(&self.table)
            .key_condition_expression(condition)
            .set_expression_attribute_names(names)
            .set_expression_attribute_values(Some(bound))
            .consistent_read(options.consistency.is_strong())
            .set_projection_expression(projection);
        // Almost all queries have one page, for which the SDK's paginator would set up a stream, and its
        // task.
        let (mut items, mut next) = (Vec::new(), None);
        loop {
            // The future of a call is large, and it is part of the futures of all callers.
            let page = Box::pin(query.clone().set_exclusive_start_key(next).send()).await?;
            let found = page.items.into_iter().flatten();
            items.extend(found.filter(|item| self.is_live(item)));
            next = page.last_evaluated_key.filter(|key| !key.is_empty());
            if next.is_none() {
                return Ok(items);
            }
        }
    }

    /// Reads the items of a partition whose sort keys begin with `prefix`, strongly consistent.
    pub(crate) async fn list<T: DeserializeOwned>(
        &self,
        pk: &str,
        prefix: impl Into<String>,
    ) -> Result<Vec<T>, StoreError> {
        self.query_as(pk, SortKeys::Prefix(prefix.into()), Consistency::Strong.into())
            .await
    }

    pub(crate) async fn query_as<T: DeserializeOwned>(
        &self,
        pk: &str,
        sort: SortKeys,
        options: ReadOptions<'_>,
    ) -> Result<Vec<T>, StoreError> {
        self.query(pk, sort, options)
            .await?
            .into_iter()
            .map(from_item)
            .collect()
    }

    /// Updates one item conditionally. The update must be idempotent, because the SDK repeats it after a lost
    /// response. After a conflict with a transaction, nothing was written and the update is retried.
    pub(crate) async fn update_one<N: Into<String>>(
        &self,
        key: &Key,
        update: &str,
        condition: &str,
        bound: Vec<(N, AttributeValue)>,
    ) -> Result<Updated, StoreError> {
        let (names, bound) = (names(&[update, condition]), values(bound));
        let mut retry = 0;
        loop {
            let sent = self
                .db
                .update_item()
                .table_name(&self.table)
                .set_key(Some(key.attributes()))
                .update_expression(update)
                .condition_expression(condition)
                .set_expression_attribute_names(names.clone())
                .set_expression_attribute_values(bound.clone())
                .return_values(ReturnValue::AllNew)
                .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
                .send()
                .await;
            let error = match sent {
                // `AllNew` returns all attributes.
                Ok(done) => return Ok(Updated::Item(done.attributes.into_iter().flatten().collect())),
                Err(error) => error,
            };
            match error.as_service_error() {
                Some(UpdateItemError::ConditionalCheckFailedException(failed)) => {
                    return Ok(Updated::ConditionFailed(failed.item().cloned()));
                }
                Some(UpdateItemError::TransactionConflictException(_)) if retry < MAX_UPDATE_RETRIES => {
                    back_off(retry).await;
                    retry += 1;
                }
                _ => return Err(error.into()),
            }
        }
    }

    /// Opens the connection and fetches the credentials, by reading an item that does not exist.
    pub async fn warm_up(&self) -> Result<(), StoreError> {
        self.get_item(&keys::api_key("-"), Consistency::Eventual)
            .await
            .map(|_| ())
    }
}
