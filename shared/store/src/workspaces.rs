//! Workspaces with their plans, limits, counters and credits.

use domain::api_key::ApiKey;
use domain::id::{KeyId, WorkspaceId};
use domain::ordinal::BrandOrdinal;
use domain::time::Timestamp;
use domain::workspace::{Credits, Limits, SubscriptionStatus, Workspace};
use uuid::Uuid;

use crate::api_keys::{KeySettings, add_key};
use crate::expression::{Values, number_value, string_value};
use crate::items::{Consistency, to_item};
use crate::refusal::require_subscription;
use crate::transaction::{Outcome, Transaction};
use crate::{Refusal, Resource, Store, StoreError, Tenant, WriteError, keys};

/// A workspace to create.
#[derive(Debug, Clone)]
pub struct NewWorkspace {
    pub name: String,
    pub plan_name: String,
    pub limits: Limits,
    pub credits: i64,
}

/// An update by the operator. `None` leaves a value unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorkspaceUpdate {
    pub name: Option<String>,
    pub plan_name: Option<String>,
    pub status: Option<SubscriptionStatus>,
    pub subscription_ends_at: Option<Timestamp>,
    pub entities: Option<u32>,
    pub prompts: Option<u32>,
    pub members: Option<u32>,
    pub reads_per_minute: Option<u32>,
    pub writes_per_minute: Option<u32>,
    pub creates_per_hour: Option<u32>,
    /// The number of entities that count as created in the current hour.
    pub creates: Option<u32>,
    /// The new balance.
    pub credits: Option<i64>,
    pub add_credits: Option<i64>,
}

impl Store {
    /// Creates a workspace with its first key.
    pub async fn create_workspace(
        &self,
        new: NewWorkspace,
        now: Timestamp,
    ) -> Result<(Tenant, KeyId, ApiKey), StoreError> {
        let tenant = Tenant::new(WorkspaceId::from_random(Uuid::new_v4()));
        let workspace = Workspace {
            id: *tenant.workspace(),
            name: new.name,
            plan_name: new.plan_name,
            status: SubscriptionStatus::Active,
            subscription_ends_at: None,
            created_at: now,
            entities_limit: new.limits.entities,
            prompts_limit: new.limits.prompts,
            members_limit: new.limits.members,
            entities_used: 0,
            prompts_used: 0,
            members_used: 0,
            tags_used: 0,
            webhooks_used: 0,
            reads_per_minute: new.limits.reads_per_minute,
            writes_per_minute: new.limits.writes_per_minute,
            creates_per_hour: new.limits.creates_per_hour,
            create_hour: 0,
            names_seq: 0,
            creates: 0,
            brand_seq: BrandOrdinal::new(0),
            deleted_at: None,
        };
        let credits = Credits {
            balance: new.credits,
            reserved: 0,
            total_used: 0,
            low_since: None,
        };
        let mut transaction = Transaction::default();
        transaction.create(to_item(&keys::workspace(&tenant), &workspace)?);
        transaction.create(to_item(&keys::credits(&tenant), &credits)?);
        let (key_id, key) = add_key(
            &mut transaction,
            &tenant,
            "default",
            KeySettings::default(),
            &workspace,
            now,
        )?;
        match self.transact(transaction).await? {
            Outcome::Committed => Ok((tenant, key_id, key)),
            Outcome::Rejected(_) => Err(StoreError::Internal(
                "a random workspace id exists already".to_owned(),
            )),
        }
    }

    /// Reads the workspace with its counters, strongly consistent.
    pub async fn workspace(&self, tenant: &Tenant) -> Result<Option<Workspace>, StoreError> {
        let found = self.workspace_or_deleted(tenant).await?;
        Ok(found.filter(|workspace| workspace.deleted_at.is_none()))
    }

    /// Reads the workspace, even if it is deleted and not erased yet, strongly consistent.
    pub async fn workspace_or_deleted(&self, tenant: &Tenant) -> Result<Option<Workspace>, StoreError> {
        self.get(&keys::workspace(tenant), Consistency::Strong).await
    }

    /// Reads `item` beside the workspace, for a write of a client. Refuses an item that does not exist and a
    /// workspace to which clients cannot write.
    pub(crate) async fn for_write<T, R: From<Refusal>>(
        &self,
        tenant: &Tenant,
        resource: Resource,
        item: impl Future<Output = Result<Option<T>, StoreError>>,
    ) -> Result<T, WriteError<R>> {
        let (workspace, item) = tokio::try_join!(self.workspace(tenant), item)?;
        let item = item.ok_or(Refusal::NotFound(resource))?;
        require_subscription(workspace, self.clock.now())?;
        Ok(item)
    }

    /// Reads the workspace's credits, strongly consistent.
    pub async fn credits(&self, tenant: &Tenant) -> Result<Credits, StoreError> {
        let credits = self.get(&keys::credits(tenant), Consistency::Strong).await?;
        Ok(credits.unwrap_or_default()) // Only a workspace that is erased has none.
    }

    /// Updates the plan, limits, rates or credits. Returns `false` if the workspace does not exist. A limit
    /// can be lower than what is in use: nothing is deleted, but nothing can be added.
    pub async fn update_workspace(
        &self,
        tenant: &Tenant,
        change: WorkspaceUpdate,
    ) -> Result<bool, StoreError> {
        // One transaction writes both items, so that a retry after a lost response adds the credits once.
        let mut transaction = Transaction::default();
        let (update, bound) = workspace_assignments(tenant, &change);
        let exists = "attribute_exists(PK) AND attribute_not_exists(#deletedAt)";
        transaction.update(&keys::workspace(tenant), update, exists, bound);
        let balance = match (change.credits, change.add_credits) {
            (Some(credits), Some(add)) => Some(("SET #balance = :n", credits.saturating_add(add))),
            (Some(credits), None) => Some(("SET #balance = :n", credits)),
            (None, Some(add)) => Some(("SET #balance = #balance + :n", add)),
            (None, None) => None,
        };
        if let Some((update, credits)) = balance {
            transaction.update(
                &keys::credits(tenant),
                update,
                "attribute_exists(PK)",
                vec![(":n", number_value(credits))],
            );
        }
        if !self.transact(transaction).await?.is_committed() {
            return Ok(false);
        }
        if (change.reads_per_minute.is_some() || change.writes_per_minute.is_some())
            && let Some(workspace) = self.workspace(tenant).await?
        {
            self.propagate_rates(tenant, workspace.reads_per_minute, workspace.writes_per_minute)
                .await?;
        }
        Ok(true)
    }
}

fn workspace_assignments(tenant: &Tenant, change: &WorkspaceUpdate) -> (String, Values) {
    let number = |value: Option<u32>| value.map(number_value);
    let text = |value: &Option<String>| value.clone().map(string_value);
    let status = change.status.map(|status| string_value(status.into_str()));
    let ends = change.subscription_ends_at.map(|at| number_value(at.as_millis()));
    let all = [
        ("name", ":name", text(&change.name)),
        ("planName", ":plan", text(&change.plan_name)),
        ("status", ":status", status),
        ("subscriptionEndsAt", ":ends", ends),
        ("entitiesLimit", ":entities", number(change.entities)),
        ("promptsLimit", ":prompts", number(change.prompts)),
        ("membersLimit", ":members", number(change.members)),
        ("readsPerMinute", ":reads", number(change.reads_per_minute)),
        ("writesPerMinute", ":writes", number(change.writes_per_minute)),
        ("createsPerHour", ":perHour", number(change.creates_per_hour)),
        ("creates", ":creates", number(change.creates)),
    ];
    let (mut sets, mut bound) = (Vec::new(), Values::new());
    for (attribute, name, value) in all {
        if let Some(value) = value {
            sets.push(format!("#{attribute} = {name}"));
            bound.push((name, value));
        }
    }
    if sets.is_empty() {
        // An update needs an assignment, and this one changes nothing.
        sets.push("#id = :id".to_owned());
        bound.push((":id", string_value(tenant.workspace().as_str())));
    }
    (format!("SET {}", sets.join(", ")), bound)
}
