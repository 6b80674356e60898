//! Recommendations. Rules find candidates in an entity's facts, and the board is updated with them.
//!
//! There is one file per rule. Everything is deterministic: equal facts give equal candidates.

mod citation_gap;
mod competitor_lead;
mod entity_facts;
mod fanout_gap;
mod lost_visibility;
mod low_visibility;
mod model_gap;
mod persistent_absence;
mod rule_input;
mod rules;
mod task_outcome;
mod uncited_mention;

pub use citation_gap::add_urls;
pub use entity_facts::{BrandContext, EntityFacts};
pub use rule_input::RuleInput;
pub use rules::candidates;
pub use task_outcome::{required_days, task_outcomes};

#[cfg(test)]
mod tests;
