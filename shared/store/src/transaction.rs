//! Transactions: all or nothing, exactly once.

use std::time::Duration;

use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{ConditionCheck, Delete, Put, TransactWriteItem, Update};
use domain::workspace::Status;
use uuid::Uuid;

use crate::error::{described, is_transient};
use crate::expression::{Values, names, s, values};
use crate::items::Item;
use crate::keys::Key;
use crate::{Store, StoreError, Tenant, keys};

/// What one transaction holds.
pub(crate) const ACTIONS: usize = 100;
/// Tries at one transaction before the table counts as unavailable.
const TRIES: u32 = 12;
/// Looks at what is to be changed before it counts as too busy. A look is in vain only because another change
/// succeeded.
const CONFLICT_RETRIES: u32 = 40;

/// Actions on different items that happen together or not at all.
#[derive(Default)]
pub(crate) struct Transaction {
    actions: Vec<Action>,
    /// The place of the record of a repeatable request.
    record: Option<usize>,
}

enum Action {
    Put {
        item: Item,
        condition: String,
        values: Values,
    },
    Update {
        key: Key,
        update: String,
        condition: String,
        values: Values,
    },
    Delete {
        key: Key,
        condition: String,
        values: Values,
    },
    /// Of an item that stays as it is.
    Check {
        key: Key,
        condition: String,
        values: Values,
    },
}

impl Transaction {
    /// Adds a put and gives its place, by which a failed condition is asked for.
    pub(crate) fn put(&mut self, item: Item, condition: &str, values: Values) -> usize {
        self.add(Action::Put {
            item,
            condition: condition.to_owned(),
            values,
        })
    }

    /// Adds a put of an item that must be new.
    pub(crate) fn create(&mut self, item: Item) -> usize {
        self.put(item, "attribute_not_exists(PK)", Vec::new())
    }

    /// Adds the record of a repeatable request: its condition fails when the request was recorded before.
    pub(crate) fn record(&mut self, item: Item, condition: &str, values: Values) {
        self.record = Some(self.put(item, condition, values));
    }

    pub(crate) fn update(
        &mut self,
        key: Key,
        update: impl Into<String>,
        condition: impl Into<String>,
        values: Values,
    ) -> usize {
        self.add(Action::Update {
            key,
            update: update.into(),
            condition: condition.into(),
            values,
        })
    }

    /// Adds the deletion of an item that must be there.
    pub(crate) fn delete(&mut self, key: Key) -> usize {
        self.delete_if(key, "attribute_exists(PK)", Vec::new())
    }

    /// Adds the deletion of an item that must be as the condition says.
    pub(crate) fn delete_if(&mut self, key: Key, condition: &str, values: Values) -> usize {
        self.add(Action::Delete {
            key,
            condition: condition.to_owned(),
            values,
        })
    }

    /// Adds a condition on an item that the transaction does not write.
    pub(crate) fn check(&mut self, key: Key, condition: &str, values: Values) -> usize {
        self.add(Action::Check {
            key,
            condition: condition.to_owned(),
            values,
        })
    }

    /// Adds the condition of clients' writes: the subscription is not canceled.
    pub(crate) fn unless_canceled(&mut self, tenant: &Tenant) {
        let canceled = (":canceled", s(Status::Canceled.name()));
        self.check(keys::workspace(tenant), "#status <> :canceled", vec![canceled]);
    }

    fn add(&mut self, action: Action) -> usize {
        self.actions.push(action);
        self.actions.len() - 1
    }
}

/// How a transaction ended.
pub(crate) enum Outcome {
    Done,
    /// Conditions failed: nothing happened.
    Refused(Refusals),
}

/// Which actions' conditions failed, by place.
pub(crate) struct Refusals(Vec<bool>);

impl Refusals {
    /// The condition of the action at `place` failed.
    pub(crate) fn failed(&self, place: usize) -> bool {
        self.0.get(place).copied().unwrap_or(false)
    }
}

impl Store {
    /// Looks, decides and writes until something came of it. A try that gives `None` read what was changed
    /// before it wrote.
    pub(crate) async fn retry_on_conflict<T, F>(
        &self,
        what: &str,
        mut attempt: impl FnMut() -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<Option<T>, StoreError>>,
    {
        for look in 0..CONFLICT_RETRIES {
            if let Some(settled) = attempt().await? {
                return Ok(settled);
            }
            // Many who look again at once would only be in each other's way.
            pause(look.min(4)).await;
        }
        Err(StoreError::Unavailable(format!("{what} keeps changing")))
    }

    /// Runs a transaction. Conflicts and ambiguous failures are tried again with the same token, so that an
    /// attempt whose answer was lost takes effect once.
    pub(crate) async fn transact(&self, transaction: Transaction) -> Result<Outcome, StoreError> {
        let token = Uuid::new_v4().to_string();
        let record = transaction.record;
        let items = transaction
            .actions
            .into_iter()
            .map(|action| self.build(action))
            .collect::<Result<Vec<_>, _>>()?;
        let mut attempt = 0;
        loop {
            let sent = self
                .db
                .transact_write_items()
                .set_transact_items(Some(items.clone()))
                .client_request_token(&token)
                .send()
                .await;
            let Err(error) = sent else {
                return Ok(Outcome::Done);
            };
            match refusals(&error) {
                Cancelled::Refused(refusals) if record.is_some_and(|place| refusals.failed(place)) => {
                    return Err(StoreError::Repeated);
                }
                Cancelled::Refused(refusals) => return Ok(Outcome::Refused(refusals)),
                Cancelled::Conflict => {}
                Cancelled::No if is_transient(&error) => {}
                Cancelled::No => return Err(error.into()),
            }
            attempt += 1;
            if attempt == TRIES {
                let last = described(&error);
                return Err(StoreError::Unavailable(format!(
                    "{TRIES} tries failed, the last: {last}"
                )));
            }
            pause(attempt).await;
        }
    }

    fn build(&self, action: Action) -> Result<TransactWriteItem, StoreError> {
        let builder = TransactWriteItem::builder();
        let item = match action {
            Action::Put {
                item,
                condition,
                values: v,
            } => builder.put(
                Put::builder()
                    .table_name(&self.table)
                    .set_item(Some(item))
                    .set_expression_attribute_names(names(&[&condition]))
                    .condition_expression(condition)
                    .set_expression_attribute_values(values(v))
                    .build()
                    .map_err(|e| StoreError::unreadable("a put", e))?,
            ),
            Action::Update {
                key,
                update,
                condition,
                values: v,
            } => builder.update(
                Update::builder()
                    .table_name(&self.table)
                    .set_key(Some(key.attributes()))
                    .set_expression_attribute_names(names(&[&update, &condition]))
                    .update_expression(update)
                    .condition_expression(condition)
                    .set_expression_attribute_values(values(v))
                    .build()
                    .map_err(|e| StoreError::unreadable("an update", e))?,
            ),
            Action::Delete {
                key,
                condition,
                values: v,
            } => builder.delete(
                Delete::builder()
                    .table_name(&self.table)
                    .set_key(Some(key.attributes()))
                    .set_expression_attribute_names(names(&[&condition]))
                    .condition_expression(condition)
                    .set_expression_attribute_values(values(v))
                    .build()
                    .map_err(|e| StoreError::unreadable("a delete", e))?,
            ),
            Action::Check {
                key,
                condition,
                values: v,
            } => builder.condition_check(
                ConditionCheck::builder()
                    .table_name(&self.table)
                    .set_key(Some(key.attributes()))
                    .set_expression_attribute_names(names(&[&condition]))
                    .condition_expression(condition)
                    .set_expression_attribute_values(values(v))
                    .build()
                    .map_err(|e| StoreError::unreadable("a check", e))?,
            ),
        };
        Ok(item.build())
    }
}

enum Cancelled {
    Refused(Refusals),
    Conflict,
    No,
}

/// A conflict with another transaction passes; a failed condition is the business's answer, and counts even
/// where another action of the same transaction met a conflict.
fn refusals(error: &SdkError<TransactWriteItemsError>) -> Cancelled {
    let Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) = error.as_service_error()
    else {
        return Cancelled::No;
    };
    let reasons = cancelled.cancellation_reasons();
    let code = |wanted: &str| reasons.iter().any(|r| r.code() == Some(wanted));
    if code("ConditionalCheckFailed") {
        let failed = reasons.iter().map(|r| r.code() == Some("ConditionalCheckFailed"));
        return Cancelled::Refused(Refusals(failed.collect()));
    }
    let passing = [
        "TransactionConflict",
        "ThrottlingError",
        "ProvisionedThroughputExceeded",
    ];
    if passing.into_iter().any(code) {
        Cancelled::Conflict
    } else {
        Cancelled::No
    }
}

/// Waits before try `attempt + 1`: up to 20 ms, doubling to 640 ms, at random.
pub(crate) async fn pause(attempt: u32) {
    let most = 20u64 << attempt.min(5);
    let wait = rand::random_range(most / 4..=most);
    tokio::time::sleep(Duration::from_millis(wait)).await;
}
