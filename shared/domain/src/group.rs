//! Domain groups: several brands that count as one.

mod brand_names;
mod competitors;
mod detach_tracking;
mod members;
mod merge;
mod merged_brands;
#[cfg(test)]
mod test_data;
mod view;

use serde::{Deserialize, Serialize};

pub use brand_names::{Named, Names};
pub use competitors::{Competitor, competitors};
pub use detach_tracking::{Mended, mend};
pub use members::{Reference, Regrouped, members, regroup, scoped_items};
pub use merge::{Merged, merged};
pub use merged_brands::{MergedBrands, merged_brands, merged_domains, own_domains, row_domains};
pub use view::{Member, ShownGroup};

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
    pub fn concerns(&self, tracking: &EntityId) -> bool {
        self.scope.as_ref().is_none_or(|scope| scope == tracking)
    }
}

/// Puts the brand into the group, or out of any. How many more entities the workspace uses then.
fn place(brand: &mut Brand, group: Option<&Group>) -> i64 {
    let counted = i64::from(brand.counts_as_used);
    brand.group = group.map(|group| group.id.clone());
    brand.counts_as_used = !brand.is_tracked() && group.is_some_and(|group| group.primary != brand.uuid);
    i64::from(brand.counts_as_used) - counted
}
