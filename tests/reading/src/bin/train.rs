//! Learns the weights of the decisions of `mentions` that are learned, and writes them to
//! `shared/mentions/weights`: `cargo run --release -p reading --bin train`.
//!
//! Before that, it prints how well weights decide that were learned from the other four fifths of the
//! examples. With `--only-measure`, it writes nothing; with `--only-learn`, it does not measure; with
//! `--errors`, it also prints the examples that are decided wrong. With `--without-cases`, it does not learn
//! from the open cases, so that they measure what it has not seen.
#![expect(clippy::print_stdout, reason = "the command prints its result")]

use std::path::Path;
use std::{env, fs, io};

use mentions::training::{ABSENCE_CLASSIFIER, Classifier, FEATURE_COUNT, NAME_CLASSIFIER};
use reading::regression::{learn_weights, log_odds, weights_to_bytes};
use reading::{Example, Part, read_cases, read_examples, read_open};

/// The number of parts of a cross-validation.
const FOLDS: usize = 5;

fn main() -> io::Result<()> {
    let has = |option: &str| env::args().any(|argument| argument == option);
    let cases = if has("--without-cases") {
        Vec::new()
    } else {
        let mut cases = read_open(!has("--without-more"))?;
        if has("--without-grid") {
            cases = read_cases(Part::Open)?;
            cases.extend(reading::read_learned_grid()?);
        }
        cases
    };
    let found = read_examples(&cases)?;
    for (decision, classifier, examples) in [
        ("absence", &ABSENCE_CLASSIFIER, &found.absence),
        ("name", &NAME_CLASSIFIER, &found.name),
    ] {
        println!("{decision}: {} examples", examples.len());
        if !has("--only-learn") {
            let decided = cross_validate(examples);
            print_table(classifier, &decided);
            if has("--errors") {
                print_errors(classifier, &decided);
            }
        }
        if !has("--only-measure") {
            let examples: Vec<&Example> = examples.iter().collect();
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/mentions/weights");
            fs::write(
                folder.join(decision),
                weights_to_bytes(&learn_weights(&examples, FEATURE_COUNT)),
            )?;
        }
    }
    Ok(())
}

/// Returns each example with its logarithm of the odds by weights that were learned without its part.
fn cross_validate(examples: &[Example]) -> Vec<(f32, &Example)> {
    // The examples of a text belong to one part.
    let fold_of = |example: &Example| example.text.bytes().map(usize::from).sum::<usize>() % FOLDS;
    let mut decided = Vec::with_capacity(examples.len());
    for fold in 0..FOLDS {
        let (test, train): (Vec<&Example>, Vec<&Example>) =
            examples.iter().partition(|example| fold_of(example) == fold);
        let weights = learn_weights(&train, FEATURE_COUNT);
        decided.extend(
            test.into_iter()
                .map(|example| (log_odds(&weights, &example.features), example)),
        );
    }
    decided
}

fn print_table(classifier: &Classifier, decided: &[(f32, &Example)]) {
    let mut languages: Vec<&str> = decided
        .iter()
        .map(|(_, example)| example.language.as_str())
        .collect();
    languages.sort_unstable();
    languages.dedup();
    println!("| Language | Yes | of which right | No | of which right |");
    println!("|---|---|---|---|---|");
    for language in languages.into_iter().map(Some).chain([None]) {
        let count = |answer: bool| {
            let of = decided.iter().filter(|(_, example)| {
                example.answer == answer && language.is_none_or(|language| example.language == language)
            });
            let is_right: Vec<bool> = of
                .map(|&(log_odds, _)| classifier.accepts_log_odds(log_odds) == answer)
                .collect();
            let right = is_right.iter().filter(|&&is_right| is_right).count();
            (
                is_right.len(),
                100.0 * right as f64 / is_right.len().max(1) as f64,
            )
        };
        let ((yes, right_yes), (no, right_no)) = (count(true), count(false));
        let language = language.unwrap_or("all");
        println!("| {language} | {yes} | {right_yes:.1} % | {no} | {right_no:.1} % |");
    }
}

fn print_errors(classifier: &Classifier, decided: &[(f32, &Example)]) {
    let is_wrong = |&&(odds, example): &&(f32, &Example)| classifier.accepts_log_odds(odds) != example.answer;
    let mut errors: Vec<&(f32, &Example)> = decided.iter().filter(is_wrong).collect();
    errors.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (log_odds, example) in errors {
        let answer = if example.answer { "yes" } else { "no" };
        println!(
            "{log_odds:.2} {} {answer} {:?}: {:?}",
            example.language, example.name, example.text
        );
    }
}
