//! The questions of buyers in a market, with which the demo provider answers a request for structured output.

use serde_json::json;

use super::market;

/// The maximum number of questions.
const MAX_QUESTIONS: usize = 50;
/// The number of questions if the brief does not contain one.
const DEFAULT_QUESTIONS: usize = 10;

/// Answers a brief with `{"prompts": [...]}` as JSON text, always in English. The first number in the brief
/// is the number of questions.
pub(super) fn answer(brief: &str) -> String {
    let prompts = questions(brief, question_count(brief));
    json!({"prompts": prompts}).to_string()
}

fn question_count(brief: &str) -> usize {
    brief
        .split(|c: char| !c.is_ascii_digit())
        .find(|digits| !digits.is_empty())
        .map_or(DEFAULT_QUESTIONS, |digits| {
            digits.parse().unwrap_or(MAX_QUESTIONS)
        })
        .clamp(1, MAX_QUESTIONS)
}

/// Writes different questions. Combines every kind of question with every kind of buyer, then with every
/// concern.
fn questions(brief: &str, count: usize) -> Vec<String> {
    let market = market::find(brief);
    let product = &market.product;
    let about_buyers = [
        format!("What is the best {product} for {{}}?"),
        format!("Which {product} do experts recommend for {{}}?"),
        format!("What should I look for in {product} for {{}}?"),
        format!("Which affordable {product} is good enough for {{}}?"),
    ];
    let about_concerns = [
        format!("Which {product} is best when it comes to {{}}?"),
        format!("How does popular {product} compare in {{}}?"),
        format!("Is there {product} that is better than the market leaders in {{}}?"),
    ];
    // Both the kind and the buyer change with each step, so that neighbours differ in both.
    let crossed = |kinds: &[String], about: &[String]| -> Vec<String> {
        (0..kinds.len())
            .flat_map(|turn| about.iter().enumerate().map(move |(at, word)| (turn + at, word)))
            .filter_map(|(at, word)| Some(kinds.get(at % kinds.len())?.replace("{}", word)))
            .collect()
    };
    let mut questions = crossed(&about_buyers, &market.buyers);
    questions.extend(crossed(&about_concerns, &market.concerns));
    questions.truncate(count);
    questions
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_brief_decides_the_number_of_different_questions() {
        for count in [1, 10, 50] {
            let brief =
                format!("Write {count} questions.\nName: Stridara\nDescription: 3 kinds of running shoes");
            let written = questions(&brief, question_count(&brief));
            assert_eq!(written.iter().collect::<BTreeSet<_>>().len(), count);
            assert!(
                written
                    .iter()
                    .all(|q| q.contains("running shoes") && q.ends_with('?'))
            );
        }
    }

    #[test]
    fn a_brief_without_a_sensible_number_gets_some_questions() {
        assert_eq!(question_count("write a few"), DEFAULT_QUESTIONS);
        assert_eq!(question_count("0 questions"), 1);
        assert_eq!(question_count("99999999999999999999999 questions"), MAX_QUESTIONS);
    }
}
