//! Runs the commands `member add`, `member list` and `member remove`.

use clap::Subcommand;
use domain::error::InvalidField;
use domain::id::MemberId;
use domain::member::Member;
use serde_json::{Value, json};

use crate::AdminError;
use crate::connection::{Connection, find_workspace};

#[derive(Debug, Clone, Subcommand)]
pub enum MemberVerb {
    /// Add a member
    Add {
        #[arg(long, value_name = "ID")]
        workspace: String,
        #[arg(long)]
        email: String,
        #[arg(long)]
        name: String,
        /// Role: owner, admin, member or viewer
        #[arg(long)]
        role: String,
    },
    /// List the workspace's members
    List {
        #[arg(long, value_name = "ID")]
        workspace: String,
    },
    /// Remove a member
    Remove {
        #[arg(long, value_name = "ID")]
        workspace: String,
        #[arg(long, value_name = "ID")]
        member: String,
    },
}

pub(crate) async fn run(verb: MemberVerb, at: &Connection<'_>) -> Result<Value, AdminError> {
    let store = at.store().await?;
    match verb {
        MemberVerb::Add {
            workspace,
            email,
            name,
            role,
        } => {
            let role = role
                .parse()
                .map_err(|_| InvalidField::new("--role", "must be owner, admin, member or viewer"))?;
            let (tenant, _) = find_workspace(&store, &workspace).await?;
            let member = Member::new(tenant.workspace(), &email, &name, role, at.clock.now())?;
            store.add_member(&tenant, &member).await?;
            Ok(to_json(&member))
        }
        MemberVerb::List { workspace } => {
            let (tenant, _) = find_workspace(&store, &workspace).await?;
            let members: Vec<Value> = store.members(&tenant).await?.iter().map(to_json).collect();
            Ok(json!({ "members": members }))
        }
        MemberVerb::Remove { workspace, member } => {
            let (tenant, _) = find_workspace(&store, &workspace).await?;
            let member: MemberId = member.parse().map_err(|_| AdminError::unknown_member())?;
            if !store.remove_member(&tenant, &member).await? {
                return Err(AdminError::unknown_member());
            }
            Ok(json!({ "memberId": member.as_str(), "removed": true }))
        }
    }
}

pub(crate) fn to_json(member: &Member) -> Value {
    json!({
        "memberId": member.id.as_str(),
        "userId": member.user_id,
        "email": member.email,
        "name": member.name,
        "role": member.role,
        "status": member.status,
        "createdAt": member.created_at.as_millis(),
    })
}
