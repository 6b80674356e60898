//! Reads a board.

use domain::board::{Actionable, Board, Task};
use domain::id::{ActionableId, EntityId, TaskId};

use crate::items::{Consistency, SortKeys, from_item};
use crate::{Store, StoreError, Tenant, keys};

impl Store {
    /// Reads the entity's board, strongly consistent.
    pub async fn board(&self, tenant: &Tenant, entity: &EntityId) -> Result<Board, StoreError> {
        let partition = keys::entity_partition(tenant, entity);
        let items = self
            .query(
                &partition,
                SortKeys::Prefix(keys::BOARD.to_owned()),
                Consistency::Strong.into(),
            )
            .await?;
        let (mut actionables, mut tasks) = (Vec::new(), Vec::new());
        for item in items {
            if keys::sort_key(&item).is_some_and(|key| key.starts_with(keys::TASK)) {
                tasks.push(from_item(item)?);
            } else {
                actionables.push(from_item(item)?);
            }
        }
        Ok(Board::new(actionables, tasks))
    }

    /// Lists the entity's actionables in the order of their creation, strongly consistent.
    pub(super) async fn actionables(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
    ) -> Result<Vec<Actionable>, StoreError> {
        let partition = keys::entity_partition(tenant, entity);
        self.list(&partition, keys::ACTIONABLE).await
    }

    /// Returns an actionable and the number of the others that are active, strongly consistent.
    pub(super) async fn actionable_and_active_others(
        &self,
        tenant: &Tenant,
        id: &ActionableId,
    ) -> Result<Option<(Actionable, usize)>, StoreError> {
        let (found, others): (Vec<_>, Vec<_>) = self
            .actionables(tenant, &id.entity)
            .await?
            .into_iter()
            .partition(|actionable| actionable.ordinal == id.ordinal);
        let active = others.iter().filter(|other| other.is_active()).count();
        Ok(found.into_iter().next().map(|found| (found, active)))
    }

    pub(super) async fn actionable(
        &self,
        tenant: &Tenant,
        id: &ActionableId,
    ) -> Result<Option<Actionable>, StoreError> {
        self.get(
            &keys::actionable(tenant, &id.entity, id.ordinal),
            Consistency::Strong,
        )
        .await
    }

    pub(super) async fn task(&self, tenant: &Tenant, id: &TaskId) -> Result<Option<Task>, StoreError> {
        self.get(&keys::task(tenant, &id.entity, id.ordinal), Consistency::Strong)
            .await
    }
}
