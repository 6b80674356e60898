//! The types of tasks.

use serde::{Deserialize, Serialize};

/// The place where the work of a task is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TaskType {
    /// The work is on other sites.
    OffPage,
    /// The work is in the content of the brand's own site.
    OnPage,
    /// The work is in the technology of the brand's own site.
    Technical,
}
