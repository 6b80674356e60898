//! The changes that a check makes to a board.

use std::collections::HashSet;

use super::candidate::Candidate;
use crate::board::{Actionable, Fingerprint, Outcome};
use crate::limits::MAX_ACTIVE_ACTIONABLES;
use crate::ordinal::ActionableOrdinal;
use crate::time::Timestamp;

/// The results of a check that change a board.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CheckFindings {
    pub candidates: Vec<Candidate>,
    /// Whether every question was asked and at least one was answered. Only then does the absence of a
    /// candidate mean that its cause is gone.
    pub can_retire_recommendations: bool,
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

/// The changes to a board.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BoardUpdate {
    /// Existing actionables with new figures, a missed check or an outcome.
    pub changed: Vec<Actionable>,
    /// New actionables, sorted by impact, the greatest first.
    pub created: Vec<Actionable>,
}

impl BoardUpdate {
    /// Returns the number of active actionables after the update of a board with the actionables `known`.
    pub fn count_active(&self, known: &[Actionable]) -> usize {
        let is_replaced = |known: &&Actionable| self.changed.iter().any(|new| new.ordinal == known.ordinal);
        let unchanged = known.iter().filter(|known| !is_replaced(known));
        let after = unchanged.chain(&self.changed).chain(&self.created);
        after.filter(|actionable| actionable.is_active()).count()
    }
}

/// Updates a board and fills it up to [`MAX_ACTIVE_ACTIONABLES`] active actionables, the greatest impact
/// first.
///
/// `known` are the existing actionables, and `next` is the ordinal of the first new one.
///
/// A candidate whose actionable is active updates that actionable. It creates no new one while
/// [`Actionable::blocks_candidate`] holds for an actionable with the same fingerprint. An active actionable
/// without a candidate in three complete checks in a row is dismissed, which makes room for a new one.
pub fn update_board(
    known: &[Actionable],
    findings: &CheckFindings,
    next: ActionableOrdinal,
    now: Timestamp,
) -> BoardUpdate {
    let mut ranked: Vec<&Candidate> = findings.candidates.iter().collect();
    ranked.sort_by(|a, b| (b.impact, &a.fingerprint).cmp(&(a.impact, &b.fingerprint)));
    let mut seen = HashSet::new();
    ranked.retain(|candidate| seen.insert(&candidate.fingerprint));

    let mut board = known.to_vec();
    for actionable in &mut board {
        update(actionable, &ranked, findings, now);
    }
    let blocked: HashSet<&Fingerprint> = board
        .iter()
        .filter(|a| a.blocks_candidate(now))
        .map(|a| &a.fingerprint)
        .collect();
    let active = board.iter().filter(|a| a.is_active()).count();
    let free = MAX_ACTIVE_ACTIONABLES.saturating_sub(active);
    let new = ranked
        .into_iter()
        .filter(|candidate| !blocked.contains(&candidate.fingerprint));
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

/// Applies the findings of a check to an existing actionable.
fn update(actionable: &mut Actionable, candidates: &[&Candidate], findings: &CheckFindings, now: Timestamp) {
    if let Some(done) = actionable.awaiting_outcome_since() {
        let mut outcomes = findings.outcomes.iter();
        let task_outcome = outcomes.find(|task| task.ordinal == actionable.ordinal && task.done == done);
        if let Some(task_outcome) = task_outcome {
            actionable.outcome = Some(task_outcome.outcome.clone());
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
        None if findings.can_retire_recommendations => actionable.record_missed_check(now),
        None => {}
    }
}

#[cfg(test)]
mod tests;
