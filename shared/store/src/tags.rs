//! Tags of a workspace, counted in the transaction that makes or deletes one.

use domain::id::TagId;
use domain::limits::MAX_TAGS_PER_WORKSPACE;
use domain::tag::{Tag, TagName};
use domain::workspace::Status;
use serde::Serialize;
use uuid::Uuid;

use crate::expression::{n, s};
use crate::items::{STRONG, Sort, to_item};
use crate::transaction::{Outcome, Transaction};
use crate::{Once, Store, StoreError, Tenant, keys};

/// Why a tag is not made or deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagError {
    UnknownTag,
    Canceled,
    TagLimit,
    /// The workspace has a tag of this folded name.
    NameTaken,
}

/// What a folded name is taken by.
#[derive(Serialize)]
struct TakenName<'a> {
    tag: &'a TagId,
}

impl Store {
    /// The workspace's tags, in the order of their creation, strongly consistent.
    pub async fn tags(&self, tenant: &Tenant) -> Result<Vec<Tag>, StoreError> {
        let partition = keys::workspace_partition(tenant);
        let mut found: Vec<Tag> = self
            .query_as(&partition, Sort::Prefix(keys::TAG.to_owned()), STRONG)
            .await?;
        found.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
        Ok(found)
    }

    /// Makes a tag, if there is room and its name is free.
    pub async fn create_tag(
        &self,
        tenant: &Tenant,
        name: &TagName,
        once: &Once<'_, Tag>,
    ) -> Result<Result<Tag, TagError>, StoreError> {
        let id = TagId::from_random(Uuid::new_v4());
        let attempt = || async {
            let workspace = self.workspace(tenant).await?;
            let Some(workspace) = workspace.filter(|workspace| workspace.status != Status::Canceled) else {
                return Ok(Some(Err(TagError::Canceled)));
            };
            if workspace.tags_used >= MAX_TAGS_PER_WORKSPACE {
                return Ok(Some(Err(TagError::TagLimit)));
            }
            let tag = Tag {
                id: id.clone(),
                name: name.clone(),
                created_at: self.clock.now(),
            };
            let mut transaction = Transaction::default();
            transaction.update(
                keys::workspace(tenant),
                "SET #tagsUsed = #tagsUsed + :one",
                "#tagsUsed < :limit AND #status <> :canceled",
                vec![
                    (":one", n(1)),
                    (":limit", n(MAX_TAGS_PER_WORKSPACE)),
                    (":canceled", s(Status::Canceled.name())),
                ],
            );
            let name = transaction.create(to_item(&keys::tag_name(tenant, name), &TakenName { tag: &id })?);
            transaction.create(to_item(&keys::tag(tenant, &id), &tag)?);
            once.record(self, &mut transaction, tenant, &tag)?;
            Ok(match self.transact(transaction).await? {
                Outcome::Done => Some(Ok(tag)),
                Outcome::Refused(refusals) if refusals.failed(name) => Some(Err(TagError::NameTaken)),
                // The limit was reached, or the subscription canceled: look again.
                Outcome::Refused(_) => None,
            })
        };
        self.retry_on_conflict("the workspace", attempt).await
    }

    /// Deletes a tag. Prompts keep its id, which means nothing any more.
    pub async fn delete_tag(&self, tenant: &Tenant, id: &TagId) -> Result<Result<(), TagError>, StoreError> {
        let attempt = || async {
            let key = keys::tag(tenant, id);
            let (workspace, tag) = tokio::try_join!(self.workspace(tenant), self.get::<Tag>(&key, true))?;
            let Some(tag) = tag else {
                return Ok(Some(Err(TagError::UnknownTag)));
            };
            if workspace.is_none_or(|workspace| workspace.status == Status::Canceled) {
                return Ok(Some(Err(TagError::Canceled)));
            }
            let mut transaction = Transaction::default();
            transaction.delete(key);
            transaction.delete(keys::tag_name(tenant, &tag.name));
            transaction.update(
                keys::workspace(tenant),
                "SET #tagsUsed = #tagsUsed - :one",
                "#tagsUsed > :zero AND #status <> :canceled",
                vec![
                    (":one", n(1)),
                    (":zero", n(0)),
                    (":canceled", s(Status::Canceled.name())),
                ],
            );
            Ok(match self.transact(transaction).await? {
                Outcome::Done => Some(Ok(())),
                // Another request deleted it, or the subscription was canceled: look again.
                Outcome::Refused(_) => None,
            })
        };
        self.retry_on_conflict("the tag", attempt).await
    }
}
