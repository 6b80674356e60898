//! Domain groups: several brands that a workspace counts as one.

mod brand_names;
mod detach_tracking;
mod group_effect;
mod members;
mod resolved_group;
#[cfg(test)]
mod test_data;
mod view;

pub use brand_names::{BrandLabel, BrandLabels, HIDDEN_NAME, TrackedBrands};
pub use detach_tracking::{DetachedTracking, detach_tracking};
pub use group_effect::{GroupEffect, group_effect};
pub use members::{
    BrandReference, MembershipChange, change_membership, count_scoped_items, validate_members,
};
pub use resolved_group::{ResolvedGroup, counted_as, own_domains, row_domains, tracks_rivals};
use serde::{Deserialize, Serialize};
pub use view::{GroupDetails, GroupMember};

use crate::brand::{Brand, BrandUuid};
use crate::id::{EntityId, GroupId};
use crate::time::Timestamp;

/// A stored domain group. The records of its members are authoritative for the membership.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    pub id: GroupId,
    /// The name that a client gave. A group without one has the name of its primary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub primary: BrandUuid,
    /// The members in the order that a client gave, including the primary.
    pub members: Vec<BrandUuid>,
    /// The only tracking whose analytics the group changes, or `None` for all trackings of the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<EntityId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// The number of changes of this record. A group that is not stored yet has 0.
    pub revision: u32,
}

impl Group {
    /// Returns whether the group changes the analytics of this tracking.
    pub fn applies_to(&self, tracking: &EntityId) -> bool {
        self.scope.as_ref().is_none_or(|scope| scope == tracking)
    }
}

/// Assigns the brand to the group, or to none. Returns the change in the number of entities that the
/// workspace uses.
fn assign_group(brand: &mut Brand, group: Option<&Group>) -> i64 {
    let counted = i64::from(brand.counts_as_used);
    brand.group = group.map(|group| group.id);
    brand.counts_as_used = !brand.is_tracked() && group.is_some_and(|group| group.primary != brand.uuid);
    i64::from(brand.counts_as_used) - counted
}
