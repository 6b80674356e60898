//! Computes an entity's recommendations and writes them to its board.

use domain::check::Check;
use domain::group::{BrandLabels, ResolvedGroup, group_effect};
use domain::id::EntityId;
use domain::recommend::{BrandContext, CheckFindings, RuleInput, candidates, required_days, task_outcomes};
use store::Tenant;

use crate::{Checker, CheckerError};

impl Checker {
    /// Updates the board of an entity after a check. `can_retire_recommendations` is true if every question of the check
    /// was asked and at least one was answered. A mention of any member of the entity's domain group counts as its own.
    pub(crate) async fn recommend(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        check: &Check,
        can_retire_recommendations: bool,
    ) -> Result<(), CheckerError> {
        let store = &self.store;
        let (entities, groups, known_brands, prompts, board) = tokio::try_join!(
            store.entities(tenant),
            store.groups(tenant),
            store.brands(tenant),
            store.prompts(tenant, id),
            store.board(tenant, id),
        )?;
        let Some(entity) = entities.iter().find(|entity| entity.id == *id).cloned() else {
            return Ok(());
        };
        let range = required_days(&board.actionables, check.day());
        let index = store.fact_index(tenant, id, &range, true).await?;
        let applying = ResolvedGroup::applying_to(id, &groups, &known_brands);
        let facts = self.facts(tenant, id, &index, check.day(), &applying).await?;
        let brands = BrandContext {
            own: group_effect(&entity, &groups, &known_brands).brands,
            names: BrandLabels::new(BrandLabels::oldest(entities), &applying),
            groups: applying,
            known: known_brands,
        };
        let rule_input = RuleInput {
            entity: &entity,
            prompts: &prompts,
            catalogue: &self.catalogue,
            brands: &brands,
            facts: &facts,
            day: check.day(),
        };
        let mut findings = CheckFindings {
            candidates: candidates(&rule_input),
            can_retire_recommendations,
            outcomes: task_outcomes(&rule_input, &board.actionables),
        };
        self.add_urls(tenant, id, &index, check.day(), &board, &mut findings)
            .await?;
        let update = store.refill_board(tenant, id, check.check, &findings).await?;
        let (created, changed) = (update.created.len(), update.changed.len());
        tracing::debug!(created, changed, "the board is updated");
        Ok(())
    }
}
