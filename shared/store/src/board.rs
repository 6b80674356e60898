//! The board of an entity. Changes are serial: each reads the BOARD item before the other items of the board,
//! and writes it on the condition of the revision that was read. What was read is therefore still current
//! when the change is written.

pub(crate) mod create_task;
pub(crate) mod dismiss;
pub(crate) mod move_task;
mod read;
mod refill;

use domain::board::{Actionable, Task};
use domain::entity::Entity;
use domain::id::EntityId;
use domain::ordinal::{ActionableOrdinal, CheckNumber, TaskOrdinal};
use domain::time::Timestamp;
use serde::{Deserialize, Serialize};

use crate::entities::write::replace_entity;
use crate::items::{Consistency, Item, to_expiring_item, to_item};
use crate::keys::Key;
use crate::refusal::check_subscription;
use crate::transaction::Transaction;
use crate::{Refusal, Resource, Store, StoreError, Tenant, WriteError, keys};

/// The board's own item. A board without one is empty.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct BoardState {
    /// The last ordinals of actionables and tasks, and the last position of a task in a column.
    actionable_seq: ActionableOrdinal,
    task_seq: TaskOrdinal,
    sort_seq: u32,
    /// The last check whose findings the board contains.
    filled_by: CheckNumber,
    revision: u32,
}

impl Store {
    /// Reads what a client's change of the board depends on, and then the `item` that it changes. Refuses
    /// what does not exist and a workspace to which clients cannot write.
    async fn open_board<T, R: From<Refusal>>(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        resource: Resource,
        item: impl Future<Output = Result<Option<T>, StoreError>>,
    ) -> Result<(Entity, BoardState, T), WriteError<R>> {
        let (entity, workspace, state) = tokio::try_join!(
            self.entity(tenant, entity),
            self.workspace(tenant),
            self.board_state(tenant, entity)
        )?;
        let not_found = Refusal::NotFound(resource);
        let (entity, workspace) = entity.zip(workspace).ok_or(not_found.clone())?;
        let item = item.await?.ok_or(not_found)?;
        check_subscription(&workspace, self.clock.now())?;
        Ok((entity, state, item))
    }

    async fn board_state(&self, tenant: &Tenant, entity: &EntityId) -> Result<BoardState, StoreError> {
        let state = self
            .get(&keys::board(tenant, entity), Consistency::Strong)
            .await?;
        Ok(state.unwrap_or_default()) // A board without an item is empty.
    }
}

/// A transaction that changes an entity's board.
struct BoardChange<'a> {
    tenant: &'a Tenant,
    entity: EntityId,
    transaction: Transaction,
}

impl<'a> BoardChange<'a> {
    /// Creates a change that writes `state`. It fails if the board has changed since it was read, or the
    /// entity is deleted.
    ///
    /// `active` is the number of active actionables after the change, or `None` if the change does not
    /// concern it. If the entity has another number, the change also fails if anything else of the entity has
    /// changed.
    fn new(
        tenant: &'a Tenant,
        mut entity: Entity,
        mut state: BoardState,
        active: Option<usize>,
    ) -> Result<Self, StoreError> {
        let read = state.revision;
        state.revision += 1;
        let id = entity.id;
        let mut transaction = Transaction::default();
        transaction.replace(to_item(&keys::board(tenant, &id), &state)?, read);
        let counted = active.and_then(|count| u32::try_from(count).ok());
        let counted = counted.filter(|count| *count != entity.active_actionables);
        if let Some(counted) = counted {
            entity.active_actionables = counted;
            replace_entity(&mut transaction, tenant, entity)?;
        } else {
            transaction.condition_check(
                &keys::entity(tenant, &id),
                "attribute_exists(PK) AND attribute_not_exists(#deletedAt)",
                Vec::new(),
            );
        }
        Ok(Self {
            tenant,
            entity: id,
            transaction,
        })
    }

    /// Creates a change for a client. It fails under the conditions of [`BoardChange::new`], or if the
    /// subscription is canceled.
    fn by_client(
        tenant: &'a Tenant,
        entity: Entity,
        state: BoardState,
        active: Option<usize>,
    ) -> Result<Self, StoreError> {
        let mut change = Self::new(tenant, entity, state, active)?;
        change.transaction.require_not_canceled(tenant);
        Ok(change)
    }

    fn actionable_item(&self, actionable: &Actionable) -> Result<Item, StoreError> {
        let key = keys::actionable(self.tenant, &self.entity, actionable.ordinal);
        item_with_expiry(&key, actionable, actionable.expires_at())
    }

    fn task_item(&self, task: &Task) -> Result<Item, StoreError> {
        let key = keys::task(self.tenant, &self.entity, task.ordinal);
        item_with_expiry(&key, task, task.expires_at())
    }
}

/// Returns the item of a value. The item expires at `expires`, or never if that is `None`.
fn item_with_expiry<T: Serialize>(
    key: &Key,
    value: &T,
    expires: Option<Timestamp>,
) -> Result<Item, StoreError> {
    match expires {
        Some(expires) => to_expiring_item(key, value, expires),
        None => to_item(key, value),
    }
}
