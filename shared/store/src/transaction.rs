//! Transactions. Each takes effect at most once, because a retry reuses its client request token.

use aws_sdk_dynamodb::error::{BuildError, SdkError};
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::builders::{ConditionCheckBuilder, DeleteBuilder, PutBuilder, UpdateBuilder};
use aws_sdk_dynamodb::types::{AttributeValue, ConditionCheck, Delete, Put, TransactWriteItem, Update};
use domain::workspace::SubscriptionStatus;
use uuid::Uuid;

use crate::error::{describe, is_transient};
use crate::expression::{Values, names, number_value, string_value, values};
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

/// An action that lacks the name of the table.
enum Action {
    Put(PutBuilder),
    Update(UpdateBuilder),
    Delete(DeleteBuilder),
    /// A condition on an item that is not written.
    Check(ConditionCheckBuilder),
}

impl Transaction {
    /// Adds a put. Returns the index of the action, which [`FailedConditions`] refers to.
    pub(crate) fn put(&mut self, item: Item, condition: &str, bound: Values) -> usize {
        let put = Put::builder()
            .set_item(Some(item))
            .condition_expression(condition)
            .set_expression_attribute_names(names(&[condition]))
            .set_expression_attribute_values(values(bound));
        self.add(Action::Put(put))
    }

    /// Adds a put of an item that must not exist yet.
    pub(crate) fn create(&mut self, item: Item) -> usize {
        self.put(item, "attribute_not_exists(PK)", Vec::new())
    }

    /// Adds a put of an item that must exist.
    pub(crate) fn overwrite(&mut self, item: Item) -> usize {
        self.put(item, "attribute_exists(PK)", Vec::new())
    }

    /// Adds a put of an item that must still have the revision `read`. An item with the revision 0 must not
    /// exist yet.
    pub(crate) fn replace(&mut self, item: Item, read: u32) -> usize {
        match read {
            0 => self.create(item),
            read => self.replace_existing(item, read),
        }
    }

    /// Adds a put of an item that must exist with the revision `read`.
    pub(crate) fn replace_existing(&mut self, item: Item, read: u32) -> usize {
        self.put(item, HAS_REVISION, vec![(":expected", number_value(read))])
    }

    /// Adds the reply to a request with an `Idempotency-Key`, with a condition that fails if a reply is
    /// recorded already.
    pub(crate) fn put_reply(&mut self, item: Item, condition: &str, bound: Values) {
        self.reply = Some(self.put(item, condition, bound));
    }

    /// Adds an update. Values can have computed names.
    pub(crate) fn update<N: Into<String>>(
        &mut self,
        key: &Key,
        update: impl Into<String>,
        condition: impl Into<String>,
        bound: Vec<(N, AttributeValue)>,
    ) -> usize {
        let (update, condition) = (update.into(), condition.into());
        let update = Update::builder()
            .set_key(Some(key.attributes()))
            .set_expression_attribute_names(names(&[&update, &condition]))
            .update_expression(update)
            .condition_expression(condition)
            .set_expression_attribute_values(values(bound));
        self.add(Action::Update(update))
    }

    /// Adds an update of a client to the workspace, whose subscription must not be canceled.
    pub(crate) fn update_workspace(&mut self, tenant: &Tenant, update: &str, condition: &str, bound: Values) {
        let (update, condition) = (update.to_owned(), format!("{condition} AND {IS_NOT_CANCELED}"));
        let bound = bound.into_iter().chain([canceled()]).collect();
        self.update(&keys::workspace(tenant), update, condition, bound);
    }

    /// Adds the removal of one item from a counter of the workspace, for a client.
    pub(crate) fn count_down(&mut self, tenant: &Tenant, counter: &str) {
        let bound = vec![(":one", number_value(1)), (":zero", number_value(0))];
        let update = format!("SET {counter} = {counter} - :one");
        self.update_workspace(tenant, &update, &format!("{counter} > :zero"), bound);
    }

    /// Adds the deletion of an item that must exist.
    pub(crate) fn delete(&mut self, key: &Key) -> usize {
        self.delete_if(key, "attribute_exists(PK)", Vec::new())
    }

    /// Adds the deletion of an item that must still have the revision `read`.
    pub(crate) fn delete_revision(&mut self, key: &Key, read: u32) -> usize {
        self.delete_if(key, HAS_REVISION, vec![(":expected", number_value(read))])
    }

    /// Adds the deletion of an item that must meet a condition.
    pub(crate) fn delete_if(&mut self, key: &Key, condition: &str, bound: Values) -> usize {
        let delete = Delete::builder()
            .set_key(Some(key.attributes()))
            .condition_expression(condition)
            .set_expression_attribute_names(names(&[condition]))
            .set_expression_attribute_values(values(bound));
        self.add(Action::Delete(delete))
    }

    /// Adds a condition on an item that the transaction does not write.
    pub(crate) fn condition_check(&mut self, key: &Key, condition: &str, bound: Values) -> usize {
        let check = ConditionCheck::builder()
            .set_key(Some(key.attributes()))
            .condition_expression(condition)
            .set_expression_attribute_names(names(&[condition]))
            .set_expression_attribute_values(values(bound));
        self.add(Action::Check(check))
    }

    /// Adds the condition of clients' writes that the subscription is not canceled.
    pub(crate) fn require_not_canceled(&mut self, tenant: &Tenant) {
        self.condition_check(&keys::workspace(tenant), IS_NOT_CANCELED, vec![canceled()]);
    }

    fn add(&mut self, action: Action) -> usize {
        self.actions.push(action);
        self.actions.len() - 1
    }
}

const IS_NOT_CANCELED: &str = "#status <> :canceled";
const HAS_REVISION: &str = "#revision = :expected";

fn canceled() -> (&'static str, AttributeValue) {
    (":canceled", string_value(SubscriptionStatus::Canceled.into_str()))
}

impl Action {
    fn build(self, table: &str) -> Result<TransactWriteItem, BuildError> {
        let item = TransactWriteItem::builder();
        let item = match self {
            Self::Put(put) => item.put(put.table_name(table).build()?),
            Self::Update(update) => item.update(update.table_name(table).build()?),
            Self::Delete(delete) => item.delete(delete.table_name(table).build()?),
            Self::Check(check) => item.condition_check(check.table_name(table).build()?),
        };
        Ok(item.build())
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
            .map(|action| action.build(&self.table))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|e| StoreError::internal("building an action", e))?;
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
}

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
