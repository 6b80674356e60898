//! One prompt and one model of an entity.

use crate::ordinal::{ModelOrdinal, PromptOrdinal};

/// One prompt and one model, by their ordinals. A check has at most one response for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    pub prompt: PromptOrdinal,
    pub model: ModelOrdinal,
}
