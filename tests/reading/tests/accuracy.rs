//! The accuracy that the rules of reading must keep.
#![expect(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use mentions::training::{ABSENCE_CLASSIFIER, FEATURE_COUNT, NAME_CLASSIFIER};
use reading::regression::{learn_weights, weights_to_bytes};
use reading::{Part, Rule, Table, false_mentions, read_cases, read_examples, read_grid, read_open};

/// Asserts the minimum accuracy of a part, in percent. Languages with few cases vary more.
fn assert_accuracy(part: Part, all: f64, each_language: f64) {
    let cases = read_cases(part).unwrap();
    let table = Table::of(&cases, &Rule::Ours.read_all(&cases).unwrap());
    assert!(table.all.accuracy() >= all, "{table}");
    for (language, score) in &table.by_language {
        assert!(score.accuracy() >= each_language, "{language}\n{table}");
    }
}

#[test]
fn open_cases_are_read_right() {
    assert_accuracy(Part::Open, 96.5, 93.0);
}

#[test]
fn cases_that_were_put_aside_are_read_right() {
    assert_accuracy(Part::PutAside, 93.0, 80.0);
}

#[test]
fn names_and_words_in_the_formats_that_were_put_aside_are_told_apart() {
    let cases = read_grid(Part::PutAside).unwrap();
    let table = Table::of(&cases, &Rule::Ours.read_all(&cases).unwrap());
    for (category, minimum) in [
        ("item-name", 98.0),
        ("item-noun", 95.0),
        ("subject", 92.0),
        ("word", 93.0),
    ] {
        assert!(
            table.by_category[category].accuracy() >= minimum,
            "{category}\n{table}"
        );
    }
    for (language, score) in &table.by_language {
        assert!(score.accuracy() >= 92.0, "{language}\n{table}");
    }
}

#[test]
fn names_that_are_common_words_are_rarely_read_into_answers_without_brands() {
    let found = false_mentions().unwrap();
    assert!(found.answers >= 1_000, "{}", found.answers);
    assert!(found.names >= 200, "{}", found.names);
    assert!(found.rate() <= 0.2, "{:.3} %: {:?}", found.rate(), found.found);
}

/// Other machines round otherwise, so a few weights may differ by a unit.
#[test]
#[ignore = "it learns for 40 s"]
fn the_weights_are_those_that_are_learned_from_the_texts() {
    let examples = read_examples(&read_open(true).unwrap()).unwrap();
    for (decision, classifier, examples) in [
        ("absence", &ABSENCE_CLASSIFIER, &examples.absence),
        ("name", &NAME_CLASSIFIER, &examples.name),
    ] {
        let learned = weights_to_bytes(&learn_weights(
            &examples.iter().collect::<Vec<_>>(),
            FEATURE_COUNT,
        ));
        let differs = |(a, b): &(&u8, &u8)| a.cast_signed().abs_diff(b.cast_signed()) > 1;
        let others = learned.iter().zip(classifier.weights()).filter(differs).count();
        assert!(
            others < 100,
            "{decision}: {others} weights are others; run `train`"
        );
    }
}
