//! The evidence for a recommendation, which a client can check with requests to this API.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::api_query::ApiQuery;
use super::finding::Finding;
use crate::id::PromptId;
use crate::period::DateRange;

/// The figures that support a recommendation, and the request that returns them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The rule, and the figures that it found.
    #[serde(flatten)]
    pub finding: Finding,
    /// The UTC days that the figures cover.
    pub window: Window,
    /// The ids of the prompts that the recommendation is about. Empty if it is about the answers to all
    /// prompts.
    #[schemars(length(max = crate::limits::MAX_EVIDENCE_PROMPTS))]
    pub prompt_ids: Vec<PromptId>,
    /// The UUIDs of the models that were asked.
    pub model_ids: Vec<Uuid>,
    /// The request that returns the figures, except those that have their own query.
    pub query: ApiQuery,
}

/// The UTC days that the figures cover.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "EvidenceWindow")]
#[serde(rename_all = "camelCase")]
pub struct Window {
    /// The first UTC day.
    #[schemars(with = "crate::schema::IsoDay")]
    pub start_date: String,
    /// The last UTC day, inclusive.
    #[schemars(with = "crate::schema::IsoDay")]
    pub end_date: String,
    /// The number of days.
    #[schemars(range(min = 1, max = crate::limits::RECOMMENDATION_DAYS))]
    pub days: usize,
}

impl From<&DateRange> for Window {
    fn from(range: &DateRange) -> Self {
        Self {
            start_date: range.first.to_string(),
            end_date: range.last.to_string(),
            days: range.days().count(),
        }
    }
}
