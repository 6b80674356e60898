//! Providers that are left alone. A pause belongs to no workspace, and nothing of one is in it.

use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use domain::pause::{Probe, ProviderPause};
use domain::time::Timestamp;
use uuid::Uuid;

use crate::expression::{n, s};
use crate::items::{Updated, from_item};
use crate::{Store, StoreError, keys};

/// The only worker that may change a pause: the one that probes.
const MINE: &str = "#probe.#owner = :owner";

/// Whether a worker may ask a paused provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probing {
    /// One question.
    Mine(ProviderPause),
    /// Nothing: the pause lasts, or another worker probes.
    Held(ProviderPause),
    /// As much as it likes: there is no pause any more.
    Over,
}

impl Store {
    /// A provider's pause, eventually consistent.
    pub async fn provider_pause(&self, provider: &str) -> Result<Option<ProviderPause>, StoreError> {
        self.get(&keys::provider_pause(provider), false).await
    }

    /// Leaves a provider alone: written where there is no pause yet, or by the worker `owner` that probed the one
    /// there is, so that many workers that meet the same make one pause. The pause that stands then.
    pub async fn pause_provider(
        &self,
        pause: &ProviderPause,
        owner: Uuid,
    ) -> Result<ProviderPause, StoreError> {
        let update = "SET #provider = :provider, #reason = :reason, #since = :since, #until = :until, \
                      #count = :count REMOVE #probe";
        let condition = format!("attribute_not_exists(PK) OR {MINE}");
        let bound = vec![
            (":provider", s(&pause.provider)),
            (":reason", s(&pause.reason)),
            (":since", n(pause.since.as_millis())),
            (":until", n(pause.until.as_millis())),
            (":count", n(pause.count)),
            (":owner", s(owner.to_string())),
        ];
        let key = keys::provider_pause(&pause.provider);
        match self.update_one(&key, update, &condition, bound).await? {
            Updated::Item(item) | Updated::ConditionFailed(Some(item)) => from_item(item),
            Updated::ConditionFailed(None) => {
                Err(StoreError::Broken("a pause failed on an absent one".to_owned()))
            }
        }
    }

    /// Lets one worker ask a provider whose pause is over, until its probe ends. A worker whose probe it is already may
    /// begin another one.
    pub async fn begin_probe(
        &self,
        provider: &str,
        probe: &Probe,
        now: Timestamp,
    ) -> Result<Probing, StoreError> {
        let update = "SET #probe = :probe";
        let condition =
            format!("#until <= :now AND (attribute_not_exists(#probe) OR #probe.#until <= :now OR {MINE})");
        let begun = serde_dynamo::aws_sdk_dynamodb_1::to_attribute_value(probe)
            .map_err(|_| StoreError::Broken("a probe cannot be written".to_owned()))?;
        let bound = vec![
            (":probe", begun),
            (":now", n(now.as_millis())),
            (":owner", s(probe.owner.to_string())),
        ];
        let key = keys::provider_pause(provider);
        Ok(match self.update_one(&key, update, &condition, bound).await? {
            Updated::Item(item) => Probing::Mine(from_item(item)?),
            Updated::ConditionFailed(Some(item)) => Probing::Held(from_item(item)?),
            Updated::ConditionFailed(None) => Probing::Over,
        })
    }

    /// The provider answers the worker that probed it: the pause is over. Of a pause that another worker probes
    /// meanwhile, or prolonged, nothing changes.
    pub async fn end_pause(&self, provider: &str, owner: Uuid) -> Result<(), StoreError> {
        let deleted = self
            .db
            .delete_item()
            .table_name(&self.table)
            .set_key(Some(keys::provider_pause(provider).attributes()))
            .condition_expression(MINE)
            .set_expression_attribute_names(crate::expression::names(&[MINE]))
            .expression_attribute_values(":owner", s(owner.to_string()))
            .send()
            .await;
        match deleted {
            Ok(_) => Ok(()),
            Err(error)
                if error
                    .as_service_error()
                    .is_some_and(DeleteItemError::is_conditional_check_failed_exception) =>
            {
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }
}
