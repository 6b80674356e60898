//! Candidates for recommendations.

use std::fmt::Display;

use crate::board::{Evidence, Finding, Fingerprint, Priority, Recommendation};

/// A recommendation that a rule suggests for the board.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub fingerprint: Fingerprint,
    /// The number of affected answers. Candidates with the greatest impact are put on the board first.
    pub impact: u64,
    pub recommendation: Recommendation,
}

impl Candidate {
    /// Creates a candidate. Its rule and `subject` identify it, so the text of `subject` must not change
    /// between checks.
    ///
    /// `answers` is the number of all answers of the entity in the window. The priority depends on it.
    pub fn new(
        subject: impl Display,
        impact: u64,
        answers: u64,
        title: String,
        description: String,
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
                unnamed: None,
            },
        }
    }

    /// Returns the domain whose URLs belong in the evidence, or `None` for other rules.
    pub fn cited_domain(&self) -> Option<&str> {
        match &self.recommendation.evidence.finding {
            Finding::CitationGap { domain, .. } => Some(domain),
            _ => None,
        }
    }
}

/// Returns the priority of a candidate that affects `impact` of an entity's answers: high from 10 %, medium
/// from 3 %.
///
/// Fewer than 3 answers can be chance, so their priority is low.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_candidate_that_affects_a_tenth_of_the_answers_has_high_priority() {
        let urgent = [
            (2, 2, Priority::Low),
            (3, 30, Priority::High),
            (3, 31, Priority::Medium),
            (3, 100, Priority::Medium),
        ];
        for (impact, answers, expected) in urgent
            .into_iter()
            .chain([(3, 101, Priority::Low), (u64::MAX, 1, Priority::High)])
        {
            assert_eq!(priority(impact, answers), expected, "{impact} of {answers}");
        }
    }
}
