//! Transactions. Each takes effect at most once, because a retry reuses its client request token.

use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{ConditionCheck, Delete, Put, TransactWriteItem, Update};
use domain::workspace::SubscriptionStatus;
use uuid::Uuid;

use crate::error::{describe, is_transient};
use crate::expression::{OwnedValues, Values, names, owned, string_value, values};
use crate::items::Item;
use crate::keys::Key;
use crate::retry::{Attempt, back_off};
use crate::{Store, StoreError, Tenant, WriteError, keys};

/// The maximum number of actions in one transaction of DynamoDB.
pub(crate) const MAX_ACTIONS: usize = 100;
/// The retries of one transaction before the table counts as unavailable.
const MAX_RETRIES: u32 = 11;

/// Actions on different items that take effect together or not at all.
#[derive(Default)]
pub(crate) struct Transaction {
    actions: Vec<Action>,
    /// The index of the action that puts the reply to a request with an `Idempotency-Key`.
    reply: Option<usize>,
}

enum Action {
    Put {
        item: Item,
        condition: String,
        values: OwnedValues,
    },
    Update {
        key: Key,
        update: String,
        condition: String,
        values: OwnedValues,
    },
    Delete {
        key: Key,
        condition: String,
        values: OwnedValues,
    },
    /// A condition on an item that is not written.
    ConditionCheck {
        key: Key,
        condition: String,
        values: OwnedValues,
    },
}

impl Transaction {
    /// Adds a put. Returns the index of the action, which [`FailedConditions`] refers to.
    pub(crate) fn put(&mut self, item: Item, condition: &str, values: Values) -> usize {
        self.add(Action::Put {
            item,
            condition: condition.to_owned(),
            values: owned(values),
        })
    }

    /// Adds a put of an item that must not exist yet.
    pub(crate) fn create(&mut self, item: Item) -> usize {
        self.put(item, "attribute_not_exists(PK)", Vec::new())
    }

    /// Adds the reply to a request with an `Idempotency-Key`, with a condition that fails if a reply is
    /// recorded already.
    pub(crate) fn put_reply(&mut self, item: Item, condition: &str, values: Values) {
        self.reply = Some(self.put(item, condition, values));
    }

    pub(crate) fn update(
        &mut self,
        key: Key,
        update: impl Into<String>,
        condition: impl Into<String>,
        values: Values,
    ) -> usize {
        self.update_bound(key, update, condition, owned(values))
    }

    /// Adds an update whose values have computed names.
    pub(crate) fn update_bound(
        &mut self,
        key: Key,
        update: impl Into<String>,
        condition: impl Into<String>,
        values: OwnedValues,
    ) -> usize {
        self.add(Action::Update {
            key,
            update: update.into(),
            condition: condition.into(),
            values,
        })
    }

    /// Adds the deletion of an item that must exist.
    pub(crate) fn delete(&mut self, key: Key) -> usize {
        self.delete_if(key, "attribute_exists(PK)", Vec::new())
    }

    /// Adds the deletion of an item that must meet a condition.
    pub(crate) fn delete_if(&mut self, key: Key, condition: &str, values: Values) -> usize {
        self.add(Action::Delete {
            key,
            condition: condition.to_owned(),
            values: owned(values),
        })
    }

    /// Adds a condition on an item that the transaction does not write.
    pub(crate) fn condition_check(&mut self, key: Key, condition: &str, values: Values) -> usize {
        self.add(Action::ConditionCheck {
            key,
            condition: condition.to_owned(),
            values: owned(values),
        })
    }

    /// Adds the condition of clients' writes that the subscription is not canceled.
    pub(crate) fn require_not_canceled(&mut self, tenant: &Tenant) {
        let canceled = (":canceled", string_value(SubscriptionStatus::Canceled.into_str()));
        self.condition_check(keys::workspace(tenant), "#status <> :canceled", vec![canceled]);
    }

    fn add(&mut self, action: Action) -> usize {
        self.actions.push(action);
        self.actions.len() - 1
    }
}

/// The result of a transaction that the table has decided on.
pub(crate) enum Outcome {
    Committed,
    /// Conditions failed, so nothing was written.
    Rejected(FailedConditions),
}

impl Outcome {
    pub(crate) fn is_committed(&self) -> bool {
        matches!(self, Self::Committed)
    }

    /// Ends the attempt with `value` if the transaction was committed. Otherwise something that was read has
    /// changed, and the attempt is repeated.
    pub(crate) fn done_or_retry<T>(self, value: T) -> Attempt<T> {
        match self {
            Self::Committed => Attempt::Done(value),
            Self::Rejected(_) => Attempt::Retry,
        }
    }
}

/// The actions of a transaction whose conditions failed.
pub(crate) struct FailedConditions(Vec<bool>);

impl FailedConditions {
    /// Returns whether the condition of the action at `index` failed.
    pub(crate) fn contains(&self, index: usize) -> bool {
        self.0.get(index).copied().unwrap_or(false)
    }
}

impl Store {
    /// Runs a transaction that may put the reply to a request with an `Idempotency-Key`.
    ///
    /// # Errors
    ///
    /// Returns [`WriteError::AlreadyRecorded`] if another request with the same key was recorded first.
    pub(crate) async fn transact_with_reply<R>(
        &self,
        transaction: Transaction,
    ) -> Result<Outcome, WriteError<R>> {
        let reply = transaction.reply;
        match self.transact(transaction).await? {
            Outcome::Rejected(failed) if reply.is_some_and(|index| failed.contains(index)) => {
                Err(WriteError::AlreadyRecorded)
            }
            outcome => Ok(outcome),
        }
    }

    /// Runs a transaction. A retry after a conflict or a lost response reuses the client request token, so
    /// the transaction takes effect at most once.
    pub(crate) async fn transact(&self, transaction: Transaction) -> Result<Outcome, StoreError> {
        let token = Uuid::new_v4().to_string();
        let items = transaction
            .actions
            .into_iter()
            .map(|action| self.build(action))
            .collect::<Result<Vec<_>, _>>()?;
        let mut retry = 0;
        loop {
            let sent = self
                .db
                .transact_write_items()
                .set_transact_items(Some(items.clone()))
                .client_request_token(&token)
                .send()
                .await;
            let Err(error) = sent else {
                return Ok(Outcome::Committed);
            };
            match cancellation(&error) {
                Cancellation::Rejected(failed) => return Ok(Outcome::Rejected(failed)),
                Cancellation::Transient => {}
                Cancellation::None if is_transient(&error) => {}
                Cancellation::None => return Err(error.into()),
            }
            if retry == MAX_RETRIES {
                let last = describe(&error);
                return Err(StoreError::Unavailable(format!(
                    "{} attempts failed, the last one with: {last}",
                    MAX_RETRIES + 1
                )));
            }
            back_off(retry).await;
            retry += 1;
        }
    }

    fn build(&self, action: Action) -> Result<TransactWriteItem, StoreError> {
        let builder = TransactWriteItem::builder();
        let item = match action {
            Action::Put {
                item,
                condition,
                values,
            } => builder.put(self.build_put(item, condition, values)?),
            Action::Update {
                key,
                update,
                condition,
                values,
            } => builder.update(self.build_update(&key, update, condition, values)?),
            Action::Delete {
                key,
                condition,
                values,
            } => builder.delete(self.build_delete(&key, condition, values)?),
            Action::ConditionCheck {
                key,
                condition,
                values,
            } => builder.condition_check(self.build_check(&key, condition, values)?),
        };
        Ok(item.build())
    }

    fn build_put(&self, item: Item, condition: String, bound: OwnedValues) -> Result<Put, StoreError> {
        Put::builder()
            .table_name(&self.table)
            .set_item(Some(item))
            .set_expression_attribute_names(names(&[&condition]))
            .condition_expression(condition)
            .set_expression_attribute_values(values(bound))
            .build()
            .map_err(|e| StoreError::internal("building a put", e))
    }

    fn build_update(
        &self,
        key: &Key,
        update: String,
        condition: String,
        bound: OwnedValues,
    ) -> Result<Update, StoreError> {
        Update::builder()
            .table_name(&self.table)
            .set_key(Some(key.attributes()))
            .set_expression_attribute_names(names(&[&update, &condition]))
            .update_expression(update)
            .condition_expression(condition)
            .set_expression_attribute_values(values(bound))
            .build()
            .map_err(|e| StoreError::internal("building an update", e))
    }

    fn build_delete(&self, key: &Key, condition: String, bound: OwnedValues) -> Result<Delete, StoreError> {
        Delete::builder()
            .table_name(&self.table)
            .set_key(Some(key.attributes()))
            .set_expression_attribute_names(names(&[&condition]))
            .condition_expression(condition)
            .set_expression_attribute_values(values(bound))
            .build()
            .map_err(|e| StoreError::internal("building a delete", e))
    }

    fn build_check(
        &self,
        key: &Key,
        condition: String,
        bound: OwnedValues,
    ) -> Result<ConditionCheck, StoreError> {
        ConditionCheck::builder()
            .table_name(&self.table)
            .set_key(Some(key.attributes()))
            .set_expression_attribute_names(names(&[&condition]))
            .condition_expression(condition)
            .set_expression_attribute_values(values(bound))
            .build()
            .map_err(|e| StoreError::internal("building a condition check", e))
    }
}

/// Why a transaction was canceled.
enum Cancellation {
    Rejected(FailedConditions),
    /// Another transaction conflicted, or the table throttled the request. A retry can succeed.
    Transient,
    /// The error is not a cancellation, or has another reason.
    None,
}

/// Reads the reasons of a canceled transaction. A failed condition takes precedence over a conflict of
/// another action, because retrying cannot change it.
fn cancellation(error: &SdkError<TransactWriteItemsError>) -> Cancellation {
    let Some(TransactWriteItemsError::TransactionCanceledException(canceled)) = error.as_service_error()
    else {
        return Cancellation::None;
    };
    let reasons = canceled.cancellation_reasons();
    let has_code = |code: &str| reasons.iter().any(|r| r.code() == Some(code));
    if has_code("ConditionalCheckFailed") {
        let failed = reasons.iter().map(|r| r.code() == Some("ConditionalCheckFailed"));
        return Cancellation::Rejected(FailedConditions(failed.collect()));
    }
    let transient = [
        "TransactionConflict",
        "ThrottlingError",
        "ProvisionedThroughputExceeded",
    ];
    if transient.into_iter().any(has_code) {
        Cancellation::Transient
    } else {
        Cancellation::None
    }
}
