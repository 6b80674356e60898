//! From causes to the actionables of a board.

use std::collections::HashSet;

use super::Cause;
use crate::board::{Actionable, Fingerprint};
use crate::limits::ACTIVE_ACTIONABLES;
use crate::time::Millis;

/// What a check changes on a board.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Refill {
    /// Active ones whose numbers have changed.
    pub refreshed: Vec<Actionable>,
    /// New ones, the greatest impact first.
    pub created: Vec<Actionable>,
}

/// Fills a board up to 30 active actionables, by impact. `known` are the actionables that are there, `next` is the
/// ordinal of the first new one.
///
/// A cause whose actionable is active already brings it up to date and makes no other; one that was dismissed, or
/// is a task, makes none either, as long as [`Actionable::holds_its_cause`] says. An active actionable whose cause
/// is gone stays as it is.
pub fn refill(known: &[Actionable], causes: &[Cause], next: u32, now: Millis) -> Refill {
    let mut ranked: Vec<&Cause> = causes.iter().collect();
    ranked.sort_by(|a, b| (b.impact, &a.fingerprint).cmp(&(a.impact, &b.fingerprint)));
    let mut seen = HashSet::new();
    ranked.retain(|cause| seen.insert(&cause.fingerprint));

    let active: Vec<&Actionable> = known.iter().filter(|a| a.is_active()).collect();
    let held: HashSet<&Fingerprint> = known
        .iter()
        .filter(|a| a.holds_its_cause(now))
        .map(|a| &a.fingerprint)
        .collect();
    let mut free = ACTIVE_ACTIONABLES.saturating_sub(active.len());
    let mut ordinals = next..;
    let mut refill = Refill::default();
    for cause in ranked {
        let (fingerprint, recommendation) = (&cause.fingerprint, &cause.recommendation);
        if let Some(there) = active.iter().find(|a| a.fingerprint == *fingerprint) {
            if there.recommendation != *recommendation {
                refill.refreshed.push(Actionable {
                    recommendation: recommendation.clone(),
                    updated_at: now,
                    ..(*there).clone()
                });
            }
        } else if free > 0
            && !held.contains(fingerprint)
            && let Some(ordinal) = ordinals.next()
        {
            free -= 1;
            let (fingerprint, recommendation) = (fingerprint.clone(), recommendation.clone());
            refill
                .created
                .push(Actionable::new(ordinal, fingerprint, recommendation, now));
        }
    }
    refill
}

#[cfg(test)]
mod tests;
