//! Changing what a client may change of an entity.

use domain::catalogue::Catalogue;
use domain::entity::{Entity, EntityUpdate};
use domain::error::InvalidField;
use domain::id::EntityId;
use domain::workspace::Status;

use super::target::Rewritten;
use crate::transaction::Transaction;
use crate::{Store, StoreError, Tenant};

/// The rule that a change of an entity breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UpdateEntityError {
    UnknownEntity,
    /// The target does not fit the entity.
    InvalidField(InvalidField),
    Canceled,
    /// Another entity tracks the target.
    AlreadyTracked,
}

impl Store {
    /// Changes an entity. `catalogue` has the models that can be asked. The entity as it is then; where it is so
    /// already, nothing is written.
    pub async fn update_entity(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        change: &EntityUpdate,
        catalogue: &Catalogue,
    ) -> Result<Result<Entity, UpdateEntityError>, StoreError> {
        let attempt = || async {
            let (entity, workspace) = tokio::try_join!(self.entity(tenant, id), self.workspace(tenant))?;
            let (Some(entity), Some(workspace)) = (entity, workspace) else {
                return Ok(Some(Err(UpdateEntityError::UnknownEntity)));
            };
            let changed = match entity.changed(change, catalogue, self.clock.now()) {
                Ok(changed) => changed,
                Err(invalid) => return Ok(Some(Err(UpdateEntityError::InvalidField(invalid)))),
            };
            if workspace.status == Status::Canceled {
                return Ok(Some(Err(UpdateEntityError::Canceled)));
            }
            if changed == entity {
                return Ok(Some(Ok(entity)));
            }
            let mut transaction = Transaction::default();
            transaction.unless_canceled(tenant);
            let rewritten = self
                .rewrite_entity(transaction, tenant, &entity, changed.clone())
                .await?;
            Ok(match rewritten {
                Rewritten::Done => Some(Ok(changed)),
                Rewritten::TargetTaken => Some(Err(UpdateEntityError::AlreadyTracked)),
                Rewritten::Moved => None,
            })
        };
        self.retry_on_conflict("the entity", attempt).await
    }
}
