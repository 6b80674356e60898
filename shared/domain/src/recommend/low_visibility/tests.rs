use proptest::prelude::*;
use serde_json::json;

use super::super::causes;
use super::*;
use crate::entity::Entity;
use crate::facts::Ordinals;
use crate::facts::Selection;
use crate::facts::samples;
use crate::facts::trend::{VisibilityQuestion, visibility_share};
use crate::facts::visibility::VisibilityCell;
use crate::period::Range;
use crate::prompt::PromptText;
use crate::time::{Day, Millis};

/// 2026-03-10.
const TODAY: Day = Day(20_522);
const BRAND: u32 = 4;

fn entity() -> Entity {
    let uuid = |n: u32| format!("00000000-0000-0000-0000-{n:012}");
    serde_json::from_value(json!({
        "id": "acme000000000000", "brand": uuid(0), "brandOrdinal": BRAND, "name": "Acme", "target": "acme.com",
        "targetType": "domain", "description": "", "language": "en", "geolocation": "global",
        "trackingType": "website", "models": [], "modelOrdinals": (0..8).map(uuid).collect::<Vec<_>>(),
        "isActive": true, "frequencyHours": 24, "createdAt": 0, "promptSeq": 8, "checkSeq": 7, "prompts": 8,
    }))
    .unwrap()
}

fn prompt(ordinal: u32, text: &str) -> Prompt {
    Prompt {
        ordinal,
        text: PromptText::parse("prompt", text).unwrap(),
        language: None,
        geolocation: None,
        created_at: Millis(0),
        is_active: true,
        is_deleted: false,
        tags: Vec::new(),
    }
}

/// What the rule finds in these checks.
fn found(prompts: &[Prompt], checks: &[Visibility]) -> Vec<Cause> {
    causes(&Observed {
        entity: &entity(),
        brands: &Ordinals::from_iter([BRAND]),
        prompts,
        window: &Range::recommendations(TODAY),
        visibility: checks,
    })
}

/// So many answers to prompt 1 by model 0, so many of which mention the brand: one check each.
fn answers(mentions: u32, responses: u32) -> Vec<Visibility> {
    (0..responses)
        .map(|n| {
            Visibility::new(vec![VisibilityCell {
                prompt: 1,
                model: 0,
                state: State::Answered,
                brands: if n < mentions { vec![9, BRAND] } else { vec![9] },
            }])
        })
        .collect()
}

#[test]
fn a_prompt_is_a_cause_below_a_score_of_50_and_its_impact_is_what_misses_the_brand() {
    let impact = |mentions, responses| {
        let found = found(&[prompt(1, "Which?")], &answers(mentions, responses));
        found.first().map(|cause| cause.impact)
    };
    assert_eq!(impact(0, 0), None);
    assert_eq!(impact(0, 1), Some(1));
    assert_eq!(impact(1, 2), None);
    assert_eq!(impact(49, 99), Some(50));
    assert_eq!(impact(50, 99), None);
    assert_eq!(impact(3, 3), None);
}

#[test]
fn only_answers_count_and_only_prompts_that_are_asked() {
    let cell = |prompt, model, state| VisibilityCell {
        prompt,
        model,
        state,
        brands: Vec::new(),
    };
    let check = Visibility::new(vec![
        cell(1, 0, State::Answered),
        cell(1, 2, State::Failed),
        cell(2, 0, State::Refused),
        cell(3, 0, State::Answered),
        cell(4, 0, State::Answered),
    ]);
    let (mut paused, mut deleted) = (prompt(3, "c?"), prompt(4, "d?"));
    (paused.is_active, deleted.is_deleted) = (false, true);
    let prompts = [prompt(1, "a?"), prompt(2, "b?"), paused, deleted, prompt(5, "e?")];
    let found = found(&prompts, &[check]);
    let [cause] = found.as_slice() else {
        panic!("{found:?}")
    };
    let evidence = &cause.recommendation.evidence;
    assert_eq!(evidence.prompt_ids[0].ordinal, 1);
    assert_eq!(evidence.counts.responses, 1);
    // The model that failed was asked too.
    assert_eq!(
        evidence.model_ids,
        [entity().model_ordinals[0], entity().model_ordinals[2]]
    );
}

#[test]
fn urgent_is_what_misses_most_answers_of_enough() {
    let priority = |mentions, responses| {
        let found = found(&[prompt(1, "Which?")], &answers(mentions, responses));
        found[0].recommendation.priority
    };
    assert_eq!(priority(0, 2), Priority::Low);
    assert_eq!(priority(0, 4), Priority::Medium);
    assert_eq!(priority(0, 5), Priority::High);
    assert_eq!(priority(2, 8), Priority::High);
    assert_eq!(priority(3, 11), Priority::Medium);
    assert_eq!(priority(39, 100), Priority::Medium);
    assert_eq!(priority(40, 100), Priority::Low);
}

#[test]
fn a_recommendation_says_what_to_do_where_and_why_with_its_numbers() {
    let text =
        "Which project planning tool\nis the best one for a marketing agency that also runs events abroad?";
    let found = found(&[prompt(1, text)], &answers(1, 7));
    let says = &found[0].recommendation;
    let question =
        "Which project planning tool is the best one for a marketing agency that also runs events…";
    assert_eq!(says.title, format!("Get Acme named in answers to “{question}”"));
    let numbers = format!(
        "Acme is mentioned in 1 of 7 answers to “{question}” from 2026-03-04 to 2026-03-10: a visibility score of 14.29. "
    );
    assert!(says.description.starts_with(&numbers), "{}", says.description);
    assert!(says.description.contains("Next step: "));
    assert_eq!(
        (says.category, says.task_type),
        (Category::Visibility, TaskType::OffPage)
    );
    assert_eq!(
        serde_json::to_value(&says.evidence).unwrap(),
        json!({
            "rule": "low_visibility",
            "window": {"startDate": "2026-03-04", "endDate": "2026-03-10", "days": 7},
            "promptIds": ["acme000000000000-p1"],
            "modelIds": ["00000000-0000-0000-0000-000000000000"],
            "counts": {"mentions": 1, "responses": 7},
            "score": 14.29,
            "interval": [2.57, 51.31],
            "query": {"path": "/trends/visibility", "parameters": {
                "entityId": "acme000000000000", "promptIds": "acme000000000000-p1",
                "startDate": "2026-03-04", "endDate": "2026-03-10", "union": "false",
            }},
        })
    );
}

proptest! {
    #[test]
    fn the_numbers_are_those_of_the_trend_of_the_prompt(
        checks in prop::collection::vec(samples::cells(), 0..5),
    ) {
        let checks: Vec<Visibility> = checks.into_iter().map(Visibility::new).collect();
        let prompts: Vec<Prompt> = (0..8).map(|n| prompt(n, "Which?")).collect();
        let found = found(&prompts, &checks);
        for prompt in 0..8 {
            let question = VisibilityQuestion {
                brands: Ordinals::from_iter([BRAND]),
                selection: Selection {
                    models: None,
                    prompts: Some(Ordinals::from_iter([prompt])),
                },
            };
            let share: Share = checks.iter().map(|check| visibility_share(check, &question)).sum();
            let of_prompt: Vec<Share> = found
                .iter()
                .map(|cause| &cause.recommendation.evidence)
                .filter(|evidence| evidence.prompt_ids[0].ordinal == prompt)
                .map(|evidence| evidence.counts)
                .collect();
            let expected = share.score().is_some_and(|score| score < 50.0).then_some(share);
            prop_assert_eq!(of_prompt, expected.into_iter().collect::<Vec<_>>());
        }
    }
}
