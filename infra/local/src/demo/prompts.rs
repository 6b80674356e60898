//! The questions a buyer asks in a market: what a structured-output request gets.

use serde_json::json;

use super::market;

/// Most questions that are written at once.
const MOST: usize = 50;
/// Questions that are written where the brief names no number.
const DEFAULT: usize = 10;

/// The answer to a brief: `{"prompts": [...]}` as JSON text, in English whatever the brief asks for. The brief's first number
/// is how many are wanted.
pub(super) fn answer(brief: &str) -> String {
    let prompts = questions(brief, wanted(brief));
    json!({"prompts": prompts}).to_string()
}

fn wanted(brief: &str) -> usize {
    brief
        .split(|c: char| !c.is_ascii_digit())
        .find(|digits| !digits.is_empty())
        .map_or(DEFAULT, |digits| digits.parse().unwrap_or(MOST))
        .clamp(1, MOST)
}

/// Different questions: every kind of question about every kind of buyer, then about every concern.
fn questions(brief: &str, count: usize) -> Vec<String> {
    let market = market::of(brief);
    let thing = market.thing;
    let about_buyers = [
        format!("What is the best {thing} for {{}}?"),
        format!("Which {thing} do experts recommend for {{}}?"),
        format!("What should I look for in {thing} for {{}}?"),
        format!("Which affordable {thing} is good enough for {{}}?"),
    ];
    let about_concerns = [
        format!("Which {thing} is best when it comes to {{}}?"),
        format!("How does popular {thing} compare in {{}}?"),
        format!("Is there {thing} that is better than the market leaders in {{}}?"),
    ];
    // One step in the kinds and one in the buyers each, so that neighbours differ in both.
    let crossed = |kinds: &[String], about: &[&str]| -> Vec<String> {
        (0..kinds.len())
            .flat_map(|turn| about.iter().enumerate().map(move |(at, word)| (turn + at, *word)))
            .filter_map(|(at, word)| Some(kinds.get(at % kinds.len())?.replace("{}", word)))
            .collect()
    };
    let mut questions = crossed(&about_buyers, market.buyers);
    questions.extend(crossed(&about_concerns, market.concerns));
    questions.truncate(count);
    questions
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn as_many_different_questions_are_written_as_the_brief_wants() {
        for count in [1, 10, 50] {
            let brief =
                format!("Write {count} questions.\nName: Stridara\nDescription: 3 kinds of running shoes");
            let written = questions(&brief, wanted(&brief));
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
        assert_eq!(wanted("write a few"), DEFAULT);
        assert_eq!(wanted("0 questions"), 1);
        assert_eq!(wanted("99999999999999999999999 questions"), MOST);
    }
}
