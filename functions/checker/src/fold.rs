//! `FoldDue`: folds the answers so far of a running check into interim facts.
//!
//! The step expects a running check with open questions. It leaves interim segments of the answered ones in
//! the index, which the finish of the check replaces by the final ones. Everything that counts checks instead
//! of answers (recommendations, credits, the entity's last check) waits for the finish. The step can run
//! twice, late, or concurrently with the finish: interim facts never replace final ones.
//!
//! The finish folds by the same function.

mod index;

use std::collections::BTreeSet;

use domain::answer::ResponseState;
use domain::check::{Plan, Response};
use domain::citation::CanonicalUrl;
use events::CheckRef;
use facts::families::encode_check;
use store::{FactsKind, IndexEntry, RunningCheckItem};

use crate::recommend::WorkspaceNames;
use crate::{Checker, CheckerError};
use index::Indexed;

/// The attempts to fold a check. Each failed one means that its answers were read again or folded by another
/// worker.
const MAX_ATTEMPTS: u32 = 5;

/// A check whose facts are in the index.
pub(crate) struct FoldedCheck {
    /// The responses that were folded, without their texts.
    pub(crate) responses: Vec<Response>,
    /// The names of the workspace after the index was written.
    pub(crate) names: WorkspaceNames,
}

impl Checker {
    /// Handles `FoldDue`.
    pub(crate) async fn fold_interim(&self, check_ref: &CheckRef) -> Result<(), CheckerError> {
        let Some(item) = self.running_check(check_ref).await? else {
            return Ok(());
        };
        let (tenant, entity, check) = (&item.tenant, &item.entity, &item.check);
        if check.shards.left() == 0 || check.folded_at.is_some() {
            return Ok(());
        }
        // The check of a deleted entity ends without facts.
        if self.store.entity(tenant, entity).await?.is_none() {
            return Ok(());
        }
        let Some(plan) = self.store.plan(tenant, entity, check.check).await? else {
            return Ok(());
        };
        if !has_answers(&self.store.responses_of(tenant, entity, check.key()).await?) {
            return Ok(());
        }
        let folded = self.fold(&item, &plan, FactsKind::Interim).await?;
        // Facts that were left out would be left out again.
        let (store, now) = (&self.store, self.clock.now());
        store
            .record_interim_fold(tenant, entity, check.check, now)
            .await?;
        tracing::info!(
            response.count = folded.map(|folded| folded.responses.len()),
            "the answers so far of a check are folded"
        );
        Ok(())
    }

    /// Folds the responses of a check into facts and adds them to the index. Requests a rereading if the
    /// answers were read by other names than the current ones.
    ///
    /// Returns `None` if there is nothing to fold: interim facts are left out if there is no answer, if the
    /// final facts are in the index already, or if the figures of the day would mix two readings.
    pub(crate) async fn fold(
        &self,
        item: &RunningCheckItem,
        plan: &Plan,
        kind: FactsKind,
    ) -> Result<Option<FoldedCheck>, CheckerError> {
        let (store, tenant, entity, key) = (&self.store, &item.tenant, &item.entity, item.check.key());
        for _ in 0..MAX_ATTEMPTS {
            // The index is read before the responses, so that a rereading that changes them meanwhile is
            // noticed.
            let month = store.month_index(tenant, entity, key.day.month()).await?;
            let responses = store.responses_of(tenant, entity, key).await?;
            if kind == FactsKind::Interim && !has_answers(&responses) {
                return Ok(None);
            }
            let facts = encode_check(&responses);
            let own = IndexEntry {
                segments: store
                    .put_facts(tenant, entity, key, facts.buckets(), kind)
                    .await?,
                reading: index::common_reading(plan, &responses),
                is_being_rewritten: false,
                is_interim: kind == FactsKind::Interim,
            };
            let reading = match self.index_check(tenant, entity, key, month, own).await? {
                Indexed::Written(reading) => reading,
                Indexed::Outdated => continue,
                Indexed::LeftOut => return Ok(None),
            };
            store
                .record_cited_domains(tenant, cited_domains(&responses), key.day)
                .await?;
            // The names are read after the index is written. A change that comes later finds the check in the
            // index.
            let names = self.workspace_names(tenant).await?;
            if reading != Some(names.reading()) {
                store
                    .request_rereading(tenant, Some(entity), Some(key.day), self.clock.now())
                    .await?;
            }
            return Ok(Some(FoldedCheck { responses, names }));
        }
        Err(CheckerError::Busy)
    }
}

/// Returns whether a question was answered.
pub(crate) fn has_answers(responses: &[Response]) -> bool {
    responses.iter().any(|r| r.state == ResponseState::Answered)
}

/// Returns the registrable domains that the answers cite.
fn cited_domains(responses: &[Response]) -> BTreeSet<String> {
    let answered = responses.iter().filter(|r| r.state == ResponseState::Answered);
    answered
        .flat_map(|r| &r.citations)
        .filter_map(|citation| CanonicalUrl::parse(&citation.url))
        .map(|url| url.registrable().to_owned())
        .collect()
}
