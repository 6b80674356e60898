//! Computes an entity's recommendations and writes them to its board.

use domain::check::Check;
use domain::group::{BrandLabels, MergedBrands, group_effect};
use domain::id::EntityId;
use domain::recommend::{BrandContext, CheckFindings, RuleInput, candidates, required_days, task_outcomes};
use store::Tenant;

use crate::{Checker, CheckerError};

impl Checker {
    /// Updates the board of an entity after a check. `is_complete` tells whether every question of the check was asked
    /// and at least one was answered. A mention of any member of the entity's domain group counts as its own.
    pub(crate) async fn recommend(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        check: &Check,
        is_complete: bool,
    ) -> Result<(), CheckerError> {
        let store = &self.store;
        let (entities, groups, known, prompts, board) = tokio::try_join!(
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
        let rows = MergedBrands::of_tracking(id, &groups, &known);
        let facts = self.facts(tenant, id, &index, check.day(), &rows).await?;
        let brands = BrandContext {
            own: group_effect(&entity, &groups, &known).brands,
            names: BrandLabels::new(BrandLabels::oldest(entities), &rows),
            merged: rows,
            known,
        };
        let observed = RuleInput {
            entity: &entity,
            prompts: &prompts,
            catalogue: &self.catalogue,
            brands: &brands,
            facts: &facts,
            day: check.day(),
        };
        let mut found = CheckFindings {
            candidates: candidates(&observed),
            is_complete,
            outcomes: task_outcomes(&observed, &board.actionables),
        };
        self.add_urls(tenant, id, &index, check.day(), &board, &mut found)
            .await?;
        let refill = store.refill_board(tenant, id, check.check, &found).await?;
        let (created, changed) = (refill.created.len(), refill.changed.len());
        tracing::debug!(created, changed, "the board is updated");
        Ok(())
    }
}
