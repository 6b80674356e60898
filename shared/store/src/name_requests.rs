//! Name requests of entities. At most one request of an entity is pending. ENTITY refers to the latest one
//! and is written with each, so that concurrent requests and reviews conflict.

use domain::entity::Entity;
use domain::id::{EntityId, NameRequestId};
use domain::name_request::{NameRequest, ReviewDecision, ReviewStatus};
use domain::time::{MILLISECOND, Timestamp};
use futures::{StreamExt, TryStreamExt};
use thiserror::Error;
use uuid::Uuid;

use crate::entities::names::TakenName;
use crate::entities::target::EntityWrite;
use crate::entities::write::replace_entity;
use crate::expression::string_value;
use crate::items::{Consistency, to_item};
use crate::refusal::require_subscription;
use crate::retry::Attempt;
use crate::transaction::Transaction;
use crate::{Refusal, ReplyRecorder, Resource, Store, StoreError, Tenant, WriteError, keys};

const CONCURRENCY: usize = 8;

/// A name request to file, already validated.
#[derive(Debug, Clone)]
pub struct NewNameRequest {
    pub name: String,
    /// The aliases that replace those of the entity, if any are given.
    pub aliases: Option<Vec<String>>,
    /// The client's reason, empty if none was given.
    pub reason: String,
}

/// Why a name request is not filed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NameRequestError {
    #[error(transparent)]
    Common(#[from] Refusal),
    #[error("the entity already has this name")]
    SameName,
    #[error("another brand has the name")]
    NameTaken(TakenName),
    #[error("another brand has an alias")]
    AliasTaken(TakenName),
    #[error("another name request is pending")]
    Pending,
}

/// Why a name request is not reviewed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReviewError {
    #[error(transparent)]
    Common(#[from] Refusal),
    #[error("no name request is pending")]
    NotPending,
    /// The name is also the entity's target, and another entity tracks it.
    #[error("another entity tracks the name")]
    AlreadyTracked,
    #[error("another brand has the name or an alias")]
    NameTaken(TakenName),
}

impl Store {
    /// Files a name request.
    pub async fn request_name(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        new: &NewNameRequest,
        recorder: &ReplyRecorder<'_, NameRequest>,
    ) -> Result<NameRequest, WriteError<NameRequestError>> {
        let id = NameRequestId::from_random(Uuid::new_v4());
        let attempt = || async {
            let (entity, workspace) = tokio::try_join!(self.entity(tenant, entity), self.workspace(tenant))?;
            let (mut entity, workspace) = entity.zip(workspace).ok_or(Refusal::NotFound(Resource::Entity))?;
            if entity.name == new.name && new.aliases.is_none() {
                return Err(WriteError::Refused(NameRequestError::SameName));
            }
            require_subscription(Some(workspace), self.clock.now())?;
            let entities = self.entities(tenant).await?;
            let renamed = Entity {
                name: new.name.clone(),
                aliases: new.aliases.clone().unwrap_or_else(|| entity.aliases.clone()),
                ..entity.clone()
            };
            if let Some(taken) = renamed.name_of_another_brand(Some(&entity), &entities) {
                let refused = if taken == renamed.name {
                    NameRequestError::NameTaken
                } else {
                    NameRequestError::AliasTaken
                };
                return Err(WriteError::Refused(refused(TakenName(taken.to_owned()))));
            }
            let last = self.last_name_request(tenant, &entity).await?;
            if last.as_ref().is_some_and(NameRequest::is_pending) {
                return Err(WriteError::Refused(NameRequestError::Pending));
            }
            // The new request must be the latest, even if clocks differ.
            let after_last = last.map_or(Timestamp::from_millis(0), |last| last.created_at + MILLISECOND);
            let request = NameRequest {
                id,
                entity: entity.id,
                current_name: entity.name.clone(),
                suggested_name: new.name.clone(),
                suggested_aliases: new.aliases.clone(),
                reason: new.reason.clone(),
                status: ReviewStatus::Pending,
                created_at: self.clock.now().max(after_last),
                reviewed_at: None,
                review_note: None,
            };
            entity.last_name_request = Some(request.created_at);
            let mut transaction = Transaction::default();
            transaction.require_not_canceled(tenant);
            transaction.create(to_item(
                &keys::name_request(tenant, &entity.id, request.created_at),
                &request,
            )?);
            replace_entity(&mut transaction, tenant, entity)?;
            self.commit(transaction, tenant, recorder, request).await
        };
        self.retry_on_conflict("the entity", attempt).await
    }

    /// Reads the entity's latest name request, strongly consistent.
    pub async fn last_name_request(
        &self,
        tenant: &Tenant,
        entity: &Entity,
    ) -> Result<Option<NameRequest>, StoreError> {
        match entity.last_name_request {
            Some(at) => {
                self.get(&keys::name_request(tenant, &entity.id, at), Consistency::Strong)
                    .await
            }
            None => Ok(None),
        }
    }

    /// Lists the name requests of all entities of the workspace, newest first.
    pub async fn name_requests(&self, tenant: &Tenant) -> Result<Vec<NameRequest>, StoreError> {
        let entities = self.entities(tenant).await?;
        let with_requests = entities
            .iter()
            .filter(|entity| entity.last_name_request.is_some());
        let partitions: Vec<String> = with_requests
            .map(|entity| keys::entity_partition(tenant, &entity.id))
            .collect();
        let read_requests =
            |partition: String| async move { self.list::<NameRequest>(&partition, keys::NAME_REQUEST).await };
        let mut found: Vec<NameRequest> = futures::stream::iter(partitions)
            .map(read_requests)
            .buffered(CONCURRENCY)
            .try_concat()
            .await?;
        found.sort_by(|a, b| (b.created_at, &a.entity).cmp(&(a.created_at, &b.entity)));
        Ok(found)
    }

    /// Approves or rejects the pending name request of an entity. If it is approved, the entity gets the
    /// name.
    pub async fn review_name(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        decision: ReviewDecision,
        note: &str,
    ) -> Result<NameRequest, WriteError<ReviewError>> {
        let attempt = || async {
            let (entity, workspace) = tokio::try_join!(self.entity(tenant, entity), self.workspace(tenant))?;
            let (entity, workspace) = entity.zip(workspace).ok_or(Refusal::NotFound(Resource::Entity))?;
            let last = self.last_name_request(tenant, &entity).await?;
            let pending = last.filter(NameRequest::is_pending);
            let pending = pending.ok_or(WriteError::Refused(ReviewError::NotPending))?;
            let reviewed = pending.reviewed(decision, note, self.clock.now());
            let mut transaction = Transaction::default();
            transaction.put(
                to_item(
                    &keys::name_request(tenant, &entity.id, reviewed.created_at),
                    &reviewed,
                )?,
                "#status = :pending",
                vec![(":pending", string_value(ReviewStatus::Pending.into_str()))],
            );
            let after = match decision {
                ReviewDecision::Approve => {
                    let after = entity
                        .renamed(&reviewed.suggested_name, reviewed.suggested_aliases.as_deref())
                        .map_err(|e| StoreError::internal("decoding a requested name", e))?;
                    let taken = self
                        .change_names(&mut transaction, tenant, &workspace, &entity, &after)
                        .await?;
                    if let Some(taken) = taken {
                        return Err(WriteError::Refused(ReviewError::NameTaken(taken)));
                    }
                    after
                }
                ReviewDecision::Reject => entity.clone(),
            };
            match self.write_entity(transaction, tenant, &entity, after).await? {
                EntityWrite::Done => Ok(Attempt::Done(reviewed)),
                EntityWrite::TargetTaken => Err(WriteError::Refused(ReviewError::AlreadyTracked)),
                EntityWrite::Stale => Ok(Attempt::Retry),
            }
        };
        self.retry_on_conflict("the entity", attempt).await
    }
}
