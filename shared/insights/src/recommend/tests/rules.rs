//! Tests of the rules about prompts.

use domain::board::{Category, TaskType};

use super::rendering::*;
use super::*;

#[test]
fn low_visibility_finds_a_prompt_that_rarely_mentions_the_brand() {
    let candidate = Fixture::new(answers(1, 0, 1, 7, &[ACME])).only_candidate("low_visibility");
    let recommended = &candidate.recommendation;
    assert_eq!(candidate.impact, 6);
    assert_eq!(recommended.title, "Get Acme named in answers to “Which 1?”");
    let numbers = "Acme is mentioned in 1 of 7 answers to “Which 1?” from 2026-02-09 to 2026-03-10: a visibility score \
                   of 14.29. ";
    assert!(
        recommended.description.starts_with(numbers),
        "{}",
        recommended.description
    );
    assert_eq!(
        metadata(&candidate),
        json!({
            "rule": "low_visibility", "window": window(), "promptIds": ids(&[1]), "modelIds": [model_uuid(0)],
            "counts": {"mentions": 1, "responses": 7}, "score": 14.29, "interval": [2.57, 51.31],
            "query": query("/trends/visibility", &[1], &json!({})),
        })
    );
}

#[test]
fn every_rule_has_a_next_step_a_category_and_a_task_type() {
    let kinds = [
        ("low_visibility", Category::Visibility, TaskType::OffPage),
        ("persistent_absence", Category::Visibility, TaskType::OffPage),
        ("model_gap", Category::Visibility, TaskType::Technical),
        ("citation_gap", Category::Citation, TaskType::OffPage),
        ("competitor_lead", Category::Visibility, TaskType::OffPage),
        ("uncited_mention", Category::Citation, TaskType::OnPage),
        ("fanout_gap", Category::Content, TaskType::OnPage),
        ("lost_visibility", Category::Visibility, TaskType::OffPage),
    ];
    let mut checks = answers(1, 0, 25, 25, &[ACME, RIVAL]);
    (0..)
        .zip(&mut checks)
        .for_each(|(n, check)| check.days_ago = 10 + n % 6);
    checks.extend((0..25).map(|n| {
        let silent = answer(2, 1, &[RIVAL]).citing(&["https://news.org/f"]);
        check(
            n % 6,
            vec![answer(1, 0, &[RIVAL]), silent.searching(&["best tool"])],
        )
    }));
    checks.extend(answers(3, 2, 1, 4, &[ACME]));
    checks.extend((0..9).map(|_| check(11, vec![answer(4, 2, &[ACME])])));
    let candidates = Fixture::new(checks).candidates();
    for (rule, category, task_type) in kinds {
        let of_rule = candidates
            .iter()
            .find(|candidate| candidate.recommendation.rule().into_str() == rule);
        let recommended = &of_rule.unwrap_or_else(|| panic!("{rule}")).recommendation;
        assert_eq!(
            (recommended.rule().category(), recommended.rule().task_type()),
            (category, task_type)
        );
        assert!(recommended.description.contains("Next step: "), "{rule}");
        assert!(
            recommended.description.contains("Acme") || recommended.title.contains("Acme"),
            "{rule}"
        );
    }
}

#[test]
fn persistent_absence_begins_after_the_last_mention_and_replaces_low_visibility() {
    let day = |days_ago, brands: &[u32]| check(days_ago, vec![answer(1, 0, brands), answer(1, 1, &[])]);
    let mut checks = vec![day(9, &[ACME]), day(6, &[]), day(5, &[]), day(2, &[])];
    // Incomplete checks and checks without an answer do not count, but answers since the beginning of the
    // absence do.
    checks.push(check(
        8,
        vec![answer(1, 0, &[]), answer(1, 1, &[]).ending(ResponseState::Failed)],
    ));
    checks.push(check(
        4,
        vec![answer(1, 0, &[]), answer(1, 1, &[]).ending(ResponseState::Failed)],
    ));
    checks.push(check(3, vec![answer(1, 0, &[]).ending(ResponseState::Refused)]));
    let fixture = Fixture::new(checks.clone());
    assert!(!fixture.rules().contains("low_visibility"));
    let candidate = fixture.only_candidate("persistent_absence");
    assert_eq!(candidate.impact, 7);
    let days = ["2026-03-04", END];
    assert_eq!(
        metadata(&candidate),
        json!({
            "rule": "persistent_absence", "window": {"startDate": "2026-03-04", "endDate": END, "days": 7},
            "promptIds": ids(&[1]), "modelIds": [model_uuid(0), model_uuid(1)],
            "checks": 3, "since": "2026-03-04",
            "counts": {"mentions": 0, "responses": 7}, "score": 0.0, "interval": [0.0, 35.43],
            "query": query_of("/trends/visibility", days, &[1], &json!({})),
        })
    );

    // A mention on the first day of the absence leaves only two checks.
    checks.push(check(6, vec![answer(1, 2, &[SISTER])]));
    assert!(!Fixture::new(checks).rules().contains("persistent_absence"));
}

#[test]
fn uncited_mention_finds_a_prompt_that_mentions_the_brand_without_its_site() {
    let checks = answers(1, 0, 5, 6, &[ACME]);
    let candidate = Fixture::new(checks.clone()).only_candidate("uncited_mention");
    assert_eq!(candidate.impact, 5);
    assert_eq!(
        metadata(&candidate),
        json!({
            "rule": "uncited_mention", "window": window(), "promptIds": ids(&[1]), "modelIds": [model_uuid(0)],
            "counts": {"mentions": 5, "responses": 6}, "score": 83.33, "interval": [43.65, 96.99], "citations": 0,
            "query": query("/entities/prompts", &[1], &json!({})),
        })
    );
    // A citation of another member's site is enough. Nothing is expected for an entity without a site.
    let mut cited = checks.clone();
    cited.push(check(
        20,
        vec![answer(1, 2, &[]).citing(&["https://www.acme.de/"])],
    ));
    assert!(!Fixture::new(cited).rules().contains("uncited_mention"));
    let mut fixture = Fixture::new(checks);
    fixture.entity.domain = None;
    fixture.brands.own = [77.into()].into_iter().collect();
    fixture.brands.known.clear();
    assert!(!fixture.rules().contains("uncited_mention"));
}

#[test]
fn lost_visibility_finds_a_lower_share_that_chance_does_not_explain() {
    let of = |days: [i32; 4], named, of| {
        let of_day = |days_ago| {
            let mut checks = answers(1, 0, named, of, &[ACME]);
            checks.iter_mut().for_each(|check| check.days_ago = days_ago);
            checks
        };
        days.into_iter().flat_map(of_day).collect::<Vec<_>>()
    };
    let with = |after: Vec<Check>| [of([29, 20, 10, 7], 9, 10), after].concat();
    let recent = [6, 4, 1, 0];
    let few = of(recent, 1, 4);
    let slightly_lower = of(recent, 8, 10);
    let on_two_days = [of(recent, 0, 10), of(recent, 0, 10)].concat();
    let on_two_days = on_two_days
        .into_iter()
        .filter(|check| check.days_ago < 4)
        .collect();
    for after in [few, slightly_lower, on_two_days] {
        let rules = Fixture::new(with(after)).rules();
        assert!(!rules.contains("lost_visibility"));
    }
    let candidates = Fixture::new(with(of(recent, 4, 10))).candidates();
    let lost: Vec<&Candidate> = candidates
        .iter()
        .filter(|candidate| candidate.recommendation.rule().into_str() == "lost_visibility")
        .collect();
    let titles: Vec<&str> = lost
        .iter()
        .map(|candidate| candidate.recommendation.title.as_str())
        .collect();
    let of_prompt = "Win back the visibility of Acme in answers to “Which 1?”";
    assert_eq!(titles, ["Win back the visibility of Acme in answers", of_prompt]);
    assert!(lost.iter().all(|candidate| candidate.impact == 20));
    let (before, after) = ([START, "2026-03-03"], ["2026-03-04", END]);
    let windows = json!({"baseStartDate": before[0], "baseEndDate": before[1], "metrics": "visibility"});
    let compared = query_of("/trends/compare", after, &[1], &windows);
    assert_eq!(
        metadata(lost[1]),
        json!({
            "rule": "lost_visibility", "window": window(), "promptIds": ids(&[1]), "modelIds": [model_uuid(0)],
            "before": {
                "startDate": before[0], "endDate": before[1], "counts": {"mentions": 36, "responses": 40},
                "score": 90.0, "interval": [76.95, 96.04], "query": compared,
            },
            "after": {
                "startDate": after[0], "endDate": after[1], "counts": {"mentions": 16, "responses": 40},
                "score": 40.0, "interval": [26.35, 55.4], "query": compared,
            },
            "query": compared,
        })
    );
}
