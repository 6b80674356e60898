//! Pauses of providers. All workspaces share them, and they contain nothing of any workspace.

use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use domain::limits::{PROBE_INTERVAL, PROVIDER_RATE_RETENTION};
use domain::pause::{Probe, ProviderPause};
use domain::time::Timestamp;
use uuid::Uuid;

use crate::expression::{number_value, string_value};
use crate::items::{Consistency, Updated, from_item};
use crate::{Store, StoreError, keys};

/// The condition that the worker `:owner` has claimed the probe. No other worker may change a pause.
const IS_OWNED: &str = "#probe.#owner = :owner";

/// The result of claiming the probe of a paused provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProbeClaim {
    /// The worker may probe the provider.
    Claimed(ProviderPause),
    /// The worker may ask nothing, because the pause continues or another worker probes.
    Paused(ProviderPause),
    /// The pause has ended, and the worker may ask without limit.
    Ended,
}

impl Store {
    /// Reads a provider's pause, eventually consistent.
    pub async fn provider_pause(&self, provider: &str) -> Result<Option<ProviderPause>, StoreError> {
        self.get(&keys::provider_pause(provider), Consistency::Eventual)
            .await
    }

    /// Pauses a provider if it is not paused, or prolongs the pause if the worker `owner` has claimed its
    /// probe. Workers that are refused at the same time therefore create one pause. Returns the pause that is
    /// stored afterwards.
    pub async fn pause_provider(
        &self,
        pause: &ProviderPause,
        owner: Uuid,
    ) -> Result<ProviderPause, StoreError> {
        let update = "SET #provider = :provider, #reason = :reason, #since = :since, #until = :until \
                      REMOVE #probe";
        let condition = format!("attribute_not_exists(PK) OR {IS_OWNED}");
        let bound = vec![
            (":provider", string_value(&pause.provider)),
            (":reason", string_value(&pause.reason)),
            (":since", number_value(pause.since.as_millis())),
            (":until", number_value(pause.until.as_millis())),
            (":owner", string_value(owner.to_string())),
        ];
        let key = keys::provider_pause(&pause.provider);
        match self.update_one(&key, update, &condition, bound).await? {
            Updated::Item(item) | Updated::ConditionFailed(Some(item)) => from_item(item),
            Updated::ConditionFailed(None) => Err(StoreError::Internal(
                "the condition of a pause failed on an absent item".to_owned(),
            )),
        }
    }

    /// Claims the probe of a provider whose pause is over, so that one worker probes it. The worker that has
    /// claimed the probe can claim it again.
    pub async fn claim_probe(
        &self,
        provider: &str,
        probe: &Probe,
        now: Timestamp,
    ) -> Result<ProbeClaim, StoreError> {
        let update = "SET #probe = :probe";
        let condition = format!(
            "#until <= :now AND (attribute_not_exists(#probe) OR #probe.#until <= :now OR {IS_OWNED})"
        );
        let encoded = serde_dynamo::aws_sdk_dynamodb_1::to_attribute_value(probe)
            .map_err(|_| StoreError::Internal("a probe cannot be written".to_owned()))?;
        let bound = vec![
            (":probe", encoded),
            (":now", number_value(now.as_millis())),
            (":owner", string_value(probe.owner.to_string())),
        ];
        let key = keys::provider_pause(provider);
        Ok(match self.update_one(&key, update, &condition, bound).await? {
            Updated::Item(item) => ProbeClaim::Claimed(from_item(item)?),
            Updated::ConditionFailed(Some(item)) => ProbeClaim::Paused(from_item(item)?),
            Updated::ConditionFailed(None) => ProbeClaim::Ended,
        })
    }

    /// Claims the probe of a provider that is not paused, after it has refused a question without a word
    /// about the account. Returns whether the caller may probe: nobody else has claimed that within the last
    /// [`PROBE_INTERVAL`].
    pub async fn claim_probe_after_refusal(
        &self,
        provider: &str,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let update = "SET #claim = :claim, #claimedAt = :now, #expiresAt = :expires";
        // A claim from the future is that of a clock that was wrong. The caller's own claim is stored already
        // if the response was lost.
        let condition =
            "attribute_not_exists(PK) OR #claimedAt <= :before OR #claimedAt > :now OR #claim = :claim";
        let expires = now + PROVIDER_RATE_RETENTION;
        let bound = vec![
            (":claim", string_value(Uuid::new_v4().to_string())),
            (":now", number_value(now.as_millis())),
            (":before", number_value((now - PROBE_INTERVAL).as_millis())),
            (":expires", number_value(expires.ttl_seconds())),
        ];
        let key = keys::provider_probe(provider);
        let updated = self.update_one(&key, update, condition, bound).await?;
        Ok(matches!(updated, Updated::Item(_)))
    }

    /// Ends a provider's pause after it answered the worker `owner`. A pause that another worker probes or
    /// has prolonged stays unchanged.
    pub async fn end_pause(&self, provider: &str, owner: Uuid) -> Result<(), StoreError> {
        let deleted = self
            .db
            .delete_item()
            .table_name(&self.table)
            .set_key(Some(keys::provider_pause(provider).attributes()))
            .condition_expression(IS_OWNED)
            .set_expression_attribute_names(crate::expression::names(&[IS_OWNED]))
            .expression_attribute_values(":owner", string_value(owner.to_string()))
            .send()
            .await;
        let is_of_another = DeleteItemError::is_conditional_check_failed_exception;
        match deleted {
            Err(error) if !error.as_service_error().is_some_and(is_of_another) => Err(error.into()),
            _ => Ok(()),
        }
    }
}
