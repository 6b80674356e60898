//! Recommendations: from facts to causes, a file per rule, and from causes to the actionables of a board.
//! Deterministic: the same facts give the same causes.

mod board_update;
mod citation_gap;
mod competitor_lead;
mod entity_facts;
mod fanout_gap;
mod lost_visibility;
mod low_visibility;
mod model_gap;
mod persistent_absence;
mod rule_input;
mod task_outcome;
mod uncited_mention;

use std::collections::BTreeSet;
use std::fmt::Display;

use crate::board::{Evidence, Fingerprint, Priority, Recommendation};
use crate::id::PromptId;

pub use board_update::{Found, Judged, Refill, refill};
pub use entity_facts::{Brands, Facts};
pub use rule_input::Observed;
pub use task_outcome::{days, outcomes};

/// What a rule found.
#[derive(Debug, Clone, PartialEq)]
pub struct Cause {
    pub fingerprint: Fingerprint,
    /// How many answers it is about: of many causes those with the greatest impact get on the board.
    pub impact: u64,
    pub recommendation: Recommendation,
}

impl Cause {
    /// About `subject`, which is the same in every check; `answers` are all of the entity's in the window.
    fn new(
        subject: impl Display,
        (impact, answers): (u64, u64),
        (title, description): (String, String),
        evidence: Evidence,
    ) -> Self {
        Self {
            fingerprint: Fingerprint::new(evidence.finding.rule(), subject),
            impact,
            recommendation: Recommendation {
                title,
                description,
                priority: priority(impact, answers),
                evidence,
            },
        }
    }
}

/// How urgent what affects `impact` of an entity's answers is: high from a tenth of them on, medium from 3 % on. Fewer
/// than 3 may be chance.
fn priority(impact: u64, answers: u64) -> Priority {
    let (affected, answers) = (u128::from(impact), u128::from(answers));
    if impact < 3 || 100 * affected < 3 * answers {
        Priority::Low
    } else if 10 * affected < answers {
        Priority::Medium
    } else {
        Priority::High
    }
}

/// What all rules find, in no order.
pub fn causes(observed: &Observed<'_>) -> Vec<Cause> {
    let mut causes = persistent_absence::causes(observed);
    let mut low = low_visibility::causes(observed);
    // A prompt whose answers have stopped to name the brand says more than that its score is low.
    let absent: BTreeSet<&[PromptId]> = causes.iter().map(prompts).collect();
    low.retain(|cause| !absent.contains(prompts(cause)));
    causes.extend(low);
    causes.extend(model_gap::causes(observed));
    causes.extend(citation_gap::causes(observed));
    causes.extend(competitor_lead::causes(observed));
    causes.extend(uncited_mention::causes(observed));
    causes.extend(fanout_gap::causes(observed));
    causes.extend(lost_visibility::causes(observed));
    causes
}

fn prompts(cause: &Cause) -> &[PromptId] {
    &cause.recommendation.evidence.prompt_ids
}

#[cfg(test)]
mod tests;
