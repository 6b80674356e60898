//! Recommendations: from facts to causes, a file per rule, and from causes to the actionables of a board.
//! Deterministic: the same facts give the same causes.

mod low_visibility;
mod refill;

use crate::board::{Fingerprint, Recommendation};
use crate::entity::Entity;
use crate::facts::Ordinals;
use crate::facts::visibility::Visibility;
use crate::period::Range;
use crate::prompt::Prompt;

pub use refill::{Refill, refill};

/// What a rule found.
#[derive(Debug, Clone, PartialEq)]
pub struct Cause {
    pub fingerprint: Fingerprint,
    /// How many answers it is about: of many causes those with the greatest impact get on the board.
    pub impact: u64,
    pub recommendation: Recommendation,
}

/// What the rules look at.
#[derive(Debug, Clone, Copy)]
pub struct Observed<'a> {
    pub entity: &'a Entity,
    /// The brands that count as the entity.
    pub brands: &'a Ordinals,
    /// The entity's prompts, whether asked or not.
    pub prompts: &'a [Prompt],
    /// The days of the facts.
    pub window: &'a Range,
    /// The window's checks.
    pub visibility: &'a [Visibility],
}

/// What all rules find, in no order.
pub fn causes(observed: &Observed<'_>) -> Vec<Cause> {
    low_visibility::causes(observed)
}
