//! The record of a brand in a workspace.

use serde::{Deserialize, Serialize};

use super::{BrandUuid, display_domain};
use crate::id::{EntityId, GroupId};
use crate::ordinal::BrandOrdinal;

/// A brand that a workspace tracks or groups, or did so once.
///
/// The record is never deleted, because facts refer to it by its ordinal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Brand {
    pub uuid: BrandUuid,
    /// The ordinal of the brand in the workspace.
    pub ordinal: BrandOrdinal,
    /// The registrable domain, or `None` for an individual without a domain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// The entities of the workspace that track the brand, oldest first.
    pub trackings: Vec<EntityId>,
    /// The domain group that the brand is a member of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupId>,
    /// Whether the brand uses one of the workspace's entities without being tracked, as non-primary members
    /// of groups do.
    pub counts_as_used: bool,
    /// The number of changes of this record. A brand that is not stored yet has 0.
    pub revision: u32,
}

impl Brand {
    /// Creates a brand that is not stored yet.
    pub fn new(uuid: BrandUuid, ordinal: BrandOrdinal, domain: Option<String>) -> Self {
        Self {
            uuid,
            ordinal,
            domain,
            trackings: Vec::new(),
            group: None,
            counts_as_used: false,
            revision: 0,
        }
    }

    pub fn is_tracked(&self) -> bool {
        !self.trackings.is_empty()
    }

    /// Returns the name to use if no entity tracks the brand, which is its domain in Unicode.
    pub fn fallback_name(&self) -> Option<String> {
        self.domain.as_deref().map(display_domain)
    }
}
