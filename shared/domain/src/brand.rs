//! Brands, which targets and cited domains stand for.

mod legal_form;
mod name;
mod suggested_aliases;
mod uuid;

pub use name::{fold_name, parse_aliases, parse_name};
use serde::{Deserialize, Serialize};
pub use suggested_aliases::suggested_aliases;
pub use uuid::{BrandUuid, uuid_of_domain, uuid_of_individual};

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

/// Returns a domain with its punycode labels decoded, for example `münchen.de` for `xn--mnchen-3ya.de`.
pub fn display_domain(domain: &str) -> String {
    let decoded = url::quirks::domain_to_unicode(domain);
    if decoded.is_empty() {
        domain.to_owned()
    } else {
        decoded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_displayed_in_unicode() {
        assert_eq!(display_domain("xn--mnchen-3ya.de"), "münchen.de");
        assert_eq!(display_domain("example.com"), "example.com");
        assert_eq!(display_domain("192.0.2.1"), "192.0.2.1");
        assert_eq!(display_domain("[2001:db8::1]"), "[2001:db8::1]");
    }
}
