//! The combination of all rules.
//!
//! A prompt with a candidate of `persistent_absence` gets none of `low_visibility`.

use std::collections::BTreeSet;

use domain::board::Candidate;
use domain::id::PromptId;

use super::rule_input::RuleInput;
use super::{
    citation_gap, competitor_lead, fanout_gap, lost_visibility, low_visibility, model_gap,
    persistent_absence, uncited_mention,
};

/// Returns the candidates of all rules, in no particular order.
pub fn candidates(input: &RuleInput<'_>) -> Vec<Candidate> {
    let mut candidates = persistent_absence::candidates(input);
    let mut low = low_visibility::candidates(input);
    let absent: BTreeSet<&[PromptId]> = candidates.iter().map(prompt_ids).collect();
    low.retain(|candidate| !absent.contains(prompt_ids(candidate)));
    candidates.extend(low);
    candidates.extend(model_gap::candidates(input));
    candidates.extend(citation_gap::candidates(input));
    candidates.extend(competitor_lead::candidates(input));
    candidates.extend(uncited_mention::candidates(input));
    candidates.extend(fanout_gap::candidates(input));
    candidates.extend(lost_visibility::candidates(input));
    candidates
}

fn prompt_ids(candidate: &Candidate) -> &[PromptId] {
    &candidate.recommendation.evidence.prompt_ids
}
