//! What a finished check recommends: the board is filled from the facts of its last days.

use domain::check::Check;
use domain::facts::Family;
use domain::facts::visibility::Visibility;
use domain::group::merged;
use domain::id::EntityId;
use domain::period::Range;
use domain::recommend::{Observed, causes};
use store::Tenant;

use crate::{Checker, CheckerError};

impl Checker {
    /// Fills the board with what the tracking's own facts of the check's day and the 6 before say; a mention of any
    /// member of its group counts. They are written before, and the window hangs on the check, not on the clock.
    pub(crate) async fn recommend(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        check: &Check,
    ) -> Result<(), CheckerError> {
        let window = Range::recommendations(check.day());
        let (entity, groups, brands, prompts, index) = tokio::try_join!(
            self.store.entity(tenant, id),
            self.store.groups(tenant),
            self.store.brands(tenant),
            self.store.prompts(tenant, id),
            self.store.fact_index(tenant, id, &window, true),
        )?;
        let Some(entity) = entity else {
            return Ok(());
        };
        let named = index.of(Family::Visibility)?;
        let visibility = self
            .store
            .segments(tenant, id, Family::Visibility, &named, |_| true, true)
            .await?
            .iter()
            .map(|(_, sealed)| Visibility::decode(sealed))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|e| CheckerError::Facts(e.to_string()))?;
        let causes = causes(&Observed {
            entity: &entity,
            brands: &merged(&entity, &groups, &brands).brands,
            prompts: &prompts,
            window: &window,
            visibility: &visibility,
        });
        let refill = self.store.refill_board(tenant, id, check.check, &causes).await?;
        let (created, refreshed) = (refill.created.len(), refill.refreshed.len());
        tracing::debug!(entity = %id, check = check.check, created, refreshed, "the board is filled");
        Ok(())
    }
}
