//! The evidence for a recommendation, which a client can check with requests to this API.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::api_query::ApiQuery;
use super::finding::Finding;
use crate::id::PromptId;
use crate::period::DateRange;

/// The numbers behind a recommendation, and where they come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The rule, and what it found.
    #[serde(flatten)]
    pub finding: Finding,
    /// The UTC days that the numbers are about.
    pub window: Window,
    /// The prompts that the recommendation is about. Empty if it is about the answers to all of them.
    #[cfg_attr(feature = "schema", schemars(length(max = crate::limits::MAX_EVIDENCE_PROMPTS)))]
    pub prompt_ids: Vec<PromptId>,
    /// The UUIDs of the models that were asked.
    pub model_ids: Vec<Uuid>,
    /// The request that gives the numbers again. Numbers with a query of their own are not in it.
    pub query: ApiQuery,
}

/// The UTC days that the numbers are about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct Window {
    /// The first UTC day.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::IsoDay"))]
    pub start_date: String,
    /// The last UTC day. It counts.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::IsoDay"))]
    pub end_date: String,
    /// The number of days.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = crate::limits::RECOMMENDATION_DAYS)))]
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
