//! The end of a recommendation: the outcome of its task, or its automatic dismissal.

use serde::{Deserialize, Serialize};

use super::scored_counts::Measurement;
use crate::time::Timestamp;

/// The outcome of a completed task, which tells whether the task helped. It is recorded once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// The result of the comparison. Only a statistically significant change is `improved` or `worse`.
    pub result: OutcomeResult,
    /// The figures of the 30 days before the day on which the task was done.
    pub before: Measurement,
    /// The figures of the days after that day.
    pub after: Measurement,
}

/// The result of comparing the figures before and after a task. Changes that can be chance count as no
/// change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeResult {
    /// The share is significantly higher than before.
    Improved,
    /// The difference can be chance.
    NoChange,
    /// The share is significantly lower than before.
    Worse,
}

/// The automatic dismissal of a recommendation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Retirement {
    /// Why the recommendation was dismissed.
    pub reason: String,
    /// When it was dismissed, in Unix milliseconds.
    pub at: Timestamp,
}
