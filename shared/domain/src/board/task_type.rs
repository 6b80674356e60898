//! The kinds of work.

use serde::{Deserialize, Serialize};

/// Where the work is to be done: on others' sites, in the brand's own content, or in its site's machinery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case")]
pub enum TaskType {
    OffPage,
    OnPage,
    Technical,
}
