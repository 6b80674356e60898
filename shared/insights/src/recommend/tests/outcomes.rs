//! Tests of the outcomes of tasks.

use domain::board::{Actionable, Counts, Fingerprint, Outcome, OutcomeResult, Recommendation};

use super::super::task_outcome::outcome;
use super::*;

/// The day on which the task was done, 11 days before today.
const DONE: Day = Day(20_511);

/// Returns the outcome of a rule's recommendation if `before` and `after` of 20 answers on each side mention
/// the brand and cite its site.
fn result(rule: &str, before: usize, after: usize) -> Outcome {
    let answers = |days_ago, named| {
        (0..20).map(move |n| {
            let brands: &[u32] = if n < named { &[ACME] } else { &[] };
            let urls: &[&str] = if n < named {
                &["https://acme.de/a"]
            } else {
                &["https://news.org/f"]
            };
            check(days_ago, vec![answer(1, 0, brands).citing(urls)])
        })
    };
    // The day on which the task was done, other prompts and other models count on neither side.
    let others = vec![answer(2, 0, &[ACME]), answer(1, 1, &[ACME])];
    let mut checks = vec![check(11, vec![answer(1, 0, &[ACME])]), check(5, others)];
    checks.extend(answers(41, before));
    checks.extend(answers(10, after));
    let fixture = Fixture::new(checks);
    outcome(&fixture.rule_input(), &recommendation(rule), DONE).unwrap()
}

/// Returns a recommendation of a rule about prompt 1 and model 0.
fn recommendation(rule: &str) -> Recommendation {
    let cited = |days_ago| check(days_ago, vec![answer(1, 0, &[ACME]).searching(&["best tool"])]);
    let found = match rule {
        "uncited_mention" | "fanout_gap" => (0..5).map(cited).collect(),
        _ => vec![check(0, vec![answer(1, 0, &[])])],
    };
    Fixture::new(found).only_candidate(rule).recommendation
}

#[test]
fn only_significant_changes_are_better_or_worse() {
    use OutcomeResult::{Improved, NoChange, Worse};
    for rule in ["low_visibility", "uncited_mention", "fanout_gap"] {
        for (before, after, expected) in [
            (2, 12, Improved),
            (8, 12, NoChange),
            (0, 0, NoChange),
            (12, 2, Worse),
        ] {
            assert_eq!(
                result(rule, before, after).result,
                expected,
                "{rule} {before} {after}"
            );
        }
    }
}

#[test]
fn an_outcome_contains_both_sides_and_their_queries() {
    let parameters = |start: &str, end: &str| {
        json!({
            "entityId": "acme000000000000", "promptIds": "acme000000000000-p1", "models": model_uuid(0),
            "startDate": start, "endDate": end, "union": "false",
        })
    };
    let side = |days: [&str; 2], path: &str, counts: Value, score: f64, interval: [f64; 2]| {
        json!({
            "startDate": days[0], "endDate": days[1], "counts": counts, "score": score, "interval": interval,
            "query": {"path": path, "parameters": parameters(days[0], days[1])},
        })
    };
    let (before, after) = (["2026-01-28", "2026-02-26"], ["2026-02-28", "2026-03-10"]);
    for (rule, path, fields) in [
        ("low_visibility", "/trends/visibility", ["mentions", "responses"]),
        (
            "uncited_mention",
            "/entities/citations",
            ["ownCitations", "citations"],
        ),
    ] {
        let counts = |of: u64| json!({fields[0]: of, fields[1]: 20});
        assert_eq!(
            serde_json::to_value(result(rule, 2, 12)).unwrap(),
            json!({
                "result": "improved",
                "before": side(before, path, counts(2), 10.0, [2.79, 30.1]),
                "after": side(after, path, counts(12), 60.0, [38.66, 78.12]),
            })
        );
    }
}

#[test]
fn there_is_no_outcome_before_both_sides_have_20_answers() {
    let recommended = recommendation("low_visibility");
    let with = |before: usize, after: usize| {
        let one = |days_ago| check(days_ago, vec![answer(1, 0, &[])]);
        let checks = (0..before).map(|_| one(12)).chain((0..after).map(|_| one(1)));
        outcome(&Fixture::new(checks.collect()).rule_input(), &recommended, DONE)
    };
    assert!(with(20, 19).is_none() && with(19, 20).is_none());
    assert!(with(20, 20).is_some());
    let fixture = Fixture::new(Vec::new());
    assert_eq!(outcome(&fixture.rule_input(), &recommended, TODAY), None);
}

#[test]
fn an_outcome_about_the_entity_counts_all_answers_of_its_models() {
    let answers = |days_ago, brands: &[u32]| {
        check(
            days_ago,
            vec![answer(1, 0, brands), answer(2, 1, brands), answer(3, 3, &[ACME])],
        )
    };
    let checks: Vec<Check> = (0..20).map(|n| answers(12 + n % 2, &[RIVAL])).collect();
    let lead = Fixture::new(checks.iter().map(|c| check(0, c.answers[..2].to_vec())).collect());
    let recommended = lead.only_candidate("competitor_lead").recommendation;
    let fixture = Fixture::new(
        checks
            .into_iter()
            .chain((0..20).map(|_| answers(1, &[ACME])))
            .collect(),
    );
    let found = outcome(&fixture.rule_input(), &recommended, DONE).unwrap();
    let counts = |found: Counts| (found.share().mentions, found.share().responses);
    assert_eq!(counts(found.before.figures.counts), (0, 40));
    assert_eq!(counts(found.after.figures.counts), (40, 40));
}

#[test]
fn the_required_days_include_those_of_open_outcomes() {
    let done = |days: i32| {
        let recommended = recommendation("low_visibility");
        let fingerprint = Fingerprint::new(recommended.rule(), days);
        let mut actionable = Actionable::new(1.into(), fingerprint, recommended, Timestamp::from_millis(0));
        actionable.mark_as_task(Timestamp::from_millis(0));
        actionable.closed_at = Some(TODAY.plus_days(-days).start());
        actionable
    };
    let first = |actionables: &[Actionable]| TODAY.0 - required_days(actionables, TODAY).first.0;
    assert_eq!(first(&[]), 29);
    assert_eq!(first(&[done(0)]), 29);
    assert_eq!(first(&[done(3), done(20), done(1)]), 50);
    let known = Actionable {
        outcome: Some(result("low_visibility", 2, 12)),
        ..done(20)
    };
    assert_eq!(first(&[known]), 29);
}
