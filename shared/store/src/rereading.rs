//! Requests to read recorded answers again. A workspace has at most one, which a change of its names makes
//! due, and so has each entity.
//!
//! The item of an entity also contains the progress of the work and the lease of the worker, so that one at a
//! time reads the answers of an entity. A new request changes `request`, so that whoever works on an older
//! one starts again.

use std::collections::BTreeMap;

use domain::id::EntityId;
use domain::ordinal::CheckNumber;
use domain::reading::Reading;
use domain::time::{Day, Timestamp};
use serde::{Deserialize, Serialize};
use serde_dynamo::aws_sdk_dynamodb_1::to_attribute_value;
use uuid::Uuid;

use crate::expression::{ALWAYS, Values, number_value, string_value};
use crate::items::{Consistency, from_item};
use crate::keys::{DuePart, Key};
use crate::retry::Attempt;
use crate::table::{DUE_PARTITION_KEY, DUE_SORT_KEY};
use crate::transaction::{Outcome, Transaction};
use crate::{IndexEntry, SegmentRef, Store, StoreError, Tenant, keys};

/// A request to read the answers of a workspace or of an entity again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rereading {
    /// Changes with every request.
    pub request: Uuid,
    /// The first day whose answers are read again, or `None` for all whose texts are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Day>,
    /// The progress of an entity's rereading. `None` before its first step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass: Option<RereadingPass>,
}

/// A pass over the days of an entity, from the latest to the earliest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RereadingPass {
    /// The request that the pass fulfils.
    pub request: Uuid,
    /// The reading that every day gets.
    pub reading: Reading,
    /// The latest day that the pass has not finished.
    pub next: Day,
    /// The number of days that were read again, or whose texts turned out to be gone.
    pub done: u32,
    /// The number of days whose answers were read differently when the pass started.
    pub total: u32,
    /// What was read of those checks of the day `next` that were read.
    pub prepared: BTreeMap<CheckNumber, PreparedSegment>,
}

/// The new segment of a check whose answers were read again, as long as nobody else has read them since.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreparedSegment {
    pub segment: SegmentRef,
    /// The reading that the index had of the check.
    pub before: Option<Reading>,
    /// Whether responses were rewritten, so that the index entry has a mark.
    pub is_marked: bool,
}

impl PreparedSegment {
    /// Returns whether the responses are still as they were prepared. A finish that reads them otherwise
    /// changes the reading of the entry, or removes its mark.
    pub fn is_valid_for(&self, entry: &IndexEntry) -> bool {
        self.before == entry.reading && (entry.is_being_rewritten || !self.is_marked)
    }
}

/// A worker's lease on the rereading of an entity. `owner` is the fencing token.
#[derive(Debug, Clone)]
pub struct RereadingLease {
    pub tenant: Tenant,
    pub entity: EntityId,
    pub owner: Uuid,
    /// The instant at which the lease ends. The worker writes nothing from then on.
    pub until: Timestamp,
    /// The state of the rereading when it was leased.
    pub rereading: Rereading,
}

/// How far the rereading of an entity's answers is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RereadingProgress {
    pub done: u32,
    /// The number of days to read, or `None` if they are not counted yet.
    pub total: Option<u32>,
}

impl RereadingLease {
    fn key(&self) -> Key {
        keys::entity_rereading(&self.tenant, &self.entity)
    }

    /// Adds the condition to a transaction that no other worker has leased the rereading since.
    pub(crate) fn require(&self, transaction: &mut Transaction) {
        let owner = (":owner", string_value(self.owner));
        transaction.condition_check(&self.key(), IS_OWNED, vec![owner]);
    }
}

/// The condition that the worker `:owner` has the lease.
const IS_OWNED: &str = "#owner = :owner";

/// Adds the request to read the workspace's answers again to a transaction that changes its names.
pub(crate) fn names_changed(transaction: &mut Transaction, tenant: &Tenant, now: Timestamp) {
    let (update, bound) = request(tenant.workspace().as_str(), None, now);
    transaction.update(&keys::workspace_rereading(tenant), update, ALWAYS, bound);
}

/// Returns the update that makes an item due at `due` for a new request. `id` is that of the workspace or
/// entity.
fn request(id: &str, since: Option<Day>, due: Timestamp) -> (String, Values) {
    let mut bound = vec![
        (":request", string_value(Uuid::new_v4())),
        (":duePartition", string_value(DuePart::Work.partition(id))),
        (":dueSort", string_value(keys::due_sort(due, id))),
    ];
    let since = match since {
        Some(since) => {
            bound.push((":since", number_value(since.0)));
            ", #since = :since"
        }
        None => " REMOVE #since",
    };
    let update = format!(
        "SET #request = :request, #{DUE_PARTITION_KEY} = :duePartition, #{DUE_SORT_KEY} = :dueSort{since}"
    );
    (update, bound)
}

impl Store {
    /// Requests that the answers of an entity, or of all entities of the workspace, are read again, from the
    /// day `since` on or as far back as texts are kept. A pending request is widened. The next tick after
    /// `due` finds the request.
    pub async fn request_rereading(
        &self,
        tenant: &Tenant,
        entity: Option<&EntityId>,
        since: Option<Day>,
        due: Timestamp,
    ) -> Result<(), StoreError> {
        let (key, id) = match entity {
            Some(entity) => (keys::entity_rereading(tenant, entity), entity.as_str()),
            None => (keys::workspace_rereading(tenant), tenant.workspace().as_str()),
        };
        let attempt = || async {
            let pending: Option<Rereading> = self.get(&key, Consistency::Strong).await?;
            let first = match &pending {
                Some(pending) => pending.since.zip(since).map(|(a, b)| a.min(b)),
                None => since,
            };
            let (update, mut bound) = request(id, first, due);
            let condition = match &pending {
                Some(pending) => {
                    bound.push((":seen", string_value(pending.request)));
                    "#request = :seen OR #request = :request"
                }
                None => "attribute_not_exists(#request) OR #request = :request",
            };
            let updated = self.update_one(&key, &update, condition, bound).await?;
            Ok(updated.item().map_or(Attempt::Retry, |_| Attempt::Done(())))
        };
        self.retry_on_conflict("the request to read answers again", attempt)
            .await
    }

    /// Reads the request to read the answers of the workspace again, strongly consistent.
    pub async fn workspace_rereading(&self, tenant: &Tenant) -> Result<Option<Rereading>, StoreError> {
        self.get(&keys::workspace_rereading(tenant), Consistency::Strong)
            .await
    }

    /// Ends the request of the workspace, unless there is a newer one.
    pub async fn end_workspace_rereading(&self, tenant: &Tenant, request: Uuid) -> Result<(), StoreError> {
        let bound = vec![(":request", string_value(request))];
        self.end(keys::workspace_rereading(tenant), "#request = :request", bound)
            .await
            .map(|_| ())
    }

    /// Reads how far the rereading of an entity's answers is, strongly consistent. `None` if there is nothing
    /// to read again.
    pub async fn rereading_progress(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
    ) -> Result<Option<RereadingProgress>, StoreError> {
        // The order matters: the request of the workspace ends after the requests of its entities exist.
        let workspace = self.workspace_rereading(tenant).await?;
        let own: Option<Rereading> = self
            .get(&keys::entity_rereading(tenant, entity), Consistency::Strong)
            .await?;
        let pass = own
            .as_ref()
            .and_then(|own| own.pass.as_ref().filter(|pass| pass.request == own.request));
        Ok(match (workspace, pass) {
            (None, Some(pass)) => Some(RereadingProgress {
                done: pass.done,
                total: Some(pass.total),
            }),
            (None, None) if own.is_none() => None,
            _ => Some(RereadingProgress { done: 0, total: None }),
        })
    }

    /// Postpones the instant at which a tick publishes the rereading of an entity again, because it has
    /// published it.
    pub async fn postpone_rereading(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        due: Timestamp,
    ) -> Result<(), StoreError> {
        let update = format!("SET #{DUE_SORT_KEY} = :due");
        let bound = vec![(":due", string_value(keys::due_sort(due, entity.as_str())))];
        let key = keys::entity_rereading(tenant, entity);
        self.update_one(&key, &update, "attribute_exists(PK)", bound)
            .await
            .map(|_| ())
    }

    /// Leases the rereading of an entity until `until`, if there is one and nobody has the lease. No tick
    /// publishes it until then. A retry after a lost response finds its own token and succeeds.
    pub async fn lease_rereading(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        owner: Uuid,
        until: Timestamp,
    ) -> Result<Option<RereadingLease>, StoreError> {
        let now = self.clock.now();
        let update = format!("SET #owner = :owner, #leaseUntil = :until, #{DUE_SORT_KEY} = :due");
        let condition = format!(
            "attribute_exists(PK) AND ({IS_OWNED} OR attribute_not_exists(#leaseUntil) OR #leaseUntil <= :now)"
        );
        let bound = vec![
            (":owner", string_value(owner)),
            (":until", number_value(until.as_millis())),
            (":due", string_value(keys::due_sort(until, entity.as_str()))),
            (":now", number_value(now.as_millis())),
        ];
        let key = keys::entity_rereading(tenant, entity);
        let Some(item) = self.update_one(&key, &update, &condition, bound).await?.item() else {
            return Ok(None);
        };
        Ok(Some(RereadingLease {
            tenant: tenant.clone(),
            entity: *entity,
            owner,
            until,
            rereading: from_item(item)?,
        }))
    }

    /// Ends the lease and makes the rereading due at `due`. Without a pass, the saved progress stays. Returns
    /// `false` if the lease is lost.
    pub async fn release_rereading(
        &self,
        lease: &RereadingLease,
        pass: Option<&RereadingPass>,
        due: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut update = format!("SET #leaseUntil = :zero, #{DUE_SORT_KEY} = :due");
        let mut bound = vec![
            (":owner", string_value(lease.owner)),
            (":zero", number_value(0)),
            (":due", string_value(keys::due_sort(due, lease.entity.as_str()))),
        ];
        if let Some(pass) = pass {
            let encoded = to_attribute_value(pass).map_err(|_| {
                StoreError::Internal("the progress of a rereading cannot be written".to_owned())
            })?;
            update.push_str(", #pass = :pass");
            bound.push((":pass", encoded));
        }
        let updated = self.update_one(&lease.key(), &update, IS_OWNED, bound).await?;
        Ok(updated.item().is_some())
    }

    /// Ends a rereading that is complete. Returns `false` if there is a newer request or the lease is lost.
    pub async fn end_rereading(&self, lease: &RereadingLease) -> Result<bool, StoreError> {
        let bound = vec![
            (":owner", string_value(lease.owner)),
            (":request", string_value(lease.rereading.request)),
        ];
        let condition = format!("{IS_OWNED} AND #request = :request");
        self.end(lease.key(), &condition, bound).await
    }

    /// Removes the request of an entity that does not exist any more.
    pub async fn drop_rereading(&self, tenant: &Tenant, entity: &EntityId) -> Result<(), StoreError> {
        self.end(keys::entity_rereading(tenant, entity), ALWAYS, Vec::new())
            .await
            .map(|_| ())
    }

    async fn end(&self, key: Key, condition: &str, bound: Values) -> Result<bool, StoreError> {
        let mut transaction = Transaction::default();
        transaction.delete_if(&key, condition, bound);
        Ok(matches!(self.transact(transaction).await?, Outcome::Committed))
    }
}
