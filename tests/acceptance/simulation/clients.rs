//! Actions of clients and of the operator, performed as the API functions and the command line perform them.

use checker::Checker;
use domain::entity::EntityUpdate;
use domain::id::{EntityId, PromptId};
use domain::prompt::{PromptChange, PromptUpdate};
use events::{CheckEvent, CheckRef, EntityRef};
use store::{ReplyRecorder, StoreError, Tenant, Trigger};

use super::schedule::Action;
use crate::store::table::done;

/// Performs the action. Returns `false` if the client is told to retry.
pub(super) async fn perform(checker: &Checker, tenant: &Tenant, entity: &EntityId, action: &Action) -> bool {
    try_to_perform(checker, tenant, entity, action).await.is_ok()
}

async fn try_to_perform(
    checker: &Checker,
    tenant: &Tenant,
    entity: &EntityId,
    action: &Action,
) -> Result<(), StoreError> {
    let (store, catalogue) = (&checker.store, &checker.catalogue);
    let check = |check| CheckRef {
        workspace_id: *tenant.workspace(),
        entity_id: *entity,
        check,
    };
    let prompt = |ordinal| PromptId {
        entity: *entity,
        ordinal,
    };
    let change = |change: EntityUpdate| async move {
        let changed = store.update_entity(tenant, entity, &change, catalogue).await;
        done(changed).map(|_| None)
    };
    let event = match action {
        Action::RunCheck => {
            let not_idempotent = ReplyRecorder::disabled();
            let claim = store.claim_check(tenant, entity, Trigger::Request, catalogue, &not_idempotent);
            done(claim.await)?.map(|claim| CheckEvent::CheckClaimed(check(claim.check)))
        }
        Action::RequestCheck => {
            let entity = store.entity(tenant, entity).await?;
            entity.map(|entity| CheckEvent::CheckWanted(check(entity.check_seq.next())))
        }
        Action::PausePrompt(ordinal) => {
            let is_active = Some(false);
            let change = PromptChange {
                is_active,
                ..PromptChange::default()
            };
            let id = prompt((*ordinal).into());
            let updated = store.update_prompts(tenant, &[PromptUpdate { id, change }]).await;
            done(updated).map(|_| None)?
        }
        Action::DeletePrompt(ordinal) => {
            let deleted = store.delete_prompt(tenant, &prompt((*ordinal).into())).await;
            done(deleted).map(|_| None)?
        }
        Action::DeleteEntity => {
            let deleted_entity = EntityRef {
                workspace_id: *tenant.workspace(),
                entity_id: *entity,
            };
            let deleted = store.delete_entity(tenant, entity).await;
            done(deleted)?.map(|()| CheckEvent::EntityDeleted(deleted_entity))
        }
        Action::Activate | Action::Deactivate => {
            let is_active = Some(*action == Action::Activate);
            change(EntityUpdate {
                is_active,
                ..EntityUpdate::default()
            })
            .await?
        }
        Action::SetAlias(is_set) => {
            let alias = is_set.then(|| "Umbra".to_owned());
            change(EntityUpdate {
                aliases: Some(alias.into_iter().collect()),
                ..EntityUpdate::default()
            })
            .await?
        }
        Action::SelectModels { count, from_last } => {
            let mut models: Vec<_> = catalogue
                .models()
                .iter()
                .map(domain::catalogue::Model::uuid)
                .collect();
            if *from_last {
                models.reverse();
            }
            models.truncate(*count);
            change(EntityUpdate {
                models: Some(models),
                ..EntityUpdate::default()
            })
            .await?
        }
    };
    if let Some(event) = event {
        // A reconciliation finds what cannot be published.
        let _ = checker.bus.publish(&[event]).await;
    }
    Ok(())
}
