//! Tags of a workspace. The transaction that creates or deletes one also counts it.

use domain::id::TagId;
use domain::limits::MAX_TAGS_PER_WORKSPACE;
use domain::tag::{Tag, TagName};
use serde::Serialize;
use thiserror::Error;
use uuid::Uuid;

use crate::expression::number_value;
use crate::items::{Consistency, to_item};
use crate::refusal::require_subscription;
use crate::retry::Attempt;
use crate::transaction::{Outcome, Transaction};
use crate::{Refusal, ReplyRecorder, Resource, Store, StoreError, Tenant, WriteError, keys};

/// Why a tag is not created.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TagError {
    #[error(transparent)]
    Common(#[from] Refusal),
    #[error("the limit of tags is reached")]
    TagLimit,
    /// The workspace has a tag with the same folded name.
    #[error("the name is taken")]
    NameTaken,
}

#[derive(Serialize)]
struct TakenName<'a> {
    tag: &'a TagId,
}

impl Store {
    /// Lists the workspace's tags in the order of their creation, strongly consistent.
    pub async fn tags(&self, tenant: &Tenant) -> Result<Vec<Tag>, StoreError> {
        let partition = keys::workspace_partition(tenant);
        let mut found: Vec<Tag> = self.list(&partition, keys::TAG).await?;
        found.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
        Ok(found)
    }

    /// Creates a tag unless the limit of tags is reached or its name is taken.
    pub async fn create_tag(
        &self,
        tenant: &Tenant,
        name: &TagName,
        recorder: &ReplyRecorder<'_, Tag>,
    ) -> Result<Tag, WriteError<TagError>> {
        let id = TagId::from_random(Uuid::new_v4());
        let attempt = || async {
            let workspace = require_subscription(self.workspace(tenant).await?, self.clock.now())?;
            if workspace.tags_used >= MAX_TAGS_PER_WORKSPACE {
                return Err(WriteError::Refused(TagError::TagLimit));
            }
            let tag = Tag {
                id,
                name: name.clone(),
                created_at: self.clock.now(),
            };
            let mut transaction = Transaction::default();
            let limit = vec![
                (":one", number_value(1)),
                (":limit", number_value(MAX_TAGS_PER_WORKSPACE)),
            ];
            let count = "SET #tagsUsed = #tagsUsed + :one";
            transaction.update_workspace(tenant, count, "#tagsUsed < :limit", limit);
            let name = transaction.create(to_item(&keys::tag_name(tenant, name), &TakenName { tag: &id })?);
            transaction.create(to_item(&keys::tag(tenant, &id), &tag)?);
            recorder.add_to(self, &mut transaction, tenant, &tag)?;
            match self.transact_with_reply(transaction).await? {
                Outcome::Committed => Ok(Attempt::Done(tag)),
                Outcome::Rejected(failed) if failed.contains(name) => {
                    Err(WriteError::Refused(TagError::NameTaken))
                }
                // The limit was reached, or the subscription was canceled.
                Outcome::Rejected(_) => Ok(Attempt::Retry),
            }
        };
        self.retry_on_conflict("the workspace", attempt).await
    }

    /// Deletes a tag. Prompts keep its id, which is ignored when they are read.
    pub async fn delete_tag(&self, tenant: &Tenant, id: &TagId) -> Result<(), WriteError<Refusal>> {
        let attempt = || async {
            let key = keys::tag(tenant, id);
            let found = self.get(&key, Consistency::Strong);
            let tag: Tag = self.for_write::<_, Refusal>(tenant, Resource::Tag, found).await?;
            let mut transaction = Transaction::default();
            transaction.delete(&key);
            transaction.delete(&keys::tag_name(tenant, &tag.name));
            transaction.count_down(tenant, "#tagsUsed");
            Ok(self.transact(transaction).await?.done_or_retry(()))
        };
        self.retry_on_conflict("the tag", attempt).await
    }
}
