//! Deletes a prompt. It no longer counts against the limit, and its item stays as a tombstone.

use domain::id::PromptId;

use crate::entities::write::replace_entity;
use crate::expression::bool_value;
use crate::refusal::require_subscription;
use crate::transaction::Transaction;
use crate::{Refusal, Resource, Store, Tenant, WriteError, keys};

impl Store {
    /// Deletes a prompt. It is no longer asked, listed or counted, and its responses stay.
    pub async fn delete_prompt(&self, tenant: &Tenant, id: &PromptId) -> Result<(), WriteError<Refusal>> {
        let attempt = || async {
            let ordinals = [id.ordinal];
            let (entity, workspace, prompts) = tokio::try_join!(
                self.entity(tenant, &id.entity),
                self.workspace(tenant),
                self.prompts_by_ordinal(tenant, &id.entity, &ordinals)
            )?;
            let mut entity = entity
                .filter(|_| prompts.iter().any(|prompt| !prompt.is_deleted))
                .ok_or(Refusal::NotFound(Resource::Prompt))?;
            require_subscription(workspace, self.clock.now())?;
            let mut transaction = Transaction::default();
            transaction.update(
                &keys::prompt(tenant, &id.entity, id.ordinal),
                "SET #isDeleted = :yes",
                "#isDeleted = :no",
                vec![(":yes", bool_value(true)), (":no", bool_value(false))],
            );
            transaction.count_down(tenant, "#promptsUsed");
            entity.prompts = entity.prompts.saturating_sub(1);
            replace_entity(&mut transaction, tenant, entity)?;
            Ok(self.transact(transaction).await?.done_or_retry(()))
        };
        self.retry_on_conflict("the prompt", attempt).await
    }
}
