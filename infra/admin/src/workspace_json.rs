//! A workspace as JSON, as the commands show and export it.

use domain::time::Timestamp;
use domain::workspace::{Credits, Workspace};
use serde_json::{Value, json};

/// Returns a workspace. `createdAt` is in Unix milliseconds, as in the API, and `expiresAt` is an ISO
/// timestamp, as in the option.
pub(crate) fn to_json(workspace: &Workspace, credits: Credits) -> Value {
    json!({
        "workspaceId": workspace.id.as_str(),
        "name": workspace.name,
        "plan": workspace.plan_name,
        "status": workspace.status.into_str(),
        "expiresAt": workspace.subscription_ends_at.map(Timestamp::iso),
        "createdAt": workspace.created_at.as_millis(),
        "limits": {
            "entities": workspace.entities_limit,
            "prompts": workspace.prompts_limit,
            "members": workspace.members_limit,
        },
        "used": {
            "entities": workspace.entities_used,
            "prompts": workspace.prompts_used,
            "members": workspace.members_used,
        },
        "credits": {
            "balance": credits.balance,
            "reserved": credits.reserved,
            "totalUsed": credits.total_used,
        },
        "rates": {
            "readsPerMinute": workspace.reads_per_minute,
            "writesPerMinute": workspace.writes_per_minute,
            "createsPerHour": workspace.creates_per_hour,
        },
    })
}
