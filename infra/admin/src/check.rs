//! Runs the command `check run`.

use clap::Subcommand;
use domain::id::EntityId;
use domain::workspace::SubscriptionStatus;
use events::{CheckEvent, CheckRef};
use serde_json::{Value, json};

use crate::AdminError;
use crate::connection::{Connection, find_workspace};

#[derive(Debug, Clone, Subcommand)]
pub enum CheckVerb {
    /// Request a check of an entity now, without changing its schedule
    Run {
        #[arg(long, value_name = "ID")]
        workspace: String,
        #[arg(long, value_name = "ID")]
        entity: String,
    },
}

/// Publishes the request for a check. The checker claims it, because only the checker knows the configured
/// models and the service time. The rules that need neither are checked here.
pub(crate) async fn run(verb: CheckVerb, at: &Connection<'_>) -> Result<Value, AdminError> {
    let CheckVerb::Run { workspace, entity } = verb;
    let bus = at.bus().await?;
    let store = at.store().await?;
    let (tenant, workspace) = find_workspace(&store, &workspace).await?;
    let entity: EntityId = entity.parse().map_err(|_| AdminError::unknown_entity())?;
    let entity = store.entity(&tenant, &entity).await?;
    let entity = entity.ok_or_else(AdminError::unknown_entity)?;
    if workspace.status == SubscriptionStatus::Canceled {
        return Err(AdminError::Refused("the workspace's subscription is canceled"));
    }
    if entity.running.is_some() {
        return Err(AdminError::Refused("a check of this entity is running"));
    }
    if !store.has_active_prompt(&tenant, &entity.id).await? {
        return Err(AdminError::Refused("the entity has no active prompt"));
    }
    let check = CheckRef {
        workspace_id: workspace.id,
        entity_id: entity.id,
        check: entity.check_seq.next(),
    };
    bus.publish(&[CheckEvent::CheckWanted(check.clone())]).await?;
    Ok(json!({
        "workspaceId": check.workspace_id.as_str(),
        "entityId": check.entity_id.as_str(),
        "check": check.check,
        "requested": true,
    }))
}
