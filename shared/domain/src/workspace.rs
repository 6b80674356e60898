//! Workspaces, with their plans, limits, usage and credits.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantNames};

use crate::id::WorkspaceId;
use crate::limits;
use crate::ordinal::BrandOrdinal;
use crate::time::Timestamp;

/// The state of a workspace's subscription.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantNames,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum SubscriptionStatus {
    Active,
    Trialing,
    PastDue,
    Canceled,
}

/// A workspace as it is stored. Its counters change only in the transactions that write the counted items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Workspace {
    pub id: WorkspaceId,
    pub name: String,
    pub plan_name: String,
    pub status: SubscriptionStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subscription_ends_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub entities_limit: u32,
    pub prompts_limit: u32,
    pub members_limit: u32,
    pub entities_used: u32,
    pub prompts_used: u32,
    pub members_used: u32,
    pub tags_used: u32,
    pub webhooks_used: u32,
    pub reads_per_minute: u32,
    pub writes_per_minute: u32,
    pub creates_per_hour: u32,
    /// The real hour, counted from the epoch, in which entities were last created.
    pub create_hour: i64,
    /// The number of entities that were created in that hour.
    pub creates: u32,
    /// The ordinal of the last brand, or 0 if there was none.
    pub brand_seq: BrandOrdinal,
    /// The number of changes of names and aliases. A change is written on the condition of the number that
    /// was read with the names.
    pub names_seq: u64,
    /// When the workspace was deleted. Only its erasure reads a deleted workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<Timestamp>,
}

/// A workspace's credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Credits {
    /// The credits that can be spent.
    pub balance: i64,
    /// The credits that running checks have reserved.
    pub reserved: i64,
    pub total_used: i64,
    /// Since when the balance suffices for less than a week of checks, if webhooks were told so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low_since: Option<Timestamp>,
}

/// The limits that an operator sets for a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    pub entities: u32,
    pub prompts: u32,
    pub members: u32,
    pub reads_per_minute: u32,
    pub writes_per_minute: u32,
    pub creates_per_hour: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            entities: limits::PLAN_ENTITIES,
            prompts: limits::PLAN_PROMPTS,
            members: limits::PLAN_MEMBERS,
            reads_per_minute: limits::READS_PER_MINUTE,
            writes_per_minute: limits::WRITES_PER_MINUTE,
            creates_per_hour: limits::CREATES_PER_HOUR,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subscription_status_is_parsed_and_displayed_as_it_is_stored() {
        for name in SubscriptionStatus::VARIANTS {
            let status: SubscriptionStatus = name.parse().unwrap();
            assert_eq!(status.into_str(), *name);
            assert_eq!(serde_json::to_value(status).unwrap(), *name);
        }
    }
}
