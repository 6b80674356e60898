//! Domain groups: several brands that a workspace counts as one.

mod brand_names;
mod detach_tracking;
mod domain_group;
mod group_effect;
mod members;
mod resolved_group;
#[cfg(test)]
mod test_data;
mod view;

pub use brand_names::{BrandLabel, BrandLabels, HIDDEN_NAME, TrackedBrands};
pub use detach_tracking::{DetachedTracking, detach_tracking};
pub use domain_group::Group;
pub use group_effect::{GroupEffect, group_effect};
pub use members::{
    BrandReference, MembershipChange, change_membership, count_scoped_items, validate_members,
};
pub use resolved_group::{ResolvedGroup, counted_as, own_domains, row_domains, tracks_rivals};
pub use view::{GroupDetails, GroupMember};
