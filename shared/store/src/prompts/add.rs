//! Adds prompts. The transaction that creates them also assigns their ordinals.

use domain::id::EntityId;
use domain::number::to_u32;
use domain::ordinal::PromptOrdinal;
use domain::prompt::{NewPrompt, Prompt, deduplicate_for_entity};
use domain::time::Timestamp;

use crate::entities::write::replace_entity;
use crate::expression::number_value;
use crate::items::to_item;
use crate::refusal::{require_free_prompts, require_subscription};
use crate::transaction::Transaction;
use crate::{Refusal, ReplyRecorder, Resource, Store, Tenant, WriteError, keys};

/// Returns the prompts with the ordinals that follow `last`.
pub(crate) fn new_prompts(new: &[NewPrompt], last: PromptOrdinal, now: Timestamp) -> Vec<Prompt> {
    std::iter::successors(Some(last.next()), |ordinal| Some(ordinal.next()))
        .zip(new)
        .map(|(ordinal, new)| Prompt {
            ordinal,
            text: new.text.clone(),
            language: new.language,
            geolocation: new.geolocation,
            created_at: now,
            is_active: true,
            is_deleted: false,
            tags: new.tags.clone(),
        })
        .collect()
}

impl Store {
    /// Adds all of the prompts to an entity, or none. Duplicates become one prompt. The first active prompt
    /// of an active entity makes the entity due.
    pub async fn add_prompts(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        new: &[NewPrompt],
        recorder: &ReplyRecorder<'_, Vec<Prompt>>,
    ) -> Result<Vec<Prompt>, WriteError<Refusal>> {
        let attempt = || async {
            let now = self.clock.now();
            let (entity, workspace, has_active_prompt) = tokio::try_join!(
                self.entity(tenant, id),
                self.workspace(tenant),
                self.has_active_prompt(tenant, id)
            )?;
            let (mut entity, workspace) = entity.zip(workspace).ok_or(Refusal::NotFound(Resource::Entity))?;
            let workspace = require_subscription(Some(workspace), self.clock.now())?;
            let new = deduplicate_for_entity(new.to_vec(), entity.language, entity.geolocation)
                .map_err(Refusal::from)?;
            let count = to_u32(new.len());
            require_free_prompts(&workspace, new.len())?;
            let prompts = new_prompts(&new, entity.prompt_seq, now);
            entity.prompt_seq = prompts.last().map_or(entity.prompt_seq, |last| last.ordinal);
            entity.prompts += count;
            if !has_active_prompt {
                entity.make_due(now);
            }

            let mut transaction = Transaction::default();
            let max = i64::from(workspace.prompts_limit) - i64::from(count);
            transaction.update_workspace(
                tenant,
                "SET #promptsUsed = #promptsUsed + :count",
                "#promptsUsed <= :max AND #promptsLimit = :limit",
                vec![
                    (":count", number_value(count)),
                    (":max", number_value(max)),
                    (":limit", number_value(workspace.prompts_limit)),
                ],
            );
            replace_entity(&mut transaction, tenant, entity)?;
            for prompt in &prompts {
                transaction.create(to_item(&keys::prompt(tenant, id, prompt.ordinal), prompt)?);
            }
            self.commit(transaction, tenant, recorder, prompts).await
        };
        self.retry_on_conflict("the entity", attempt).await
    }
}
