//! Updates an entity as a client requests.

use domain::catalogue::Catalogue;
use domain::entity::{Entity, EntityUpdate};
use domain::id::EntityId;
use thiserror::Error;

use super::names::TakenName;
use super::target::EntityWrite;
use crate::refusal::require_subscription;
use crate::retry::Attempt;
use crate::transaction::Transaction;
use crate::{Refusal, Resource, Store, Tenant, WriteError};

/// Why an entity is not updated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UpdateEntityError {
    #[error(transparent)]
    Common(#[from] Refusal),
    /// Another entity tracks the target.
    #[error("another entity tracks the target")]
    AlreadyTracked,
    #[error("another brand has the alias")]
    AliasTaken(TakenName),
}

impl Store {
    /// Updates an entity and returns it. `catalogue` contains the models that can be asked. If nothing
    /// changes, nothing is written.
    pub async fn update_entity(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        change: &EntityUpdate,
        catalogue: &Catalogue,
    ) -> Result<Entity, WriteError<UpdateEntityError>> {
        let attempt = || async {
            let (entity, workspace) = tokio::try_join!(self.entity(tenant, id), self.workspace(tenant))?;
            let (entity, workspace) = entity.zip(workspace).ok_or(Refusal::NotFound(Resource::Entity))?;
            let changed = entity
                .with_update(change, catalogue, self.clock.now())
                .map_err(Refusal::from)?;
            let workspace = require_subscription(Some(workspace), self.clock.now())?;
            if changed == entity {
                return Ok(Attempt::Done(entity));
            }
            let mut transaction = Transaction::default();
            if changed.aliases == entity.aliases {
                transaction.require_not_canceled(tenant);
            } else {
                let taken = self
                    .change_names(&mut transaction, tenant, &workspace, &entity, &changed)
                    .await?;
                if let Some(taken) = taken {
                    return Err(WriteError::Refused(UpdateEntityError::AliasTaken(taken)));
                }
            }
            let written = self
                .write_entity(transaction, tenant, &entity, changed.clone())
                .await?;
            match written {
                EntityWrite::Done => Ok(Attempt::Done(changed)),
                EntityWrite::TargetTaken => Err(WriteError::Refused(UpdateEntityError::AlreadyTracked)),
                EntityWrite::Stale => Ok(Attempt::Retry),
            }
        };
        self.retry_on_conflict("the entity", attempt).await
    }
}
