//! `MergeDue`: merges the segments of an entity's finished months, one segment per month and family.
//!
//! Merged segments have the facts of the checks' own segments, which stay: whoever reads facts takes what is smaller. The step
//! goes through the finished months from the oldest on. It reads the segments of the families that are not merged, or not since they
//! changed, writes the merged ones, and names them in the index, unless that has changed meanwhile. A merged segment counts only
//! while the index names the segments that it was made from, so a change that comes later needs to know nothing of it.
//!
//! A month is due until it is merged, so the step can crash at any point, and run again or twice.

use std::collections::BTreeMap;

use domain::facts::families::merge_segments;
use domain::id::EntityId;
use domain::limits::{MERGE_REPUBLICATION, MERGE_STEP};
use domain::time::Month;
use events::{CheckEvent, EntityRef};
use store::{MonthIndex, Tenant};

use crate::{Checker, CheckerError, tenant};

impl Checker {
    /// Handles `MergeDue`.
    pub(crate) async fn merge_months(&self, at: &EntityRef) -> Result<(), CheckerError> {
        let (tenant, id) = (tenant::of_event(&at.workspace_id), &at.entity_id);
        // The facts of a deleted entity are erased.
        if self.store.entity(&tenant, id).await?.is_none() {
            return Ok(());
        }
        let until = self.clock.now() + MERGE_STEP;
        for (month, index) in self.store.finished_months(&tenant, id).await? {
            if self.clock.now() > until {
                self.publish_merge(&tenant, id).await;
                return Ok(());
            }
            self.merge_month(&tenant, id, month, &index).await?;
        }
        Ok(())
    }

    /// Merges the segments of a month, unless one of its checks still runs.
    async fn merge_month(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        month: Month,
        index: &MonthIndex,
    ) -> Result<(), CheckerError> {
        if index.has_interim() || index.is_merged() {
            return Ok(());
        }
        let mut merged = BTreeMap::new();
        for (family, segments) in index.unmerged() {
            let read = self
                .store
                .segments(tenant, entity, family, &segments, |_| true, true)
                .await?;
            match merge_segments(family, &read) {
                Ok(Some(encoded)) => {
                    let put = self
                        .store
                        .put_month_segment(tenant, entity, family, month, &encoded);
                    merged.insert(family, put.await?);
                }
                // The segments of the checks are read instead.
                Ok(None) => {
                    tracing::warn!(%month, family = family.name(), "a month is too long to be merged");
                }
                Err(error) => {
                    tracing::error!(%error, %month, family = family.name(), "a month has a segment that cannot be decoded");
                }
            }
        }
        let is_named = self
            .store
            .index_merged(tenant, entity, month, index, &merged)
            .await?;
        tracing::info!(%month, family.count = merged.len(), is_named, "the segments of a month are merged");
        Ok(())
    }

    /// Publishes the merge of a month that a tick has found.
    pub(crate) async fn publish_due_merge(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        month: Month,
    ) -> Result<(), CheckerError> {
        self.publish_merge(tenant, entity).await;
        let due = self.clock.now() + MERGE_REPUBLICATION;
        Ok(self.store.postpone_merge(tenant, entity, month, due).await?)
    }

    /// Publishes `MergeDue` for an entity. If that fails, a later tick publishes it.
    async fn publish_merge(&self, tenant: &Tenant, entity: &EntityId) {
        let event = CheckEvent::MergeDue(EntityRef {
            workspace_id: tenant.workspace().clone(),
            entity_id: entity.clone(),
        });
        if let Err(error) = self.bus.publish(&[event]).await {
            tracing::warn!(%error, "a merge could not be published and waits for a later tick");
        }
    }
}
