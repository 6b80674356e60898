//! Adding prompts, numbered in the transaction that creates them.

use domain::id::EntityId;
use domain::prompt::{NewPrompt, Prompt};
use domain::time::Timestamp;
use domain::workspace::Status;

use crate::entities::write::replace_entity;
use crate::expression::{n, s};
use crate::items::to_item;
use crate::transaction::{Outcome, Transaction};
use crate::{Once, Store, StoreError, Tenant, keys};

/// The rule that adding prompts breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddPromptsError {
    UnknownEntity,
    Canceled,
    PromptLimit { limit: u32, free: u32 },
}

pub(crate) fn new_prompts(new: &[NewPrompt], first: u32, now: Timestamp) -> Vec<Prompt> {
    (first..)
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
    /// Adds prompts to an entity, all or none. The first active prompt of an active entity makes it due.
    pub async fn add_prompts(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        new: &[NewPrompt],
        once: &Once<'_, Vec<Prompt>>,
    ) -> Result<Result<Vec<Prompt>, AddPromptsError>, StoreError> {
        let count = u32::try_from(new.len()).unwrap_or(u32::MAX);
        let attempt = || async {
            let now = self.clock.now();
            let (entity, workspace, asks) = tokio::try_join!(
                self.entity(tenant, id),
                self.workspace(tenant),
                self.has_active_prompt(tenant, id)
            )?;
            let (Some(mut entity), Some(workspace)) = (entity, workspace) else {
                return Ok(Some(Err(AddPromptsError::UnknownEntity)));
            };
            if workspace.status == Status::Canceled {
                return Ok(Some(Err(AddPromptsError::Canceled)));
            }
            let free = workspace.prompts_limit.saturating_sub(workspace.prompts_used);
            if count > free {
                return Ok(Some(Err(AddPromptsError::PromptLimit {
                    limit: workspace.prompts_limit,
                    free,
                })));
            }
            let prompts = new_prompts(new, entity.prompt_seq + 1, now);
            entity.prompt_seq += count;
            entity.prompts += count;
            if !asks {
                entity.wake(now);
            }

            let mut transaction = Transaction::default();
            transaction.update(
                keys::workspace(tenant),
                "SET #promptsUsed = #promptsUsed + :count",
                "#promptsUsed <= :most AND #promptsLimit = :limit AND #status <> :canceled",
                vec![
                    (":count", n(count)),
                    (":most", n(i64::from(workspace.prompts_limit) - i64::from(count))),
                    (":limit", n(workspace.prompts_limit)),
                    (":canceled", s(Status::Canceled.name())),
                ],
            );
            replace_entity(&mut transaction, tenant, entity)?;
            for prompt in &prompts {
                transaction.create(to_item(&keys::prompt(tenant, id, prompt.ordinal), prompt)?);
            }
            once.record(self, &mut transaction, tenant, &prompts)?;
            Ok(match self.transact(transaction).await? {
                Outcome::Done => Some(Ok(prompts)),
                // The counters or the entity moved: look again.
                Outcome::Refused(_) => None,
            })
        };
        self.retry_on_conflict("the entity", attempt).await
    }
}
