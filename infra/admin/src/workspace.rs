//! Runs the commands `workspace create`, `workspace show`, `workspace set-limits`, `workspace export` and
//! `workspace delete`.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use domain::limits::{MAX_NAME_CHARS, PLAN_CREDITS};
use domain::text::validate_text;
use domain::time::{Day, Timestamp};
use domain::workspace::{Credits, Limits, SubscriptionStatus, Workspace};
use serde_json::{Value, json};
use store::{NewWorkspace, WorkspaceUpdate};
use strum::VariantNames;

use crate::connection::{Connection, find_workspace, tenant};
use crate::{AdminError, export};

/// The maximum credits of one option. Sums of them stay far below the maximum of a 64-bit integer.
const MAX_CREDITS: i64 = 1_000_000_000_000;
const PLAN: &str = "default";

#[derive(Debug, Clone, Subcommand)]
pub enum WorkspaceVerb {
    /// Create a workspace with its first key, which is shown only now
    Create {
        #[arg(long)]
        name: String,
        #[command(flatten)]
        limits: LimitOptions,
    },
    /// Show a workspace with its limits, its usage and its credits
    Show {
        #[arg(long, value_name = "ID")]
        workspace: String,
    },
    /// Change the values that the options name
    SetLimits {
        #[arg(long, value_name = "ID")]
        workspace: String,
        #[arg(long)]
        name: Option<String>,
        #[command(flatten)]
        limits: LimitOptions,
        /// Status of the subscription
        #[arg(long, value_parser = status_parser())]
        status: Option<SubscriptionStatus>,
        /// End of the subscription: an ISO 8601 timestamp, or a UTC day, which stands for its first instant
        #[arg(long, value_name = "ISO", value_parser = instant)]
        expires_at: Option<Timestamp>,
        /// Credits to add to the balance
        #[arg(long, value_name = "N", value_parser = credits_parser())]
        add_credits: Option<i64>,
    },
    /// Write everything that a workspace has to a file, as JSON lines
    Export {
        #[arg(long, value_name = "ID")]
        workspace: String,
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Replace the file if it exists
        #[arg(long)]
        overwrite: bool,
    },
    /// Delete a workspace for good: its keys stop at once, and everything it has is erased within the hour
    Delete {
        #[arg(long, value_name = "ID")]
        workspace: String,
        /// The id again (default: the command asks for it)
        #[arg(long, value_name = "ID")]
        confirm: Option<String>,
    },
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct LimitOptions {
    /// Name of the plan
    #[arg(long)]
    pub plan: Option<String>,
    /// Limit of entities
    #[arg(long, value_name = "N")]
    pub entities: Option<u32>,
    /// Limit of prompts of all entities together
    #[arg(long, value_name = "N")]
    pub prompts: Option<u32>,
    /// Limit of team members
    #[arg(long, value_name = "N")]
    pub members: Option<u32>,
    /// New balance of credits
    #[arg(long, value_name = "N", value_parser = credits_parser())]
    pub credits: Option<i64>,
    /// Reads per minute and key
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub reads_per_minute: Option<u32>,
    /// Writes per minute and key
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub writes_per_minute: Option<u32>,
    /// Entities created per hour
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub creates_per_hour: Option<u32>,
}

fn credits_parser() -> impl TypedValueParser<Value = i64> {
    clap::value_parser!(i64).range(0..=MAX_CREDITS)
}

fn status_parser() -> impl TypedValueParser<Value = SubscriptionStatus> {
    PossibleValuesParser::new(SubscriptionStatus::VARIANTS.iter().copied())
        .try_map(|name| name.parse().map_err(|_| "is not a subscription status"))
}

fn instant(text: &str) -> Result<Timestamp, &'static str> {
    Timestamp::from_iso(text)
        .or_else(|| Day::parse(text).map(Day::start))
        .filter(|at| at.as_millis() >= 0)
        .ok_or("it is neither a timestamp such as 2027-01-31T00:00:00.000Z nor a day such as 2027-01-31")
}

pub(crate) async fn run(verb: WorkspaceVerb, at: &Connection<'_>) -> Result<Value, AdminError> {
    match verb {
        WorkspaceVerb::Create { name, limits } => create(&name, limits, at).await,
        WorkspaceVerb::Show { workspace } => {
            let store = at.store().await?;
            let (tenant, workspace) = find_workspace(&store, &workspace).await?;
            Ok(to_json(&workspace, store.credits(&tenant).await?))
        }
        WorkspaceVerb::SetLimits {
            workspace,
            name,
            limits,
            status,
            expires_at,
            add_credits,
        } => {
            let change = WorkspaceUpdate {
                name: name.map(|n| text("--name", &n)).transpose()?,
                plan_name: limits.plan.as_deref().map(|p| text("--plan", p)).transpose()?,
                status,
                subscription_ends_at: expires_at,
                entities: limits.entities,
                prompts: limits.prompts,
                members: limits.members,
                reads_per_minute: limits.reads_per_minute,
                writes_per_minute: limits.writes_per_minute,
                creates_per_hour: limits.creates_per_hour,
                creates: None,
                credits: limits.credits,
                add_credits,
            };
            set_limits(&workspace, change, at).await
        }
        WorkspaceVerb::Export {
            workspace,
            out,
            overwrite,
        } => {
            let store = at.store().await?;
            let (tenant, workspace) = find_workspace(&store, &workspace).await?;
            let shown = to_json(&workspace, store.credits(&tenant).await?);
            export::to_file(&store, &tenant, shown, &out, overwrite).await
        }
        WorkspaceVerb::Delete { workspace, confirm } => delete(&workspace, confirm, at).await,
    }
}

/// Deletes a workspace. The command can be repeated until the workspace is erased, and shows how many
/// entities are left.
async fn delete(id: &str, confirm: Option<String>, at: &Connection<'_>) -> Result<Value, AdminError> {
    let tenant = tenant(id)?;
    let store = at.store().await?;
    let found = store.workspace_or_deleted(&tenant).await?;
    let found = found.ok_or_else(AdminError::unknown_workspace)?;
    let confirmed = match confirm {
        Some(confirmed) => confirmed,
        None => ask_for_id(&found)?,
    };
    if confirmed.trim() != id {
        return Err(AdminError::Refused(
            "the id is another one, so nothing was deleted",
        ));
    }
    let deleted = store.delete_workspace(&tenant).await?;
    let deleted = deleted.ok_or_else(AdminError::unknown_workspace)?;
    Ok(json!({
        "workspaceId": id,
        "deletedAt": deleted.deleted_at.as_millis(),
        "keysStopped": deleted.keys,
        "entitiesToErase": deleted.entities,
    }))
}

fn ask_for_id(workspace: &Workspace) -> Result<String, AdminError> {
    if !io::stdin().is_terminal() {
        return Err(AdminError::Refused(
            "workspace delete needs the id once more: --confirm ID",
        ));
    }
    let unreadable = |_| AdminError::Refused("the id could not be read");
    write!(
        io::stderr(),
        "This deletes the workspace \"{}\" with everything it has, for good. Its id once more: ",
        workspace.name
    )
    .map_err(unreadable)?;
    let mut typed = String::new();
    io::stdin().read_line(&mut typed).map_err(unreadable)?;
    Ok(typed)
}

fn text(option: &str, text: &str) -> Result<String, AdminError> {
    Ok(validate_text(option, text, MAX_NAME_CHARS, false)?)
}

async fn create(name: &str, options: LimitOptions, at: &Connection<'_>) -> Result<Value, AdminError> {
    let plan = Limits::default();
    let new = NewWorkspace {
        name: text("--name", name)?,
        plan_name: text("--plan", options.plan.as_deref().unwrap_or(PLAN))?,
        limits: Limits {
            entities: options.entities.unwrap_or(plan.entities),
            prompts: options.prompts.unwrap_or(plan.prompts),
            members: options.members.unwrap_or(plan.members),
            reads_per_minute: options.reads_per_minute.unwrap_or(plan.reads_per_minute),
            writes_per_minute: options.writes_per_minute.unwrap_or(plan.writes_per_minute),
            creates_per_hour: options.creates_per_hour.unwrap_or(plan.creates_per_hour),
        },
        credits: options.credits.unwrap_or(PLAN_CREDITS),
    };
    let store = at.store().await?;
    let (tenant, key_id, key) = store.create_workspace(new, at.clock.now()).await?;
    Ok(json!({
        "workspaceId": tenant.workspace().as_str(),
        "keyId": key_id.as_str(),
        "apiKey": key.reveal(),
    }))
}

async fn set_limits(id: &str, change: WorkspaceUpdate, at: &Connection<'_>) -> Result<Value, AdminError> {
    if change == WorkspaceUpdate::default() {
        return Err(AdminError::Refused(
            "nothing to change: give --name, --plan, --entities, --prompts, --members, --credits, \
             --add-credits, --reads-per-minute, --writes-per-minute, --creates-per-hour, --status or --expires-at",
        ));
    }
    let tenant = tenant(id)?;
    let store = at.store().await?;
    if !store.update_workspace(&tenant, change).await? {
        return Err(AdminError::unknown_workspace());
    }
    let (tenant, workspace) = find_workspace(&store, id).await?;
    Ok(to_json(&workspace, store.credits(&tenant).await?))
}

/// Returns a workspace. `createdAt` is in Unix milliseconds, as in the API, and `expiresAt` is an ISO
/// timestamp, as in the option.
fn to_json(workspace: &Workspace, credits: Credits) -> Value {
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
