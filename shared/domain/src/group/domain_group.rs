//! A domain group as it is stored.

use serde::{Deserialize, Serialize};

use crate::brand::{Brand, BrandUuid};
use crate::id::{EntityId, GroupId};
use crate::time::Timestamp;

/// A group as it is stored. Its members' own records decide the membership.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    pub id: GroupId,
    /// As given; a group without a name is called as its primary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub primary: BrandUuid,
    /// In the order given, the primary among them.
    pub members: Vec<BrandUuid>,
    /// The only tracking whose analytics the group changes; `None`: all of the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<EntityId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Counts the changes of this record; 0 is a group that is not there yet.
    #[serde(default)]
    pub revision: u32,
}

impl Group {
    /// Whether the group changes the analytics of this tracking.
    pub fn applies_to(&self, tracking: &EntityId) -> bool {
        self.scope.as_ref().is_none_or(|scope| scope == tracking)
    }
}

/// Puts the brand into the group, or out of any. How many more entities the workspace uses then.
pub(super) fn assign_group(brand: &mut Brand, group: Option<&Group>) -> i64 {
    let counted = i64::from(brand.counts_as_used);
    brand.group = group.map(|group| group.id.clone());
    brand.counts_as_used = !brand.is_tracked() && group.is_some_and(|group| group.primary != brand.uuid);
    i64::from(brand.counts_as_used) - counted
}
