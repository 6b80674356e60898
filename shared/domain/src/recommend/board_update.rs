//! From what a check found to the actionables of a board.

use std::collections::HashSet;

use super::Cause;
use crate::board::{Actionable, Fingerprint, Outcome};
use crate::limits::MAX_ACTIVE_ACTIONABLES;
use crate::time::Timestamp;

/// What a check has to say of a board.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    pub causes: Vec<Cause>,
    /// Nothing was left unasked: a cause that is not among these is gone.
    pub is_complete: bool,
    pub outcomes: Vec<Judged>,
}

/// What became of a done task.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// Its actionable.
    pub ordinal: u32,
    /// When it was done.
    pub done: Timestamp,
    pub outcome: Outcome,
}

/// What a check changes on a board.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Refill {
    /// Those that are there: active ones with new numbers, or without their cause; done ones with their outcome.
    pub changed: Vec<Actionable>,
    /// New ones, the greatest impact first.
    pub created: Vec<Actionable>,
}

/// Brings a board up to date and fills it up to 30 active actionables, by impact. `known` are the actionables that are
/// there, `next` is the ordinal of the first new one.
///
/// A cause whose actionable is active already brings it up to date and makes no other; one that was dismissed, or
/// is a task, makes none either, as long as [`Actionable::holds_its_cause`] says. An active actionable without a cause
/// in three complete checks in a row is dismissed by itself, and its place is free.
pub fn refill(known: &[Actionable], found: &Found, next: u32, now: Timestamp) -> Refill {
    let mut ranked: Vec<&Cause> = found.causes.iter().collect();
    ranked.sort_by(|a, b| (b.impact, &a.fingerprint).cmp(&(a.impact, &b.fingerprint)));
    let mut seen = HashSet::new();
    ranked.retain(|cause| seen.insert(&cause.fingerprint));

    let mut board = known.to_vec();
    for actionable in &mut board {
        update(actionable, &ranked, found, now);
    }
    let held: HashSet<&Fingerprint> = board
        .iter()
        .filter(|a| a.holds_its_cause(now))
        .map(|a| &a.fingerprint)
        .collect();
    let active = board.iter().filter(|a| a.is_active()).count();
    let free = MAX_ACTIVE_ACTIONABLES.saturating_sub(active);
    let new = ranked
        .into_iter()
        .filter(|cause| !held.contains(&cause.fingerprint));
    let created = new.take(free).zip(next..).map(|(cause, ordinal)| {
        let (fingerprint, recommendation) = (cause.fingerprint.clone(), cause.recommendation.clone());
        Actionable::new(ordinal, fingerprint, recommendation, now)
    });
    let created = created.collect();
    let changed = board
        .into_iter()
        .zip(known)
        .filter(|(now, before)| now != *before);
    Refill {
        changed: changed.map(|(now, _)| now).collect(),
        created,
    }
}

/// What is found of an actionable that is there.
fn update(actionable: &mut Actionable, causes: &[&Cause], found: &Found, now: Timestamp) {
    if let Some(done) = actionable.awaits_outcome() {
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
    match causes.iter().find(|c| c.fingerprint == actionable.fingerprint) {
        Some(cause) => {
            actionable.missed = 0;
            if actionable.recommendation != cause.recommendation {
                actionable.recommendation = cause.recommendation.clone();
                actionable.updated_at = now;
            }
        }
        None if found.is_complete => actionable.miss(now),
        None => {}
    }
}

#[cfg(test)]
mod tests;
