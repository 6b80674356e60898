use std::collections::{BTreeMap, BTreeSet};

use domain::answer::ResponseState;
use domain::ordinal::BrandOrdinal;
use domain::ordinal_set::OrdinalSet;
use domain::period::DateRange;
use domain::time::Day;
use facts::Selection;
use facts::families::{Visibility, VisibilityCell};
use facts::figures::CountedBrands;
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use statistics::Side;
use uuid::Uuid;

use super::*;

const OWN: u32 = 1;
const RIVAL: u32 = 2;

/// Returns two windows of `days` days, the later one from day 100 on.
fn ranges(days: i32) -> ComparedRanges {
    let window = DateRange::between(Day(100), Day(99 + days)).unwrap();
    ComparedRanges::parse(window, None, None).unwrap()
}

fn own() -> OrdinalSet<BrandOrdinal> {
    [BrandOrdinal::new(OWN)].into_iter().collect()
}

/// The cells of each check, with its window and its day in the window.
type Checks = Vec<(Side, i32, Vec<VisibilityCell>)>;

/// Calls `compare` with the segments of the checks, whose models are those of `models` by their ordinals.
fn with_answers<R>(
    checks: &Checks,
    selection: &Selection,
    models: &[Uuid],
    compare: impl FnOnce(&ComparedAnswers<'_>) -> R,
) -> R {
    let ranges = ranges(10);
    let segments: Vec<Visibility> = checks
        .iter()
        .map(|(.., cells)| Visibility::new(cells.clone()))
        .collect();
    let segments: Vec<WindowSegment<'_, Visibility>> = checks
        .iter()
        .zip(&segments)
        .map(|((side, day, _), segment)| WindowSegment {
            side: *side,
            day: ranges.of(*side).first.plus_days(*day),
            entity_index: 0,
            segment,
            selection,
        })
        .collect();
    let (own, counted_as) = (own(), BTreeMap::new());
    let brands = CountedBrands {
        own: &own,
        counted_as: &counted_as,
    };
    compare(&ComparedAnswers::new(ranges, &[models], &segments, brands))
}

fn uuids(count: u128) -> Vec<Uuid> {
    (1..=count).map(Uuid::from_u128).collect()
}

/// Generates cells of few prompts, models and brands, so that they often coincide.
fn cells() -> impl Strategy<Value = Vec<VisibilityCell>> {
    let state = prop_oneof![8 => Just(ResponseState::Answered), 1 => Just(ResponseState::Failed)];
    let cell = (0u32..8, 0u32..8, state, vec(0u32..8, 0..4)).prop_map(|(prompt, model, state, brands)| {
        VisibilityCell {
            prompt: prompt.into(),
            model: model.into(),
            state,
            brands: brands.into_iter().map(BrandOrdinal::new).collect(),
            model_version: None,
        }
    });
    vec(cell, 0..60)
}

/// Generates selections of some models and prompts, or of all.
fn selection() -> impl Strategy<Value = Selection> {
    let some = || option::of(btree_set(0u32..8, 0..6));
    (some(), some()).prop_map(|(models, prompts)| Selection {
        models: models.map(|models| models.into_iter().map(Into::into).collect()),
        prompts: prompts.map(|prompts| prompts.into_iter().map(Into::into).collect()),
    })
}

proptest! {
    #[test]
    fn every_answer_is_compared_or_left_out_for_a_reason(
        checks in vec((any::<bool>(), 0i32..10, cells()), 0..6), selection in selection(),
    ) {
        let checks: Checks = checks
            .into_iter()
            .map(|(is_base, day, cells)| (if is_base { Side::Base } else { Side::Window }, day, cells))
            .collect();
        let models = uuids(8);
        // The answers of each prompt and model, by window.
        let mut answers: BTreeMap<(u32, u32), [Vec<VisibilityCell>; 2]> = BTreeMap::new();
        for (side, _, cells) in &checks {
            for cell in Visibility::new(cells.clone()).cells() {
                let is_answered = cell.state == ResponseState::Answered;
                if is_answered && selection.contains(cell.prompt, cell.model) {
                    let of_pair = answers.entry((cell.prompt.get(), cell.model.get())).or_default();
                    of_pair[side.index()].push(VisibilityCell {
                        prompt: cell.prompt,
                        model: cell.model,
                        state: cell.state,
                        brands: cell.brands.to_vec(),
                        model_version: None,
                    });
                }
            }
        }
        let compared = answers.iter().filter(|(_, [base, window])| !base.is_empty() && !window.is_empty());
        let compared: BTreeSet<(u32, u32)> = compared.map(|(pair, _)| *pair).collect();
        with_answers(&checks, &selection, &models, |compared_answers| {
            let pairs = compared_answers.pairs();
            let slices = compare_visibility(compared_answers, &[]).slices;
            let counts = |of: &dyn Fn(u32, u32) -> bool| {
                Side::BOTH.map(|side| {
                    let of_pairs = compared.iter().filter(|(prompt, model)| of(*prompt, *model));
                    let of_pairs = of_pairs.flat_map(|pair| &answers[pair][side.index()]);
                    of_pairs.fold((0, 0), |(mentions, answers), cell| {
                        (mentions + u64::from(cell.brands.contains(&OWN.into())), answers + 1)
                    })
                })
            };
            let seen = |judgement: &Judgement| judgement.counts.map(|counts| (counts.count, counts.total));
            prop_assert_eq!(seen(&slices.whole), counts(&|_, _| true));
            for (model, judgement) in &slices.by_model {
                let ordinal = u32::try_from(model.as_u128() - 1).unwrap();
                prop_assert_eq!(seen(judgement), counts(&|_, model| model == ordinal));
            }
            for (key, judgement) in &slices.by_prompt {
                prop_assert_eq!(seen(judgement), counts(&|prompt, _| prompt == key.prompt.get()));
            }
            let left_out = pairs.left_out();
            let prompts: BTreeSet<u32> = left_out.prompts.iter().map(|(key, _)| key.prompt.get()).collect();
            let without: BTreeSet<u32> =
                left_out.models.iter().map(|(model, _)| u32::try_from(model.as_u128() - 1).unwrap()).collect();
            let of_pairs: BTreeSet<(u32, u32)> = left_out
                .pairs
                .iter()
                .map(|(key, model, _)| (key.prompt.get(), u32::try_from(model.as_u128() - 1).unwrap()))
                .collect();
            for (prompt, model) in answers.keys() {
                let is_left_out =
                    prompts.contains(prompt) || without.contains(model) || of_pairs.contains(&(*prompt, *model));
                prop_assert_eq!(is_left_out, !compared.contains(&(*prompt, *model)), "{} {}", prompt, model);
            }
            Ok(())
        })?;
    }
}

/// What one model answers in one window: its version, and of 10 answers to a prompt how many mention the
/// entity and the rival.
#[derive(Clone, Copy)]
struct Answers {
    version: Option<&'static str>,
    own: u32,
    rival: u32,
}

/// Returns checks of 8 prompts on 10 days of each window. `models` has the answers of each model in the base
/// and in the window.
fn history(models: &[[Answers; 2]]) -> Checks {
    let mut checks = Vec::new();
    for side in Side::BOTH {
        for day in 0..10 {
            let mut cells = Vec::new();
            for prompt in 0..8 {
                for (model, answers) in (0..).zip(models) {
                    let answers = answers[side.index()];
                    // Each brand is mentioned on other days in the answers to other prompts and by other
                    // models.
                    let is_mentioned = |of_ten: u32, offset: u32| {
                        (7 * u32::try_from(day).unwrap() + 3 * prompt + 5 * model + offset) % 10 < of_ten
                    };
                    let named = [(OWN, answers.own, 0), (RIVAL, answers.rival, 4)];
                    let named = named
                        .into_iter()
                        .filter(|(_, of_ten, offset)| is_mentioned(*of_ten, *offset));
                    cells.push(VisibilityCell {
                        prompt: prompt.into(),
                        model: model.into(),
                        state: ResponseState::Answered,
                        brands: named.map(|(brand, ..)| brand.into()).collect(),
                        model_version: answers.version.map(str::to_owned),
                    });
                }
            }
            checks.push((side, day, cells));
        }
    }
    checks
}

fn compare(models: &[[Answers; 2]]) -> VisibilityComparison {
    let uuids = uuids(models.len() as u128);
    with_answers(&history(models), &Selection::default(), &uuids, |answers| {
        compare_visibility(answers, &[])
    })
}

fn answers(version: &'static str, own: u32, rival: u32) -> Answers {
    Answers {
        version: Some(version),
        own,
        rival,
    }
}

fn compare_voice(checks: &Checks, tracks_rivals: bool) -> VoiceComparison {
    with_answers(checks, &Selection::default(), &uuids(2), |answers| {
        compare_share_of_voice(answers, &[], |_| true, tracks_rivals)
    })
}

#[test]
fn without_rivals_there_is_no_share_of_voice_to_compare() {
    let (alone, among) = (answers("v1", 8, 0), answers("v1", 3, 6));
    let no_rivals = Some(NotComparableReason::NoRivals);
    // Somebody else is named in neither window, only in the base, or only in the window.
    for [base, window] in [[alone, alone], [among, alone], [alone, among]] {
        let history = history(&[[base, window], [base, window]]);
        let found = compare_voice(&history, false);
        let slices = found.slices.by_model.iter().map(|(_, judged)| judged);
        let prompts = found.slices.by_prompt.iter().map(|(_, judged)| judged);
        let rivals = found.by_rival.iter().map(|(_, judged)| judged);
        let all = [&found.slices.whole].into_iter().chain(slices).chain(prompts);
        let all: Vec<&Judgement> = all.chain(rivals).collect();
        assert!(all.len() > 10);
        for judged in all {
            assert_eq!(
                (judged.verdict, judged.reason),
                (Verdict::NotComparable, no_rivals)
            );
            assert!(judged.comparison.is_none());
            assert!(
                judged
                    .counts
                    .iter()
                    .all(|counts| counts.total > 0 || counts.count == 0)
            );
        }
        // A tracked rival was looked for in both windows, and naming nobody else is a figure.
        let tracked = compare_voice(&history, true);
        assert_eq!(tracked.slices.whole.reason, None);
        assert!(tracked.slices.whole.comparison.is_some());
        assert_eq!(tracked.slices.whole.counts, found.slices.whole.counts);
    }
    // Others are named in both windows, although nobody else is tracked any more.
    let named = compare_voice(&history(&[[among, among]; 2]), false);
    assert_eq!(named.slices.whole.reason, None);
    assert!(named.slices.whole.comparison.is_some());
}

#[test]
fn a_change_of_a_model_that_also_drags_the_rivals_is_not_comparable() {
    let stable = [answers("v1", 5, 5); 2];
    let changed = [answers("2026-01-01", 8, 7), answers("2026-02-01", 2, 2)];
    let found = compare(&[stable, changed]);
    assert_eq!(found.slices.whole.verdict, Verdict::NotComparable);
    assert_eq!(found.slices.whole.reason, Some(NotComparableReason::ModelChanged));
    let by_model: Vec<Verdict> = found
        .slices
        .by_model
        .iter()
        .map(|(_, judged)| judged.verdict)
        .collect();
    assert_eq!(by_model, [Verdict::NoClearChange, Verdict::NotComparable]);
    let without = found.without_changed_models.unwrap();
    assert_eq!(without.verdict, Verdict::NoClearChange);
    assert_eq!(
        found.model_changes,
        [ModelChange {
            model: Uuid::from_u128(2),
            versions: [vec!["2026-01-01".to_owned()], vec!["2026-02-01".to_owned()]],
            days: vec![version_days("2026-01-01", 0), version_days("2026-02-01", 10)],
        }]
    );
}

/// Returns the 10 days of a version from the day with a number on.
fn version_days(version: &str, first: i32) -> VersionDays {
    let first = ranges(10).base.first.plus_days(first);
    VersionDays {
        version: version.to_owned(),
        first,
        last: first.plus_days(9),
    }
}

#[test]
fn the_same_history_without_a_change_of_version_is_down() {
    let stable = [answers("v1", 5, 5); 2];
    let same_version = [answers("v1", 8, 7), answers("v1", 2, 2)];
    for without_version in [
        same_version,
        same_version.map(|answers| Answers {
            version: None,
            ..answers
        }),
    ] {
        let found = compare(&[stable, without_version]);
        assert_eq!(found.slices.whole.verdict, Verdict::Down);
        assert_eq!(found.slices.whole.reason, None);
        assert!(found.model_changes.is_empty() && found.without_changed_models.is_none());
    }
}

#[test]
fn a_change_of_a_model_explains_nothing_if_the_rivals_stay_or_other_models_move_too() {
    let lost = [answers("a", 8, 5), answers("b", 2, 5)];
    let found = compare(&[[answers("v1", 5, 5); 2], lost]);
    assert_eq!(found.slices.whole.verdict, Verdict::Down);
    assert_eq!(found.model_changes.len(), 1);

    let dragged = [answers("a", 8, 7), answers("b", 2, 2)];
    let other = [answers("v1", 8, 5), answers("v1", 2, 5)];
    let found = compare(&[other, dragged]);
    assert_eq!(found.slices.whole.verdict, Verdict::Down);
    assert_eq!(found.without_changed_models.unwrap().verdict, Verdict::Down);
}

#[test]
fn too_few_answers_or_days_have_no_verdict() {
    let few = with_answers(
        &history(&[[answers("v1", 5, 5); 2]]).split_off(8),
        &Selection::default(),
        &uuids(1),
        |answers| compare_visibility(answers, &[]),
    );
    let [base, _] = few.slices.whole.counts;
    assert_eq!(base.total, 16, "of 2 days");
    assert_eq!(few.slices.whole.verdict, Verdict::TooFewAnswers);
    assert_eq!(few.slices.whole.comparison, None);
}

#[test]
fn the_base_is_the_window_of_the_same_length_right_before() {
    let window = DateRange::between(Day(100), Day(106)).unwrap();
    let base = |start: Option<&str>, end: Option<&str>| {
        ComparedRanges::parse(window, start, end).map(|ranges| (ranges.base.first.0, ranges.base.last.0))
    };
    let text = |day: i32| Day(day).to_string();
    assert_eq!(base(None, None).unwrap(), (93, 99));
    assert_eq!(base(Some(&text(50)), None).unwrap(), (50, 56));
    assert_eq!(base(None, Some(&text(60))).unwrap(), (54, 60));
    assert_eq!(base(Some(&text(50)), Some(&text(52))).unwrap(), (50, 52));
    for (start, end, field) in [
        (Some(text(52)), Some(text(50)), "baseStartDate"),
        (Some(text(95)), None, "baseEndDate"),
        (None, Some(text(100)), "baseEndDate"),
        (Some("x".to_owned()), None, "baseStartDate"),
    ] {
        assert_eq!(base(start.as_deref(), end.as_deref()).unwrap_err().field, field);
    }
    let ranges = ComparedRanges::parse(window, None, None).unwrap();
    assert_eq!(ranges.to_read().len(), 1, "a month is read once");
    assert_eq!(
        ComparedRanges::parse(window, Some(&text(50)), None)
            .unwrap()
            .to_read()
            .len(),
        2
    );
}

#[test]
fn prompts_of_two_entities_are_compared_each_with_itself() {
    let ranges = ranges(10);
    // The entities number their models differently.
    let models = uuids(2);
    let reversed = [models[1], models[0]];
    let cells = |mentions: bool, model: u32| {
        let brands = if mentions { vec![OWN.into()] } else { Vec::new() };
        vec![VisibilityCell {
            prompt: 0.into(),
            model: model.into(),
            state: ResponseState::Answered,
            brands,
            model_version: None,
        }]
    };
    let selection = Selection::default();
    let mut checks = Vec::new();
    for side in Side::BOTH {
        for day in 0..10 {
            // The first entity is mentioned in the base only, the second one always; the second model answers
            // both.
            checks.push((side, day, 0, Visibility::new(cells(side == Side::Base, 1))));
            checks.push((side, day, 1, Visibility::new(cells(true, 0))));
        }
    }
    let segments: Vec<WindowSegment<'_, Visibility>> = checks
        .iter()
        .map(|(side, day, entity_index, segment)| WindowSegment {
            side: *side,
            day: ranges.of(*side).first.plus_days(*day),
            entity_index: *entity_index,
            segment,
            selection: &selection,
        })
        .collect();
    let (own, counted_as) = (own(), BTreeMap::new());
    let brands = CountedBrands {
        own: &own,
        counted_as: &counted_as,
    };
    let answers = ComparedAnswers::new(ranges, &[&models, &reversed], &segments, brands);
    let slices = compare_visibility(&answers, &[]).slices;
    let counts = |judgement: &Judgement| judgement.counts.map(|counts| (counts.count, counts.total));
    let by_prompt: Vec<_> = slices
        .by_prompt
        .iter()
        .map(|(key, judgement)| (key.entity_index, counts(judgement)))
        .collect();
    assert_eq!(by_prompt, [(0, [(10, 10), (0, 10)]), (1, [(10, 10), (10, 10)])]);
    let by_model: Vec<_> = slices
        .by_model
        .iter()
        .map(|(model, judgement)| (*model, counts(judgement)))
        .collect();
    assert_eq!(by_model, [(models[1], [(20, 20), (10, 20)])]);
    assert!(answers.pairs().left_out() == LeftOut::default());
}

#[test]
fn what_is_a_change_of_one_prompt_alone_can_be_chance_among_many() {
    // The first prompt is mentioned on `before` days of the base and `after` days of the window, the others
    // equally often in both.
    let checks = |prompts: u32, before: u32, after: u32| -> Checks {
        let cells = |side: Side, day: i32| -> Vec<VisibilityCell> {
            let place = |prompt: u32| (7 * u32::try_from(day).unwrap() + 3 * prompt) % 10;
            let mentions = |prompt: u32| {
                let of_first = if side == Side::Base { before } else { after };
                place(prompt) < if prompt == 0 { of_first } else { 5 }
            };
            let cell = |prompt: u32, model: u32| VisibilityCell {
                prompt: prompt.into(),
                model: model.into(),
                state: ResponseState::Answered,
                brands: if mentions(prompt) {
                    vec![OWN.into()]
                } else {
                    Vec::new()
                },
                model_version: None,
            };
            (0..prompts)
                .flat_map(|prompt| (0..2).map(move |model| (prompt, model)))
                .map(|(prompt, model)| cell(prompt, model))
                .collect()
        };
        let days = Side::BOTH
            .into_iter()
            .flat_map(|side| (0..10).map(move |day| (side, day)));
        days.map(|(side, day)| (side, day, cells(side, day))).collect()
    };
    let first = |prompts: u32, before: u32, after: u32| {
        with_answers(
            &checks(prompts, before, after),
            &Selection::default(),
            &uuids(2),
            |answers| compare_visibility(answers, &[]).slices.by_prompt[0].1,
        )
    };
    let is_doubtful = |judged: &Judgement| {
        judged
            .comparison
            .is_some_and(|compared| (0.01..0.05).contains(&compared.p_value))
    };
    let doubtful = (0..10)
        .map(|after| (9, after))
        .find(|(before, after)| is_doubtful(&first(1, *before, *after)));
    let (before, after) = doubtful.unwrap();
    assert_eq!(first(1, before, after).verdict, Verdict::Down);
    let among_many = first(20, before, after);
    assert_eq!(among_many.verdict, Verdict::NoClearChange);
    assert_eq!(among_many.comparison, first(1, before, after).comparison);
}
