//! Figures of a range of days.

use serde::{Deserialize, Serialize};

use super::api_query::ApiQuery;
use super::scored_counts::ScoredCounts;
use crate::period::DateRange;

/// The figures of a range of days, with the request that returns them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "Measure")]
#[serde(rename_all = "camelCase")]
pub struct Measurement {
    /// The first UTC day.
    #[schemars(with = "crate::schema::IsoDay")]
    pub start_date: String,
    /// The last UTC day, inclusive.
    #[schemars(with = "crate::schema::IsoDay")]
    pub end_date: String,
    #[serde(flatten)]
    pub figures: ScoredCounts,
    /// The request that returns the figures.
    pub query: ApiQuery,
}

impl Measurement {
    pub fn new(range: &DateRange, figures: impl Into<ScoredCounts>, query: ApiQuery) -> Self {
        Self {
            start_date: range.first.to_string(),
            end_date: range.last.to_string(),
            figures: figures.into(),
            query,
        }
    }
}
