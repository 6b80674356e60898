//! Reads groups.

use domain::group::{Group, GroupDetails};
use domain::id::GroupId;

use crate::items::Consistency;
use crate::{Store, StoreError, Tenant, keys};

impl Store {
    pub(super) async fn group(&self, tenant: &Tenant, id: &GroupId) -> Result<Option<Group>, StoreError> {
        self.get(&keys::group(tenant, id), Consistency::Strong).await
    }

    /// Lists the workspace's groups, oldest first, strongly consistent.
    pub async fn groups(&self, tenant: &Tenant) -> Result<Vec<Group>, StoreError> {
        let partition = keys::workspace_partition(tenant);
        let mut found: Vec<Group> = self.list(&partition, keys::GROUP).await?;
        found.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
        Ok(found)
    }

    /// Lists the workspace's groups with details of their members, oldest first.
    pub async fn groups_with_details(&self, tenant: &Tenant) -> Result<Vec<GroupDetails>, StoreError> {
        let groups = self.groups(tenant).await?;
        if groups.is_empty() {
            return Ok(Vec::new());
        }
        // Entities and brands are read after the groups, so that no member is missing.
        let (entities, brands) = tokio::try_join!(self.entities(tenant), self.brands(tenant))?;
        Ok(groups
            .iter()
            .map(|group| group.view(&entities, &brands))
            .collect())
    }
}
