//! Turns a provider's answer into the response that is recorded.

use domain::answer::{Answer, FinishReason, ResponseState};
use domain::check::{Response, Usage};
use domain::limits::{
    MAX_ANSWER_BYTES, MAX_CITATION_BYTES, MAX_MODEL_VERSION_BYTES, MAX_NARRATION_PASSAGES, MAX_QUERY_BYTES,
};
use domain::ordinal::{ModelOrdinal, PromptOrdinal};
use domain::time::Timestamp;

use crate::reading::AnswerReader;

/// Converts an answer to a response, and reads it. A refused answer mentions no brand.
pub(super) fn to_response(
    answer: Answer,
    prompt: PromptOrdinal,
    model: ModelOrdinal,
    reader: &AnswerReader,
    now: Timestamp,
) -> Response {
    let (answer, is_cut) = limit_size(answer);
    let is_refused = answer.finish_reason == FinishReason::Refused;
    let mut response = Response {
        prompt,
        model,
        state: if is_refused {
            ResponseState::Refused
        } else {
            ResponseState::Answered
        },
        answered_at: now,
        text: answer.text,
        narration: answer.narration,
        citations: answer.citations,
        queries: answer.queries,
        searched: answer.searched,
        truncated: is_cut || answer.finish_reason == FinishReason::Truncated,
        brands: Vec::new(),
        not_mentioned: Vec::new(),
        reading: None,
        reason: None,
        usage: Usage {
            input_tokens: answer.input_tokens,
            output_tokens: answer.output_tokens,
            cost_micros: answer.cost_micros,
            model_version: answer.model_version,
        },
    };
    reader.read(&mut response);
    response
}

/// Cuts an answer to the size of an item. Returns it, and whether its text was cut.
fn limit_size(mut answer: Answer) -> (Answer, bool) {
    let is_cut = answer.text.len() > MAX_ANSWER_BYTES;
    answer
        .text
        .truncate(answer.text.floor_char_boundary(MAX_ANSWER_BYTES));
    let length = answer.text.len();
    answer.narration.retain(|range| range.start < length);
    answer.narration.truncate(MAX_NARRATION_PASSAGES);
    for range in &mut answer.narration {
        range.end = range.end.min(length);
    }
    if let Some(version) = &mut answer.model_version {
        version.truncate(version.floor_char_boundary(MAX_MODEL_VERSION_BYTES));
    }
    let mut left = MAX_CITATION_BYTES;
    answer.citations.retain(|citation| {
        let title = citation.title.as_ref().map_or(0, String::len);
        reserve(&mut left, citation.url.len() + title)
    });
    let mut left = MAX_QUERY_BYTES;
    answer.queries.retain(|query| reserve(&mut left, query.len()));
    (answer, is_cut)
}

/// Subtracts an entry of `bytes`, plus a fixed overhead, from `left`. Returns `false` if it does not fit.
fn reserve(left: &mut usize, bytes: usize) -> bool {
    const OVERHEAD: usize = 16;
    let fits = bytes + OVERHEAD <= *left;
    if fits {
        *left -= bytes + OVERHEAD;
    }
    fits
}

#[cfg(test)]
mod tests {
    use domain::answer::Citation;
    use domain::check::PlanBrand;
    use domain::ordinal::BrandOrdinal;

    use super::*;

    fn brand(ordinal: u32, name: &str) -> PlanBrand {
        PlanBrand {
            ordinal: ordinal.into(),
            name: name.to_owned(),
            aliases: Vec::new(),
            domain: None,
        }
    }

    #[test]
    fn narration_is_recorded_and_not_read() {
        let narration = "I will look for Zamboro and Quillix.";
        let answer = Answer {
            text: format!("{narration}\n\n**Trellune** is good, Quillix is not."),
            narration: std::iter::once(0..narration.len()).collect(),
            ..Answer::default()
        };
        let reader = AnswerReader::new(&[brand(1, "Zamboro"), brand(2, "Quillix"), brand(3, "Trellune")]);
        let now = Timestamp::from_millis(0);
        let response = to_response(answer.clone(), 1.into(), 1.into(), &reader, now);
        assert_eq!(response.brands, [3, 2].map(BrandOrdinal::new));
        assert_eq!(response.not_mentioned, []);
        assert_eq!(
            (response.text, response.narration),
            (answer.text, answer.narration)
        );
    }

    #[test]
    fn narration_is_cut_with_the_text_and_bounded() {
        let passages = |count: usize| (0..count).map(|at| 2 * at..2 * at + 1).collect();
        let cut = |narration| {
            let text = "x".repeat(2 * MAX_ANSWER_BYTES);
            let (answer, _) = limit_size(Answer {
                text,
                narration,
                ..Answer::default()
            });
            answer.narration
        };
        let across = vec![
            1..3,
            MAX_ANSWER_BYTES - 1..MAX_ANSWER_BYTES + 1,
            MAX_ANSWER_BYTES..MAX_ANSWER_BYTES + 2,
        ];
        assert_eq!(cut(across), [1..3, MAX_ANSWER_BYTES - 1..MAX_ANSWER_BYTES]);
        assert_eq!(cut(passages(1_000)).len(), MAX_NARRATION_PASSAGES);
    }

    #[test]
    fn an_answer_beyond_every_size_is_cut_to_what_an_item_holds() {
        let url = "https://example.com/".to_owned() + &"x".repeat(4_000);
        let answer = Answer {
            text: "ä".repeat(MAX_ANSWER_BYTES),
            citations: vec![Citation { url, title: None }; 100],
            queries: vec!["q".repeat(10_000); 10],
            ..Answer::default()
        };
        let (answer, is_cut) = limit_size(answer);
        assert!(is_cut);
        assert_eq!(answer.text.len(), MAX_ANSWER_BYTES);
        assert_eq!(answer.citations.len(), MAX_CITATION_BYTES / 4_036);
        assert_eq!(answer.queries.len(), 3);
    }

    #[test]
    fn an_answer_of_usual_size_is_not_cut() {
        let answer = Answer {
            text: "Acme is good.".to_owned(),
            queries: vec!["acme".to_owned()],
            ..Answer::default()
        };
        assert_eq!(limit_size(answer.clone()), (answer, false));
    }
}
