//! Turns a provider's answer into the response that is recorded.

use domain::answer::{Answer, FinishReason, ResponseState};
use domain::check::{Response, Usage};
use domain::limits::{
    MAX_ANSWER_BYTES, MAX_CITATION_BYTES, MAX_MODEL_VERSION_BYTES, MAX_NARRATION_BYTES, MAX_QUERY_BYTES,
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
    let (answer, cut) = limit_size(answer);
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
        unresolved_citations: answer.unresolved_citations,
        citations_truncated: cut.citations,
        queries: answer.queries,
        searched: answer.searched,
        truncated: cut.text || answer.finish_reason == FinishReason::Truncated,
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

/// What of an answer did not fit into an item.
#[derive(Debug, Default, PartialEq, Eq)]
struct Cut {
    text: bool,
    citations: bool,
}

/// Cuts an answer to the size of an item.
fn limit_size(mut answer: Answer) -> (Answer, Cut) {
    let (length, citations) = (answer.text.len(), answer.citations.len());
    answer
        .text
        .truncate(answer.text.floor_char_boundary(MAX_ANSWER_BYTES));
    if let Some(version) = &mut answer.model_version {
        version.truncate(version.floor_char_boundary(MAX_MODEL_VERSION_BYTES));
    }
    let mut left = MAX_NARRATION_BYTES;
    answer
        .narration
        .retain(|passage| reserve(&mut left, passage.len()));
    let mut left = MAX_CITATION_BYTES;
    answer.citations.retain(|citation| {
        let title = citation.title.as_ref().map_or(0, String::len);
        reserve(&mut left, citation.url.len() + title)
    });
    let mut left = MAX_QUERY_BYTES;
    answer.queries.retain(|query| reserve(&mut left, query.len()));
    let cut = Cut {
        text: answer.text.len() < length,
        citations: answer.citations.len() < citations,
    };
    (answer, cut)
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
        let answer = Answer {
            text: "**Trellune** is good, Quillix is not.".to_owned(),
            narration: vec!["I will look for Zamboro and Quillix.".to_owned()],
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
    fn an_answer_beyond_every_size_is_cut_to_what_an_item_holds() {
        let url = "https://example.com/".to_owned() + &"x".repeat(4_000);
        let answer = Answer {
            text: "ä".repeat(MAX_ANSWER_BYTES),
            citations: vec![
                Citation {
                    url,
                    ..Citation::default()
                };
                100
            ],
            queries: vec!["q".repeat(10_000); 10],
            narration: vec!["n".repeat(10_000); 10],
            ..Answer::default()
        };
        let (answer, cut) = limit_size(answer);
        let expected = Cut {
            text: true,
            citations: true,
        };
        assert_eq!((cut, answer.narration.len()), (expected, 3));
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
        assert_eq!(limit_size(answer.clone()), (answer, Cut::default()));
    }
}
