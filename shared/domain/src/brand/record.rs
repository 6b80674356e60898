//! A brand as a workspace knows it.

use serde::{Deserialize, Serialize};

use super::{BrandUuid, shown_domain};
use crate::id::{EntityId, GroupId};
use crate::ordinal::BrandOrdinal;

/// Kept for ever once its workspace tracks or groups it: facts store its number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Brand {
    pub uuid: BrandUuid,
    /// Its number in this workspace.
    pub ordinal: BrandOrdinal,
    /// Registrable domain; `None` for an individual without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// The entities that track it here, oldest first.
    #[serde(default)]
    pub trackings: Vec<EntityId>,
    /// The group that the brand is a member of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupId>,
    /// Counts towards the workspace's entities without being tracked: a non-primary member of a group.
    #[serde(default)]
    pub counts_as_used: bool,
    /// Counts the changes of this record; 0 is a brand that is not there yet.
    #[serde(default)]
    pub revision: u32,
}

impl Brand {
    /// A brand that the workspace does not know yet.
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

    /// What it is called where no tracking names it: its domain in its own letters.
    pub fn domain_name(&self) -> Option<String> {
        self.domain.as_deref().map(shown_domain)
    }
}
