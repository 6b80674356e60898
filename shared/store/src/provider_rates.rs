//! What was learnt about the limits of providers. All workspaces share it, and it contains nothing of any
//! workspace.

use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure;
use domain::limits::PROVIDER_RATE_RETENTION;
use domain::provider_rate::{ProviderRate, RateKey};

use crate::expression::{names, number_value, values};
use crate::items::{Consistency, from_item, to_expiring_item};
use crate::retry::{MAX_CONFLICTS, back_off_from_conflict};
use crate::{Store, StoreError, keys};

/// The condition that the record is the one that was read. Each change moves at least one of these instants
/// or counts.
const IS_UNCHANGED: &str = "#nextStart = :next AND #heldUntil = :held AND #started = :started";
const IS_ABSENT: &str = "attribute_not_exists(PK) OR #expiresAt <= :now";

enum Put {
    Done,
    /// Another record is stored, or none.
    Conflict(Option<ProviderRate>),
}

impl Store {
    /// Reads what was learnt about a provider's limit, eventually consistent.
    pub async fn provider_rate(&self, key: &RateKey) -> Result<Option<ProviderRate>, StoreError> {
        let key = keys::provider_rate(key);
        self.get(&key, Consistency::Eventual).await
    }

    /// Changes what was learnt about a provider's limit. `change` returns the record to write, or `None` to
    /// leave it as it is. It is first given `known`, which the caller has read at any time before, and again
    /// what is stored if that is something else. If the response to the write is lost, the change can take
    /// effect twice, so that a start stays unused. Returns the record that is stored afterwards.
    pub async fn change_provider_rate(
        &self,
        key: &RateKey,
        mut known: Option<ProviderRate>,
        mut change: impl FnMut(Option<&ProviderRate>) -> Option<ProviderRate> + Send,
    ) -> Result<Option<ProviderRate>, StoreError> {
        for retry in 0..MAX_CONFLICTS {
            let next = change(known.as_ref());
            let Some(next) = next.filter(|next| known.as_ref() != Some(next)) else {
                return Ok(known);
            };
            match self.put_provider_rate(key, known.as_ref(), &next).await? {
                Put::Done => return Ok(Some(next)),
                Put::Conflict(stored) => known = stored,
            }
            back_off_from_conflict(retry).await;
        }
        Err(StoreError::Unavailable(
            "a provider's rate keeps changing".to_owned(),
        ))
    }

    async fn put_provider_rate(
        &self,
        key: &RateKey,
        known: Option<&ProviderRate>,
        next: &ProviderRate,
    ) -> Result<Put, StoreError> {
        let now = self.clock.now();
        let expires = now + PROVIDER_RATE_RETENTION;
        let key = keys::provider_rate(key);
        let (condition, bound) = match known {
            Some(known) => (
                IS_UNCHANGED,
                vec![
                    (":next", number_value(known.next_start.as_millis())),
                    (":held", number_value(known.held_until.as_millis())),
                    (":started", number_value(known.started)),
                ],
            ),
            None => (IS_ABSENT, vec![(":now", number_value(now.as_millis() / 1_000))]),
        };
        let written = self
            .db
            .put_item()
            .table_name(&self.table)
            .set_item(Some(to_expiring_item(&key, next, expires)?))
            .condition_expression(condition)
            .set_expression_attribute_names(names(&[condition]))
            .set_expression_attribute_values(values(bound))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .send()
            .await;
        let Err(error) = written else {
            return Ok(Put::Done);
        };
        match error.as_service_error() {
            Some(PutItemError::ConditionalCheckFailedException(failed)) => {
                let stored = failed.item().filter(|item| self.is_live(item)).cloned();
                Ok(Put::Conflict(stored.map(from_item).transpose()?))
            }
            _ => Err(error.into()),
        }
    }
}
