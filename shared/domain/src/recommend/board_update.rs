//! The changes that a check makes to a board.

use std::collections::HashSet;

use super::candidate::Candidate;
use crate::board::{Actionable, Fingerprint, Outcome};
use crate::limits::MAX_ACTIVE_ACTIONABLES;
use crate::ordinal::ActionableOrdinal;
use crate::time::Timestamp;

/// What a check found for a board.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CheckFindings {
    pub candidates: Vec<Candidate>,
    /// Whether every question was asked. Only then the absence of a candidate shows that its cause is gone.
    pub is_complete: bool,
    pub outcomes: Vec<TaskOutcome>,
}

/// The outcome of a completed task.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskOutcome {
    /// The ordinal of its actionable.
    pub ordinal: ActionableOrdinal,
    /// The instant at which the task was done.
    pub done: Timestamp,
    pub outcome: Outcome,
}

/// The changes of a board.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BoardUpdate {
    /// Existing actionables with new figures, a missed check or an outcome.
    pub changed: Vec<Actionable>,
    /// New actionables, the greatest impact first.
    pub created: Vec<Actionable>,
}

/// Updates a board and fills it up to [`MAX_ACTIVE_ACTIONABLES`] active actionables, the greatest impact first.
///
/// `known` are the existing actionables, and `next` is the ordinal of the first new one.
///
/// A candidate whose actionable is active updates that actionable. It creates no other one while
/// [`Actionable::blocks_candidate`] holds for an actionable with the same fingerprint. An active actionable without a
/// candidate in three complete checks in a row is dismissed, which makes room for a new one.
pub fn update_board(
    known: &[Actionable],
    found: &CheckFindings,
    next: ActionableOrdinal,
    now: Timestamp,
) -> BoardUpdate {
    let mut ranked: Vec<&Candidate> = found.candidates.iter().collect();
    ranked.sort_by(|a, b| (b.impact, &a.fingerprint).cmp(&(a.impact, &b.fingerprint)));
    let mut seen = HashSet::new();
    ranked.retain(|candidate| seen.insert(&candidate.fingerprint));

    let mut board = known.to_vec();
    for actionable in &mut board {
        update(actionable, &ranked, found, now);
    }
    let held: HashSet<&Fingerprint> = board
        .iter()
        .filter(|a| a.blocks_candidate(now))
        .map(|a| &a.fingerprint)
        .collect();
    let active = board.iter().filter(|a| a.is_active()).count();
    let free = MAX_ACTIVE_ACTIONABLES.saturating_sub(active);
    let new = ranked
        .into_iter()
        .filter(|candidate| !held.contains(&candidate.fingerprint));
    let created = new
        .take(free)
        .zip((next.get()..).map(ActionableOrdinal::new))
        .map(|(candidate, ordinal)| {
            let (fingerprint, recommendation) =
                (candidate.fingerprint.clone(), candidate.recommendation.clone());
            Actionable::new(ordinal, fingerprint, recommendation, now)
        });
    let created = created.collect();
    let changed = board
        .into_iter()
        .zip(known)
        .filter(|(now, before)| now != *before);
    BoardUpdate {
        changed: changed.map(|(now, _)| now).collect(),
        created,
    }
}

/// Applies what the check found to an existing actionable.
fn update(actionable: &mut Actionable, candidates: &[&Candidate], found: &CheckFindings, now: Timestamp) {
    if let Some(done) = actionable.awaiting_outcome_since() {
        let mut judged = found.outcomes.iter();
        let judged = judged.find(|judged| judged.ordinal == actionable.ordinal && judged.done == done);
        if let Some(judged) = judged {
            actionable.outcome = Some(judged.outcome.clone());
            actionable.updated_at = now;
        }
    }
    if !actionable.is_active() {
        return;
    }
    match candidates
        .iter()
        .find(|c| c.fingerprint == actionable.fingerprint)
    {
        Some(candidate) => {
            actionable.missed = 0;
            if actionable.recommendation != candidate.recommendation {
                actionable.recommendation = candidate.recommendation.clone();
                actionable.updated_at = now;
            }
        }
        None if found.is_complete => actionable.record_missed_check(now),
        None => {}
    }
}

#[cfg(test)]
mod tests;
