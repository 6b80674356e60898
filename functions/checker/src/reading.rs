//! Reads answers: finds the brands that their texts mention.

use domain::answer::ResponseState;
use domain::check::{NotMentioned, PlanBrand, Response, brand_names};
use domain::reading::Reading;
use mentions::Matcher;

/// Reads answers by the current rules for a set of names.
pub(crate) struct AnswerReader {
    matcher: Matcher,
    pub(crate) reading: Reading,
}

impl AnswerReader {
    /// Prepares the names of these brands.
    pub(crate) fn new(brands: &[PlanBrand]) -> Self {
        let names = brand_names(brands);
        Self {
            matcher: Matcher::new(&names),
            reading: Reading::of(&names),
        }
    }

    /// Finds the brands in the text of a response and records them in it. Only an answer mentions brands.
    pub(crate) fn read(&self, response: &mut Response) {
        let is_answered = response.state == ResponseState::Answered;
        let found = is_answered.then(|| self.matcher.find(&response.text));
        response.reading = found.as_ref().map(|_| self.reading);
        let found = found.unwrap_or_default(); // Nothing is read in what is no answer.
        response.brands = found.mentioned.iter().map(|m| m.brand.into()).collect();
        let not_mentioned = found.rejected.iter().map(|r| NotMentioned {
            brand: r.brand.into(),
            reason: r.reason,
        });
        response.not_mentioned = not_mentioned.collect();
    }
}

#[cfg(test)]
mod tests {
    use domain::time::Timestamp;

    use super::*;

    #[test]
    fn only_an_answer_mentions_brands() {
        let acme = PlanBrand {
            ordinal: 7.into(),
            name: "Acme".to_owned(),
            aliases: Vec::new(),
            domain: None,
        };
        let reader = AnswerReader::new(&[acme]);
        for (state, mentions) in [
            (ResponseState::Answered, 1),
            (ResponseState::Refused, 0),
            (ResponseState::Failed, 0),
        ] {
            let mut response = Response {
                state,
                text: "I recommend Acme.".to_owned(),
                brands: vec![1.into(), 2.into()],
                ..Response::failed(1.into(), 0.into(), "", Timestamp::from_millis(0))
            };
            reader.read(&mut response);
            assert_eq!(response.brands.len(), mentions);
            assert_eq!(response.reading.is_some(), mentions == 1);
        }
    }
}
