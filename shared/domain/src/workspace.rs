//! A workspace: its plan, its limits, what it uses.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantNames};

use crate::id::WorkspaceId;
use crate::limits;
use crate::ordinal::BrandOrdinal;
use crate::time::Timestamp;

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr, VariantNames,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum SubscriptionStatus {
    Active,
    Trialing,
    PastDue,
    Canceled,
}

/// A workspace as it is stored. Its counters change only in the transactions that make them true.
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
    pub reads_per_minute: u32,
    pub writes_per_minute: u32,
    pub creates_per_hour: u32,
    /// The real UTC hour in which entities were last created, counted from the epoch, and how many.
    pub create_hour: i64,
    pub creates: u32,
    /// Numbers given to brands so far.
    pub brand_seq: BrandOrdinal,
}

/// A workspace's credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Credits {
    /// Free to reserve.
    pub balance: i64,
    /// Set aside for running checks.
    pub reserved: i64,
    pub total_used: i64,
}

/// What an operator chooses when a workspace is made or changed.
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
    fn a_subscription_status_is_parsed_and_shown_as_it_is_stored() {
        for name in SubscriptionStatus::VARIANTS {
            let status: SubscriptionStatus = name.parse().unwrap();
            assert_eq!(status.into_str(), *name);
            assert_eq!(serde_json::to_value(status).unwrap(), *name);
        }
    }
}
