//! What an admission reads and writes: the running checks, the shards that it publishes, and the state that
//! all admissions share.
//!
//! Usually one admission runs at a time, and others ask it to run once more. If it crashes, or takes longer
//! than its lease, admissions run concurrently. Each write has the condition that no other admission has
//! published the same shards.

use std::collections::{HashMap, HashSet};

use domain::admission::FairTime;
use domain::check::{Check, CheckState};
use domain::id::EntityId;
use domain::ordinal::{CheckNumber, ShardNumber};
use domain::time::Timestamp;
use serde::Deserialize;
use uuid::Uuid;

use crate::expression::{ALWAYS, number_value, string_value};
use crate::items::{Consistency, Item, MAX_BATCH_KEYS, Updated, from_item};
use crate::keys::{DuePart, Key};
use crate::table::DUE_SORT_KEY;
use crate::{DueSubject, Store, StoreError, Tenant, keys};

use super::due::due_item;
use super::transition::CheckUpdate;

/// A running check with its ids.
#[derive(Debug, Clone)]
pub struct RunningCheckItem {
    pub tenant: Tenant,
    pub entity: EntityId,
    pub check: Check,
}

/// Who asks for another admission while one is running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdmissionRequest {
    /// Shards were claimed or have ended.
    Shards,
    /// At a tick, new checks can be due.
    Tick,
}

/// The state that all admissions share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AdmissionState {
    #[serde(default)]
    pub fair_time: FairTime,
    /// The turn that the first unclaimed check would have, or `None` if no due check was left unclaimed.
    #[serde(default)]
    pub next_turn: Option<FairTime>,
}

/// The running admission and the request for another one.
#[derive(Deserialize)]
struct RequestedAdmission {
    #[serde(default)]
    owner: Option<Uuid>,
    #[serde(default)]
    again: Option<AdmissionRequest>,
}

impl Store {
    /// Lists the running checks of all workspaces that are not idle. The list is eventually consistent, and
    /// each check is strongly consistent.
    pub async fn running_checks(&self) -> Result<Vec<RunningCheckItem>, StoreError> {
        let until = Timestamp::from_millis(i64::MAX / 1_000);
        let entries = self.due_index(DuePart::Work, until, None).await?;
        // The index is eventually consistent, so that an entity whose entry moves can be listed twice.
        let mut seen = HashSet::new();
        let mut listed: Vec<_> = entries.iter().filter_map(running_check).collect();
        listed.retain(|(_, entity, _)| seen.insert(*entity));
        let mut checks = HashMap::new();
        for batch in listed.chunks(MAX_BATCH_KEYS) {
            let keys = batch
                .iter()
                .map(|(tenant, entity, check)| keys::check(tenant, entity, *check));
            let items = self
                .batch_items(keys.collect(), Consistency::Strong)
                .await?
                .into_iter();
            checks.extend(items.filter_map(|item| Some((Key::of(&item)?, item))));
        }
        let mut running = Vec::with_capacity(listed.len());
        for (tenant, entity, number) in listed {
            let Some(item) = checks.remove(&keys::check(&tenant, &entity, number)) else {
                continue;
            };
            let check: Check = from_item(item)?;
            if check.state == CheckState::Running {
                running.push(RunningCheckItem {
                    tenant,
                    entity,
                    check,
                });
            }
        }
        Ok(running)
    }

    /// Begins an admission, or another round of the one that `owner` runs, which has a lease until `until`.
    /// Returns the state that all admissions share, or `None` if another admission is running.
    pub async fn begin_admission(
        &self,
        owner: Uuid,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<AdmissionState>, StoreError> {
        let update = "SET #busyUntil = :until, #owner = :owner REMOVE #again";
        let condition = "attribute_not_exists(#busyUntil) OR #busyUntil <= :now OR #owner = :owner";
        let bound = vec![
            (":until", number_value(until.as_millis())),
            (":owner", string_value(owner)),
            (":now", number_value(now.as_millis())),
        ];
        let begun = self
            .update_one(&keys::admission(), update, condition, bound)
            .await?;
        begun.item().map(from_item).transpose()
    }

    /// Asks the running admission to run once more. Returns `false` if none is running.
    pub async fn request_admission(
        &self,
        request: AdmissionRequest,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let (update, request) = match request {
            AdmissionRequest::Shards => ("SET #again = if_not_exists(#again, :again)", "shards"),
            AdmissionRequest::Tick => ("SET #again = :again", "tick"),
        };
        let bound = vec![
            (":again", string_value(request)),
            (":now", number_value(now.as_millis())),
        ];
        let requested = self
            .update_one(&keys::admission(), update, "#busyUntil > :now", bound)
            .await?;
        Ok(requested.item().is_some())
    }

    /// Ends the admission that `owner` runs, unless another one was requested meanwhile. Returns that
    /// request.
    pub async fn end_admission(&self, owner: Uuid) -> Result<Option<AdmissionRequest>, StoreError> {
        let update = "REMOVE #busyUntil, #owner";
        let condition = "#owner = :owner AND attribute_not_exists(#again)";
        let bound = vec![(":owner", string_value(owner))];
        let ended = self
            .update_one(&keys::admission(), update, condition, bound)
            .await?;
        let Updated::ConditionFailed(Some(stored)) = ended else {
            return Ok(None);
        };
        let stored: RequestedAdmission = from_item(stored)?;
        Ok(stored.again.filter(|_| stored.owner == Some(owner)))
    }

    /// Ends the admission that `owner` runs, even if another one was requested.
    pub async fn abandon_admission(&self, owner: Uuid) -> Result<(), StoreError> {
        let bound = vec![(":owner", string_value(owner))];
        self.update_one(
            &keys::admission(),
            "REMOVE #busyUntil, #owner, #again",
            "#owner = :owner",
            bound,
        )
        .await
        .map(|_| ())
    }

    /// Adds to the fair time that all admissions share. If the SDK repeats the call after a lost response, it
    /// is added twice, which changes the order of a few checks at most.
    pub async fn advance_fair_time(&self, by: FairTime) -> Result<(), StoreError> {
        let bound = vec![(":by", number_value(by))];
        self.update_one(&keys::admission(), "ADD #fairTime :by", ALWAYS, bound)
            .await
            .map(|_| ())
    }

    /// Records the turn that the first unclaimed check would have, or that no due check is left.
    pub async fn put_next_turn(&self, turn: Option<FairTime>) -> Result<(), StoreError> {
        let (update, bound) = match turn {
            Some(turn) => ("SET #nextTurn = :turn", vec![(":turn", number_value(turn))]),
            None => ("REMOVE #nextTurn", Vec::new()),
        };
        self.update_one(&keys::admission(), update, ALWAYS, bound)
            .await
            .map(|_| ())
    }

    /// Gives a running check its turn and publishes `shards`, which are the first of
    /// [`ShardLists::ready_shards`](domain::check::ShardLists::ready_shards). Returns `false` if the check
    /// has ended or another admission has published shards since `item` was read.
    pub async fn mark_published(
        &self,
        item: &RunningCheckItem,
        shards: &[ShardNumber],
        turn: FairTime,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let turn = vec![(":turn", number_value(turn))];
        let update = CheckUpdate::of(&item.check.shards.publish(shards, now), &["#turn = :turn"], turn);
        let updated = self
            .update_check(&item.tenant, &item.entity, item.check.check, update)
            .await?;
        Ok(updated.is_some())
    }
}

/// Decodes the entry of a running check in the due index.
fn running_check(entry: &Item) -> Option<(Tenant, EntityId, CheckNumber)> {
    let check = keys::running_check(entry.get(DUE_SORT_KEY)?.as_s().ok()?)?;
    let due = due_item(entry)?;
    match due.subject {
        DueSubject::Entity(entity) => Some((due.tenant, entity, check)),
        DueSubject::WorkspaceRereading | DueSubject::EntityRereading(_) | DueSubject::DeletedWorkspace => {
            None
        }
    }
}
