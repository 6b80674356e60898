//! Updates a board with the findings of a check.

use domain::board::{BoardUpdate, CheckFindings, update_board};
use domain::id::EntityId;
use domain::ordinal::CheckNumber;
use domain::webhook::Event;

use super::BoardChange;
use crate::retry::Attempt;
use crate::webhooks::add_events;
use crate::{Store, StoreError, Tenant};

impl Store {
    /// Updates the board with the findings of a check, which have at most 30 outcomes, and fills it up to 30
    /// active actionables. A board that contains the findings of this check or a later one does not change,
    /// and neither does the board of a deleted entity. The events that `to_events` makes of the changes are
    /// recorded with them.
    pub async fn refill_board(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckNumber,
        findings: &CheckFindings,
        to_events: impl Fn(&BoardUpdate) -> Vec<Event>,
    ) -> Result<BoardUpdate, StoreError> {
        let is_new = |filled_by| filled_by < check;
        let attempt = || self.try_to_refill(tenant, entity, check, findings, is_new, &to_events);
        self.retry_on_conflict("the board", attempt).await
    }

    /// Updates the board with findings from the facts of its last check, `check`, which were computed again.
    /// Nothing is retired. A board that contains the findings of a later check does not change, and neither
    /// does the board of a deleted entity. The events that `to_events` makes of the changes are recorded with
    /// them.
    pub async fn refresh_board(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckNumber,
        findings: &CheckFindings,
        to_events: impl Fn(&BoardUpdate) -> Vec<Event>,
    ) -> Result<BoardUpdate, StoreError> {
        debug_assert!(!findings.can_retire_recommendations);
        let is_current = |filled_by| filled_by <= check;
        let attempt = || self.try_to_refill(tenant, entity, check, findings, is_current, &to_events);
        self.retry_on_conflict("the board", attempt).await
    }

    async fn try_to_refill(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        check: CheckNumber,
        findings: &CheckFindings,
        applies_to: impl Fn(CheckNumber) -> bool,
        to_events: impl Fn(&BoardUpdate) -> Vec<Event>,
    ) -> Result<Attempt<BoardUpdate>, StoreError> {
        let (entity, mut state) = tokio::try_join!(self.entity(tenant, id), self.board_state(tenant, id))?;
        let Some(entity) = entity.filter(|_| applies_to(state.filled_by)) else {
            return Ok(Attempt::Done(BoardUpdate::default()));
        };
        let actionables = self.actionables(tenant, id).await?;
        let update = update_board(
            &actionables,
            findings,
            state.actionable_seq.next(),
            self.clock.now(),
        );
        state.filled_by = check;
        state.actionable_seq = update
            .created
            .last()
            .map_or(state.actionable_seq, |last| last.ordinal);

        let active = update.count_active(&actionables);
        let mut change = BoardChange::new(tenant, entity, state, Some(active))?;
        for actionable in &update.changed {
            change.transaction.overwrite(change.actionable_item(actionable)?);
        }
        for actionable in &update.created {
            change.transaction.create(change.actionable_item(actionable)?);
        }
        add_events(self, &mut change.transaction, tenant, &to_events(&update))?;
        Ok(self.transact(change.transaction).await?.done_or_retry(update))
    }
}
