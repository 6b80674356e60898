//! Changing what a client may change of an entity.

use domain::catalogue::Catalogue;
use domain::entity::{Entity, EntityChange};
use domain::error::Invalid;
use domain::id::EntityId;
use domain::workspace::Status;

use super::target::Rewritten;
use crate::transaction::Transaction;
use crate::{Store, StoreError, Tenant};

/// The rule that a change of an entity breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeRefused {
    UnknownEntity,
    /// The target does not fit the entity.
    Invalid(Invalid),
    Canceled,
    /// Another entity tracks the target.
    AlreadyTracked,
}

impl Store {
    /// Changes an entity. `catalogue` has the models that can be asked. The entity as it is then; where it is so
    /// already, nothing is written.
    pub async fn change_entity(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        change: &EntityChange,
        catalogue: &Catalogue,
    ) -> Result<Result<Entity, ChangeRefused>, StoreError> {
        let attempt = || async {
            let (entity, workspace) = tokio::try_join!(self.entity(tenant, id), self.workspace(tenant))?;
            let (Some(entity), Some(workspace)) = (entity, workspace) else {
                return Ok(Some(Err(ChangeRefused::UnknownEntity)));
            };
            let changed = match entity.changed(change, catalogue, self.clock.now()) {
                Ok(changed) => changed,
                Err(invalid) => return Ok(Some(Err(ChangeRefused::Invalid(invalid)))),
            };
            if workspace.status == Status::Canceled {
                return Ok(Some(Err(ChangeRefused::Canceled)));
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
                Rewritten::TargetTaken => Some(Err(ChangeRefused::AlreadyTracked)),
                Rewritten::Moved => None,
            })
        };
        self.settle("the entity", attempt).await
    }
}
