//! Computes an entity's recommendations and writes them to its board.

use domain::board::{BoardUpdate, CheckFindings};
use domain::check_key::CheckKey;
use domain::group::{BrandLabels, ResolvedGroup, TrackedBrands, group_effect};
use domain::id::EntityId;
use domain::key_scope::KeyScope;
use domain::webhook::Webhook;
use insights::recommend::{BrandContext, RuleInput, candidates, required_days, task_outcomes};
use store::{Consistency, Tenant};

use super::board_events::board_events;
use super::workspace_names::WorkspaceNames;
use crate::{Checker, CheckerError};

impl Checker {
    /// Updates the board of an entity after a check. `can_retire_recommendations` is true if every question
    /// of the check was asked and at least one was answered. The events that webhooks want are recorded with
    /// the changes. A mention of any member of the entity's domain group counts as its own.
    pub(crate) async fn recommend(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        check: CheckKey,
        names: WorkspaceNames,
        can_retire_recommendations: bool,
        webhooks: &[Webhook],
    ) -> Result<(), CheckerError> {
        let entity = names.entities.iter().find(|entity| entity.id == *id).cloned();
        let findings = self.findings(tenant, id, check, names, can_retire_recommendations);
        let Some((entity, findings)) = entity.zip(findings.await?) else {
            return Ok(());
        };
        let now = self.clock.now();
        let to_events =
            |update: &BoardUpdate| board_events(&entity, check.check, &findings, update, webhooks, now);
        let update = self
            .store
            .refill_board(tenant, id, check.check, &findings, to_events)
            .await?;
        log(&update);
        Ok(())
    }

    /// Updates the board of an entity after its answers were read again. `check` is its last completed check.
    /// Nothing is retired, no outcome of a task is reported, and webhooks are told nothing, because no check
    /// was made.
    pub(crate) async fn refresh_recommendations(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        check: CheckKey,
    ) -> Result<(), CheckerError> {
        let names = self.workspace_names(tenant).await?;
        let Some(mut findings) = self.findings(tenant, id, check, names, false).await? else {
            return Ok(());
        };
        findings.outcomes.clear();
        let update = self
            .store
            .refresh_board(tenant, id, check.check, &findings, |_| Vec::new())
            .await?;
        log(&update);
        Ok(())
    }

    /// Computes the findings from the facts of the days up to a check. Returns `None` if there is no such
    /// entity.
    async fn findings(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        check: CheckKey,
        names: WorkspaceNames,
        can_retire_recommendations: bool,
    ) -> Result<Option<CheckFindings>, CheckerError> {
        let store = &self.store;
        let WorkspaceNames {
            entities,
            groups,
            known_brands,
        } = names;
        let (prompts, board) = tokio::try_join!(store.prompts(tenant, id), store.board(tenant, id))?;
        let Some(entity) = entities.iter().find(|entity| entity.id == *id).cloned() else {
            return Ok(None);
        };
        let range = required_days(&board.actionables, check.day);
        // Rules count checks, so that one that still runs must not count.
        let index = store
            .fact_index(tenant, id, &[range], Consistency::Strong)
            .await?
            .without_interim();
        let applying = ResolvedGroup::applying_to(id, &groups, &known_brands);
        let facts = self.facts(tenant, id, &index, check.day, &applying).await?;
        let brands = BrandContext {
            own: group_effect(&entity, &groups, &known_brands).brands,
            names: BrandLabels::new(TrackedBrands::new(entities, &KeyScope::default()), &applying),
            groups: applying,
            known: known_brands,
        };
        let rule_input = RuleInput {
            entity: &entity,
            prompts: &prompts,
            catalogue: &self.catalogue,
            brands: &brands,
            facts: &facts,
            day: check.day,
        };
        let mut findings = CheckFindings {
            candidates: candidates(&rule_input),
            can_retire_recommendations,
            outcomes: task_outcomes(&rule_input, &board.actionables),
        };
        self.add_urls(tenant, id, &index, check.day, &board, &mut findings)
            .await?;
        Ok(Some(findings))
    }
}

fn log(update: &BoardUpdate) {
    let (created, changed) = (update.created.len(), update.changed.len());
    tracing::debug!(created, changed, "the board is updated");
}
