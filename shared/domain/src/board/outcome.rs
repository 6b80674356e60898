//! What became of a recommendation: that its task helped, or that its cause went by itself.

use serde::{Deserialize, Serialize};

use super::Measure;
use crate::time::Timestamp;

/// Whether a done task helped: recorded once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    pub result: OutcomeResult,
    /// The 30 days before the day on which the task was done.
    pub before: Measure,
    /// The days after it.
    pub after: Measure,
}

/// Better or worse is only what lies beyond chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeResult {
    Improved,
    NoChange,
    Worse,
}

/// Why and when a recommendation was dismissed without a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retired {
    pub reason: String,
    pub at: Timestamp,
}
