use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::board::test_data::recommendation;
use crate::board::{
    ActionableStatus, ApiQuery, Counts, Finding, Measurement, OutcomeResult, Priority, SourceType,
};
use crate::limits::RETIRED_AFTER;
use crate::metrics::Share;
use crate::period::DateRange;
use crate::time::{DAY, Day, MILLISECOND};

const NOW: Timestamp = Timestamp::from_millis(200 * 86_400_000);

fn fingerprint(subject: u8) -> Fingerprint {
    Fingerprint::new(SourceType::LowVisibility, format!("p{subject}"))
}

fn candidate(subject: u8, impact: u64) -> Candidate {
    Candidate {
        fingerprint: fingerprint(subject),
        impact,
        recommendation: recommendation(&format!("p{subject}"), Priority::High, impact),
    }
}

/// Creates an actionable about `subject` that was closed this number of days ago.
fn known(ordinal: u32, subject: u8, status: ActionableStatus, closed: Option<u32>) -> Actionable {
    let mut actionable = Actionable::new(
        ordinal.into(),
        fingerprint(subject),
        candidate(subject, 1).recommendation,
        Timestamp::from_millis(0),
    );
    actionable.status = status;
    actionable.closed_at = closed.map(|days| NOW - days * DAY);
    actionable
}

/// Returns the findings of a partial check.
fn findings(candidates: &[Candidate]) -> CheckFindings {
    CheckFindings {
        candidates: candidates.to_vec(),
        ..CheckFindings::default()
    }
}

fn created(update: &BoardUpdate) -> Vec<String> {
    update
        .created
        .iter()
        .map(|a| a.recommendation.title.clone())
        .collect()
}

#[test]
fn candidates_are_sorted_by_impact_then_fingerprint() {
    let candidates = vec![candidate(1, 3), candidate(2, 9), candidate(4, 3), candidate(3, 3)];
    let update = update_board(&[], &findings(&candidates), 8.into(), NOW);
    assert_eq!(created(&update), ["p2", "p1", "p3", "p4"]);
    let ordinals: Vec<u32> = update.created.iter().map(|a| a.ordinal.get()).collect();
    assert_eq!(ordinals, [8, 9, 10, 11]);
    assert!(
        update
            .created
            .iter()
            .all(|a| a.is_active() && a.created_at == NOW && a.updated_at == NOW)
    );
}

#[test]
fn an_active_recommendation_is_updated_if_its_figures_changed() {
    let there = [
        known(1, 1, ActionableStatus::Active, None),
        known(2, 2, ActionableStatus::Active, None),
        known(3, 3, ActionableStatus::Active, None),
    ];
    // The first candidate is unchanged, the second has other figures, and the third is missing.
    let update = update_board(
        &there,
        &findings(&[candidate(1, 1), candidate(2, 5)]),
        4.into(),
        NOW,
    );
    let expected = Actionable {
        recommendation: candidate(2, 5).recommendation,
        updated_at: NOW,
        ..there[1].clone()
    };
    assert_eq!(update.changed, [expected]);
    assert!(update.created.is_empty());
}

#[test]
fn a_dismissed_recommendation_or_a_task_blocks_its_cause_until_it_expires() {
    use ActionableStatus::{Dismissed, InTask};
    for (status, closed, returns) in [
        (Dismissed, Some(89), false),
        (Dismissed, Some(90), true),
        (InTask, None, false),
        (InTask, Some(29), false),
        (InTask, Some(30), true),
    ] {
        let update = update_board(
            &[known(1, 1, status, closed)],
            &findings(&[candidate(1, 1)]),
            2.into(),
            NOW,
        );
        assert_eq!(
            update.created.len(),
            usize::from(returns),
            "{status:?} {closed:?}"
        );
        assert!(update.changed.is_empty());
    }
}

#[test]
fn a_cause_that_returned_after_its_task_is_updated_and_not_duplicated() {
    let there = [
        known(1, 1, ActionableStatus::InTask, Some(40)),
        known(2, 1, ActionableStatus::Active, None),
    ];
    let update = update_board(&there, &findings(&[candidate(1, 7)]), 3.into(), NOW);
    assert!(update.created.is_empty());
    assert_eq!(update.changed[0].ordinal, 2.into());
}

/// Returns the impact of the candidate that an actionable was created from.
fn impact(actionable: &Actionable) -> u64 {
    match &actionable.recommendation.evidence.finding {
        Finding::LowVisibility { figures } => figures.counts.share().mentions,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_recommendation_without_its_cause_in_three_complete_checks_is_dismissed() {
    let complete = CheckFindings {
        can_retire_recommendations: true,
        ..CheckFindings::default()
    };
    let after = |checks: &[&CheckFindings]| {
        let mut one = known(1, 1, ActionableStatus::Active, None);
        for check in checks {
            one = update_board(&[one.clone()], check, 2.into(), NOW)
                .changed
                .pop()
                .unwrap_or(one);
        }
        one
    };
    let (partial, there) = (CheckFindings::default(), findings(&[candidate(1, 1)]));
    let retired = after(&[&complete, &complete, &partial, &complete]);
    assert_eq!(retired.status, ActionableStatus::Dismissed);
    assert_eq!((retired.closed_at, retired.updated_at), (Some(NOW), NOW));
    assert_eq!(retired.retired.as_ref().map(|retired| retired.at), Some(NOW));
    assert_eq!(retired.missed, RETIRED_AFTER);
    for checks in [
        [&complete, &complete, &partial, &partial],
        [&complete, &complete, &there, &complete],
    ] {
        let active = after(&checks);
        assert!(active.is_active() && active.retired.is_none());
        assert_eq!(active.updated_at, Timestamp::from_millis(0));
    }

    // The cause can return as a new recommendation at once, and another one can take the free slot.
    let again = update_board(&[retired], &there, 2.into(), NOW);
    assert_eq!((created(&again), again.changed.len()), (vec!["p1".to_owned()], 0));
    let mut full: Vec<Actionable> = (1..=30)
        .map(|n| known(n.into(), n, ActionableStatus::Active, None))
        .collect();
    full.iter_mut().for_each(|a| a.missed = RETIRED_AFTER - 1);
    let others: Vec<Candidate> = (2..=32).map(|n| candidate(n, n.into())).collect();
    let found = CheckFindings {
        candidates: others,
        ..complete
    };
    let update = update_board(&full, &found, 31.into(), NOW);
    assert_eq!(created(&update), ["p32"]);
}

fn task_outcome(ordinal: u32, done: Timestamp) -> TaskOutcome {
    let measure = || {
        let query = ApiQuery {
            path: "/trends/visibility".to_owned(),
            parameters: [].into(),
        };
        let counts = Counts::Answers(Share::default());
        Measurement::new(&DateRange::recommendations(Day(1)), counts, query)
    };
    TaskOutcome {
        ordinal: ordinal.into(),
        done,
        outcome: Outcome {
            result: OutcomeResult::Improved,
            before: measure(),
            after: measure(),
        },
    }
}

#[test]
fn an_outcome_is_recorded_once_for_a_task_that_is_still_done_and_unblocks_its_cause() {
    let there = known(1, 1, ActionableStatus::InTask, Some(3));
    let done = there.closed_at.unwrap();
    let with = |there: &Actionable, task_outcome: TaskOutcome| {
        let found = CheckFindings {
            outcomes: vec![task_outcome],
            ..findings(&[candidate(1, 1)])
        };
        update_board(std::slice::from_ref(there), &found, 2.into(), NOW)
    };
    let recorded = with(&there, task_outcome(1, done));
    assert_eq!(recorded.changed[0].outcome, Some(task_outcome(1, done).outcome));
    assert_eq!(created(&recorded), ["p1"]);

    // The task was done again, is no longer done, belongs to another actionable, or already has an outcome.
    let reopened = known(1, 1, ActionableStatus::InTask, None);
    for (there, task_outcome) in [
        (&there, task_outcome(1, done + MILLISECOND)),
        (&reopened, task_outcome(1, done)),
        (&there, task_outcome(2, done)),
    ] {
        assert_eq!(with(there, task_outcome), BoardUpdate::default());
    }
    let mut other = task_outcome(1, done);
    other.outcome.result = OutcomeResult::Worse;
    assert!(with(&recorded.changed[0], other).changed.is_empty());
}

fn boards() -> impl Strategy<Value = Vec<Actionable>> {
    let one = (0u8..50, 0u8..5, 0u32..120);
    prop::collection::vec(one, 0..60).prop_map(|all| {
        let mut active = BTreeSet::new();
        let mut board = Vec::new();
        for (ordinal, (subject, kind, days)) in (1..).zip(all) {
            let (status, closed) = match kind {
                0 => (ActionableStatus::Dismissed, Some(days)),
                1 => (ActionableStatus::InTask, None),
                2 => (ActionableStatus::InTask, Some(days)),
                // A board has at most 30 active recommendations, and at most one per cause.
                _ if active.len() < MAX_ACTIVE_ACTIONABLES && active.insert(subject) => {
                    (ActionableStatus::Active, None)
                }
                _ => continue,
            };
            board.push(known(ordinal, subject, status, closed));
        }
        board
    })
}

proptest! {
    #[test]
    fn an_update_fills_the_board_by_impact_and_a_second_one_changes_nothing(
        board in boards(), candidates in prop::collection::vec((0u8..70, 0u64..20), 0..80),
    ) {
        let candidates: Vec<Candidate> = candidates.into_iter().map(|(subject, impact)| candidate(subject, impact)).collect();
        let first = update_board(&board, &findings(&candidates), 100.into(), NOW);

        let mut after: Vec<Actionable> = board.clone();
        for refreshed in &first.changed {
            let index = after.iter().position(|a| a.ordinal == refreshed.ordinal).unwrap();
            prop_assert!(after[index].is_active() && after[index].fingerprint == refreshed.fingerprint);
            after[index] = refreshed.clone();
        }
        after.extend(first.created.iter().cloned());
        let active: Vec<&Fingerprint> = after.iter().filter(|a| a.is_active()).map(|a| &a.fingerprint).collect();
        prop_assert_eq!(first.count_active(&board), active.len());
        prop_assert!(active.len() <= MAX_ACTIVE_ACTIONABLES);
        prop_assert_eq!(active.iter().collect::<BTreeSet<_>>().len(), active.len());
        let ordinals: BTreeSet<ActionableOrdinal> = after.iter().map(|a| a.ordinal).collect();
        prop_assert_eq!(ordinals.len(), after.len());

        // A candidate that is not on the board was created, or the board is full of candidates with at least
        // its impact.
        let least = first.created.last().map(impact);
        for candidate in &candidates {
            let is_held = board.iter().any(|a| a.fingerprint == candidate.fingerprint && a.blocks_candidate(NOW));
            let is_made = first.created.iter().any(|a| a.fingerprint == candidate.fingerprint);
            prop_assert!(!(is_held && is_made));
            if !is_held && !is_made {
                prop_assert_eq!(active.len(), MAX_ACTIVE_ACTIONABLES);
                prop_assert!(least.is_none_or(|least| candidate.impact <= least));
            }
        }
        prop_assert_eq!(update_board(&after, &findings(&candidates), 200.into(), NOW + MILLISECOND), BoardUpdate::default());
    }
}
