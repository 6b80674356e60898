//! Runs the commands `name-request list`, `name-request approve` and `name-request reject`.

use clap::{Args, Subcommand};
use domain::id::EntityId;
use domain::limits::MAX_REASON_CHARS;
use domain::name_request::{NameRequest, ReviewDecision};
use domain::text::validate_optional_text;
use domain::time::Timestamp;
use serde_json::{Value, json};

use crate::AdminError;
use crate::connection::{Connection, find_workspace};

#[derive(Debug, Clone, Subcommand)]
pub enum NameRequestVerb {
    /// List the name requests of all entities of a workspace, newest first
    List {
        #[arg(long, value_name = "ID")]
        workspace: String,
    },
    /// Give the entity the requested name and aliases; without aliases in the request, the old name becomes
    /// one
    Approve(Review),
    /// Keep the name of the entity
    Reject(Review),
}

/// The entity whose name request is reviewed.
#[derive(Debug, Clone, Args)]
pub struct Review {
    #[arg(long, value_name = "ID")]
    workspace: String,
    #[arg(long, value_name = "ID")]
    entity: String,
    /// Note to show to the client
    #[arg(long, default_value = "")]
    note: String,
}

pub(crate) async fn run(verb: NameRequestVerb, at: &Connection<'_>) -> Result<Value, AdminError> {
    match verb {
        NameRequestVerb::List { workspace } => list(&workspace, at).await,
        NameRequestVerb::Approve(options) => review(&options, ReviewDecision::Approve, at).await,
        NameRequestVerb::Reject(options) => review(&options, ReviewDecision::Reject, at).await,
    }
}

async fn list(workspace: &str, at: &Connection<'_>) -> Result<Value, AdminError> {
    let store = at.store().await?;
    let (tenant, _) = find_workspace(&store, workspace).await?;
    let requests = store.name_requests(&tenant).await?;
    let requests: Vec<Value> = requests.iter().map(to_json).collect();
    Ok(json!({ "nameRequests": requests }))
}

async fn review(
    options: &Review,
    decision: ReviewDecision,
    at: &Connection<'_>,
) -> Result<Value, AdminError> {
    let note = validate_optional_text("--note", &options.note, MAX_REASON_CHARS)?;
    let store = at.store().await?;
    let (tenant, _) = find_workspace(&store, &options.workspace).await?;
    let entity: EntityId = options.entity.parse().map_err(|_| AdminError::unknown_entity())?;
    let reviewed = store.review_name(&tenant, &entity, decision, &note).await?;
    Ok(to_json(&reviewed))
}

/// Returns a request as the API shows it, with the id of its entity. Instants are in Unix milliseconds.
pub(crate) fn to_json(request: &NameRequest) -> Value {
    json!({
        "id": request.id.as_str(),
        "entityId": request.entity.as_str(),
        "currentName": request.current_name,
        "suggestedName": request.suggested_name,
        "aliases": request.suggested_aliases,
        "reason": request.reason,
        "status": request.status,
        "createdAt": request.created_at.as_millis(),
        "reviewedAt": request.reviewed_at.map(Timestamp::as_millis),
        "reviewNote": request.review_note,
    })
}
