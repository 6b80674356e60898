//! Deleting a prompt: its slot is free at once, its item stays as a tombstone.

use domain::id::PromptId;
use domain::workspace::Status;

use super::change::PromptError;
use crate::entities::write::replace_entity;
use crate::expression::{b, n, s};
use crate::transaction::{Outcome, Transaction};
use crate::{Store, StoreError, Tenant, keys};

impl Store {
    /// Deletes a prompt: it is no longer asked, listed or counted, and its answers stay.
    pub async fn delete_prompt(
        &self,
        tenant: &Tenant,
        id: &PromptId,
    ) -> Result<Result<(), PromptError>, StoreError> {
        let attempt = || async {
            let numbers = [id.ordinal];
            let (entity, workspace, prompts) = tokio::try_join!(
                self.entity(tenant, &id.entity),
                self.workspace(tenant),
                self.prompts_by_number(tenant, &id.entity, &numbers)
            )?;
            let Some(mut entity) = entity.filter(|_| prompts.iter().any(|prompt| !prompt.is_deleted)) else {
                return Ok(Some(Err(PromptError::UnknownPrompt)));
            };
            if workspace.is_none_or(|workspace| workspace.status == Status::Canceled) {
                return Ok(Some(Err(PromptError::Canceled)));
            }
            let mut transaction = Transaction::default();
            transaction.update(
                keys::prompt(tenant, &id.entity, id.ordinal),
                "SET #isDeleted = :yes",
                "#isDeleted = :no",
                vec![(":yes", b(true)), (":no", b(false))],
            );
            transaction.update(
                keys::workspace(tenant),
                "SET #promptsUsed = #promptsUsed - :one",
                "#promptsUsed > :zero AND #status <> :canceled",
                vec![
                    (":one", n(1)),
                    (":zero", n(0)),
                    (":canceled", s(Status::Canceled.name())),
                ],
            );
            entity.prompts = entity.prompts.saturating_sub(1);
            replace_entity(&mut transaction, tenant, entity)?;
            Ok(match self.transact(transaction).await? {
                Outcome::Done => Some(Ok(())),
                // The prompt, the counters or the entity moved: look again.
                Outcome::Refused(_) => None,
            })
        };
        self.retry_on_conflict("the prompt", attempt).await
    }
}
