//! Runs the commands `key create`, `key list` and `key revoke`.

use std::collections::BTreeSet;

use clap::{Subcommand, ValueEnum};
use domain::error::InvalidField;
use domain::id::{EntityId, KeyId};
use domain::key_scope::{KeyAccess, KeyScope};
use domain::limits::{MAX_KEY_ENTITIES, MAX_NAME_CHARS};
use domain::text::validate_text;
use serde_json::{Value, json};
use store::{KeySettings, KeySummary, Store, Tenant};

use crate::AdminError;
use crate::connection::{Connection, find_workspace};

/// What a key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Access {
    /// Read
    Read,
    /// Read and write
    Write,
}

impl From<Access> for KeyAccess {
    fn from(access: Access) -> Self {
        match access {
            Access::Read => Self::Read,
            Access::Write => Self::Write,
        }
    }
}

#[derive(Debug, Clone, Subcommand)]
pub enum KeyVerb {
    /// Create a key, which is shown only now
    Create {
        #[arg(long, value_name = "ID")]
        workspace: String,
        #[arg(long, default_value = "key")]
        name: String,
        /// What the key may do
        #[arg(long, value_name = "SCOPE", value_enum, default_value = "write")]
        scope: Access,
        /// An entity that the key reaches; repeat it for several (default: the whole workspace)
        #[arg(long, value_name = "ID")]
        entity: Vec<String>,
        /// Reads per minute with this key (default: the workspace's rate)
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        reads_per_minute: Option<u32>,
        /// Writes per minute with this key (default: the workspace's rate)
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        writes_per_minute: Option<u32>,
    },
    /// List the workspace's keys, oldest first
    List {
        #[arg(long, value_name = "ID")]
        workspace: String,
    },
    /// Revoke a key permanently
    Revoke {
        #[arg(long, value_name = "ID")]
        workspace: String,
        /// The key's id, not the key itself
        #[arg(long, value_name = "KEYID")]
        key: String,
    },
}

pub(crate) async fn run(verb: KeyVerb, at: &Connection<'_>) -> Result<Value, AdminError> {
    match verb {
        KeyVerb::Create {
            workspace,
            name,
            scope,
            entity,
            reads_per_minute,
            writes_per_minute,
        } => {
            let settings = KeySettings {
                scope: KeyScope {
                    access: scope.into(),
                    entities: None,
                },
                reads_per_minute,
                writes_per_minute,
            };
            create(&workspace, &name, settings, &entity, at).await
        }
        KeyVerb::List { workspace } => list(&workspace, at).await,
        KeyVerb::Revoke { workspace, key } => revoke(&workspace, &key, at).await,
    }
}

async fn create(
    workspace: &str,
    name: &str,
    mut settings: KeySettings,
    entities: &[String],
    at: &Connection<'_>,
) -> Result<Value, AdminError> {
    let name = validate_text("--name", name, MAX_NAME_CHARS, false)?;
    let store = at.store().await?;
    let (tenant, _) = find_workspace(&store, workspace).await?;
    if !entities.is_empty() {
        settings.scope.entities = Some(find_entities(&store, &tenant, entities).await?);
    }
    let created = store.create_key(&tenant, &name, settings, at.clock.now()).await?;
    let (key_id, key) = created.ok_or_else(AdminError::unknown_workspace)?;
    Ok(json!({ "keyId": key_id.as_str(), "apiKey": key.reveal() }))
}

async fn find_entities(
    store: &Store,
    tenant: &Tenant,
    ids: &[String],
) -> Result<BTreeSet<EntityId>, AdminError> {
    if ids.len() > MAX_KEY_ENTITIES {
        let rule = format!("must be given at most {MAX_KEY_ENTITIES} times");
        return Err(InvalidField::new("--entity", rule).into());
    }
    let mut found = BTreeSet::new();
    for id in ids {
        let id: EntityId = id.parse().map_err(|_| AdminError::unknown_entity())?;
        if store.entity(tenant, &id).await?.is_none() {
            return Err(AdminError::unknown_entity());
        }
        found.insert(id);
    }
    Ok(found)
}

async fn list(workspace: &str, at: &Connection<'_>) -> Result<Value, AdminError> {
    let store = at.store().await?;
    let (tenant, _) = find_workspace(&store, workspace).await?;
    let keys: Vec<Value> = store.list_keys(&tenant).await?.iter().map(to_json).collect();
    Ok(json!({ "keys": keys }))
}

/// Returns a key without its digest. `createdAt` is in Unix milliseconds, as in the API.
pub(crate) fn to_json(key: &KeySummary) -> Value {
    json!({
        "keyId": key.key_id.as_str(),
        "name": key.name,
        "createdAt": key.created_at.as_millis(),
        "revoked": key.revoked,
        "scope": key.scope.access,
        "entities": key.scope.entities,
        "readsPerMinute": key.reads_per_minute,
        "writesPerMinute": key.writes_per_minute,
    })
}

async fn revoke(workspace: &str, key: &str, at: &Connection<'_>) -> Result<Value, AdminError> {
    let store = at.store().await?;
    let (tenant, _) = find_workspace(&store, workspace).await?;
    let key: KeyId = key.parse().map_err(|_| AdminError::unknown_key())?;
    if !store.revoke_key(&tenant, &key).await? {
        return Err(AdminError::unknown_key());
    }
    Ok(json!({ "keyId": key.as_str(), "revoked": true }))
}
