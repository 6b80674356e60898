//! API keys. The table stores their digests, so a key can be shown only when it is created.

use domain::api_key::ApiKey;
use domain::id::KeyId;
use domain::key_scope::KeyScope;
use domain::time::Timestamp;
use domain::workspace::Workspace;
use rand::TryRng;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::expression::{bool_value, number_value};
use crate::items::{Consistency, to_item};
use crate::transaction::{Outcome, Transaction};
use crate::{Store, StoreError, Tenant, keys};

/// What a key may do, and how often. A rate that is `None` stands for the workspace's.
#[derive(Debug, Clone, Default)]
pub struct KeySettings {
    pub scope: KeyScope,
    pub reads_per_minute: Option<u32>,
    pub writes_per_minute: Option<u32>,
}

/// An API key as the operator sees it, without the key itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeySummary {
    pub key_id: KeyId,
    pub digest: String,
    pub name: String,
    pub created_at: Timestamp,
    pub revoked: bool,
    pub scope: KeyScope,
    pub reads_per_minute: Option<u32>,
    pub writes_per_minute: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct KeyItem<'a> {
    key_id: &'a KeyId,
    workspace: &'a domain::id::WorkspaceId,
    revoked: bool,
    scope: &'a KeyScope,
    reads_per_minute: u32,
    writes_per_minute: u32,
}

/// Creates a key from the system's random numbers.
pub(crate) fn random_key() -> Result<ApiKey, StoreError> {
    let mut bytes = [0u8; 64];
    rand::rngs::SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|e| StoreError::internal("reading the system's random numbers", e))?;
    ApiKey::from_random(&bytes)
        .ok_or_else(|| StoreError::Internal("too few random bytes for a key".to_owned()))
}

impl Store {
    /// Creates a key for the workspace. Returns `None` if the workspace does not exist.
    pub async fn create_key(
        &self,
        tenant: &Tenant,
        name: &str,
        settings: KeySettings,
        now: Timestamp,
    ) -> Result<Option<(KeyId, ApiKey)>, StoreError> {
        let Some(workspace) = self.workspace(tenant).await? else {
            return Ok(None);
        };
        let mut transaction = Transaction::default();
        let created = add_key(&mut transaction, tenant, name, settings, &workspace, now)?;
        let exists = "attribute_exists(PK) AND attribute_not_exists(#deletedAt)";
        let exists = transaction.condition_check(&keys::workspace(tenant), exists, Vec::new());
        match self.transact(transaction).await? {
            Outcome::Committed => Ok(Some(created)),
            // The workspace was deleted meanwhile.
            Outcome::Rejected(failed) if failed.contains(exists) => Ok(None),
            Outcome::Rejected(_) => Err(StoreError::Internal("a random key exists already".to_owned())),
        }
    }

    /// Lists the workspace's keys, oldest first.
    pub async fn list_keys(&self, tenant: &Tenant) -> Result<Vec<KeySummary>, StoreError> {
        let partition = keys::workspace_partition(tenant);
        let mut found: Vec<KeySummary> = self.list(&partition, keys::KEY_LIST).await?;
        found.sort_by(|a, b| (a.created_at, &a.key_id).cmp(&(b.created_at, &b.key_id)));
        Ok(found)
    }

    /// Revokes a key with immediate effect. Returns `false` if the workspace has no such key. Revoking a
    /// revoked key succeeds.
    pub async fn revoke_key(&self, tenant: &Tenant, key: &KeyId) -> Result<bool, StoreError> {
        let summary_key = keys::key_summary(tenant, key.as_str());
        let Some(summary) = self.get::<KeySummary>(&summary_key, Consistency::Strong).await? else {
            return Ok(false);
        };
        let mut transaction = Transaction::default();
        for key in [keys::api_key(&summary.digest), summary_key] {
            transaction.update(
                &key,
                "SET #revoked = :yes",
                "attribute_exists(PK)",
                vec![(":yes", bool_value(true))],
            );
        }
        Ok(self.transact(transaction).await?.is_committed())
    }

    /// Writes the workspace's rates to the keys that have none of their own.
    pub(crate) async fn propagate_rates(
        &self,
        tenant: &Tenant,
        reads: u32,
        writes: u32,
    ) -> Result<(), StoreError> {
        for key in self.list_keys(tenant).await? {
            let bound = vec![
                (":reads", number_value(key.reads_per_minute.unwrap_or(reads))),
                (":writes", number_value(key.writes_per_minute.unwrap_or(writes))),
            ];
            let update = "SET #readsPerMinute = :reads, #writesPerMinute = :writes";
            let item = keys::api_key(&key.digest);
            // If the condition fails, the key no longer exists and needs no rates.
            let _ = self
                .update_one(&item, update, "attribute_exists(PK)", bound)
                .await?;
        }
        Ok(())
    }
}

/// Adds a new key of the workspace to a transaction. Rates that are `None` default to the workspace's.
pub(crate) fn add_key(
    transaction: &mut Transaction,
    tenant: &Tenant,
    name: &str,
    settings: KeySettings,
    workspace: &Workspace,
    now: Timestamp,
) -> Result<(KeyId, ApiKey), StoreError> {
    let key = random_key()?;
    let summary = KeySummary {
        key_id: KeyId::from_random(Uuid::new_v4()),
        digest: key.digest(),
        name: name.to_owned(),
        created_at: now,
        revoked: false,
        scope: settings.scope,
        reads_per_minute: settings.reads_per_minute,
        writes_per_minute: settings.writes_per_minute,
    };
    let item = KeyItem {
        key_id: &summary.key_id,
        workspace: tenant.workspace(),
        revoked: false,
        scope: &summary.scope,
        reads_per_minute: settings.reads_per_minute.unwrap_or(workspace.reads_per_minute),
        writes_per_minute: settings.writes_per_minute.unwrap_or(workspace.writes_per_minute),
    };
    transaction.create(to_item(&keys::api_key(&summary.digest), &item)?);
    transaction.create(to_item(
        &keys::key_summary(tenant, summary.key_id.as_str()),
        &summary,
    )?);
    Ok((summary.key_id, key))
}
