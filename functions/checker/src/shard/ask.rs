//! Asking one question, and reading its answer.

use std::time::Duration;

use domain::answer::{Answer, End, State};
use domain::check::{NotMentioned, Response, Usage};
use domain::clock::Clock;
use domain::entity::Entity;
use domain::limits::{MAX_ANSWER_BYTES, MAX_CITATION_BYTES, MAX_QUERY_BYTES, MAX_SLEEP};
use domain::prompt::Prompt;
use domain::time::SECOND;
use mentions::Matcher;
use providers::{AskError, Provider};

use super::errors::Errors;
use super::wait::ProviderBlock;

/// Short waits for one question before the whole shard waits.
const SHORT_WAITS: u32 = 3;
/// How long a shard waits for a provider that stays overloaded, in real milliseconds.
const LONG_WAIT: i64 = 60 * SECOND;

pub(super) struct Question<'a> {
    /// The provider's name for the model.
    pub(super) model: &'a str,
    pub(super) entity: &'a Entity,
    pub(super) prompt: &'a Prompt,
    /// The model's ordinal.
    pub(super) ordinal: u32,
}

/// How one question went.
pub(super) enum Asked {
    /// There is a response to record: answered, refused, or failed for good.
    Answered(Box<Response>),
    /// The provider took the question and gave nothing that can be used.
    Lost,
    /// The provider did not take it.
    NotAccepted(ProviderBlock),
}

impl Question<'_> {
    pub(super) async fn ask(
        &self,
        provider: &dyn Provider,
        matcher: &Matcher,
        clock: &dyn Clock,
        errors: &Errors,
    ) -> Asked {
        let language = self
            .prompt
            .language
            .as_ref()
            .unwrap_or(&self.entity.language)
            .to_string();
        let geolocation = self
            .prompt
            .geolocation
            .as_ref()
            .unwrap_or(&self.entity.geolocation);
        let question = providers::Question {
            model: self.model,
            prompt: self.prompt.text.as_str(),
            language: &language,
            country: geolocation.country(),
        };
        let mut waits = 0;
        loop {
            let error = match provider.ask(&question).await {
                Ok(answer) => return Asked::Answered(Box::new(self.read(answer, matcher, clock))),
                Err(error) => error,
            };
            errors.add(&error);
            let reason = error.reason().to_owned();
            match error {
                AskError::Wait { after, .. } => {
                    let wait = after.map_or(SECOND << waits, |a| {
                        i64::try_from(a.as_millis()).unwrap_or(i64::MAX)
                    });
                    if wait > MAX_SLEEP || waits == SHORT_WAITS {
                        return Asked::NotAccepted(ProviderBlock::Busy {
                            wait: wait.max(LONG_WAIT),
                            reason,
                        });
                    }
                    waits += 1;
                    tokio::time::sleep(Duration::from_millis(wait.unsigned_abs())).await;
                }
                AskError::Lost { .. } => {
                    tracing::warn!(
                        prompt.ordinal = self.prompt.ordinal,
                        reason,
                        "a question was taken and has no answer"
                    );
                    return Asked::Lost;
                }
                AskError::QuotaExhausted { .. } | AskError::BadKey { .. } => {
                    return Asked::NotAccepted(ProviderBlock::Refused { reason });
                }
                AskError::Fatal { .. } => {
                    let (prompt, now) = (self.prompt.ordinal, clock.now());
                    return Asked::Answered(Box::new(Response::failed(prompt, self.ordinal, &reason, now)));
                }
            }
        }
    }

    fn read(&self, answer: Answer, matcher: &Matcher, clock: &dyn Clock) -> Response {
        let (answer, is_cut) = bounded(answer);
        let refused = answer.end == End::Refused;
        let found = if refused {
            None
        } else {
            Some(matcher.find(&answer.text))
        };
        let (mentioned, rejected) = found.map(|f| (f.mentioned, f.rejected)).unwrap_or_default();
        Response {
            prompt: self.prompt.ordinal,
            model: self.ordinal,
            state: if refused { State::Refused } else { State::Answered },
            answered_at: clock.now(),
            text: answer.text,
            citations: answer.citations,
            queries: answer.queries,
            searched: answer.searched,
            truncated: is_cut || answer.end == End::Truncated,
            brands: mentioned.iter().map(|m| m.brand).collect(),
            not_mentioned: rejected
                .iter()
                .map(|r| NotMentioned {
                    brand: r.brand,
                    reason: r.reason,
                })
                .collect(),
            reason: None,
            usage: Usage {
                input_tokens: answer.input_tokens,
                output_tokens: answer.output_tokens,
                cost_micros: answer.cost_micros,
                model_version: answer.model_version,
            },
        }
    }
}

/// An answer that fits an item: what is beyond every honest answer's size is cut off.
fn bounded(mut answer: Answer) -> (Answer, bool) {
    let is_cut = answer.text.len() > MAX_ANSWER_BYTES;
    answer
        .text
        .truncate(answer.text.floor_char_boundary(MAX_ANSWER_BYTES));
    let mut left = MAX_CITATION_BYTES;
    answer.citations.retain(|cited| {
        fits(
            &mut left,
            cited.url.len() + cited.title.as_ref().map_or(0, String::len),
        )
    });
    let mut left = MAX_QUERY_BYTES;
    answer.queries.retain(|query| fits(&mut left, query.len()));
    (answer, is_cut)
}

/// Takes `bytes` from what is left, if there are so many. Each entry costs a little of its own.
fn fits(left: &mut usize, bytes: usize) -> bool {
    const ENTRY: usize = 16;
    let fits = bytes + ENTRY <= *left;
    if fits {
        *left -= bytes + ENTRY;
    }
    fits
}

#[cfg(test)]
mod tests {
    use domain::answer::Cited;

    use super::*;

    #[test]
    fn an_answer_beyond_every_size_is_cut_to_what_an_item_holds() {
        let url = "https://example.com/".to_owned() + &"x".repeat(4_000);
        let answer = Answer {
            text: "ä".repeat(MAX_ANSWER_BYTES),
            citations: vec![Cited { url, title: None }; 100],
            queries: vec!["q".repeat(10_000); 10],
            ..Answer::default()
        };
        let (answer, is_cut) = bounded(answer);
        assert!(is_cut);
        assert_eq!(answer.text.len(), MAX_ANSWER_BYTES);
        assert_eq!(answer.citations.len(), MAX_CITATION_BYTES / 4_036);
        assert_eq!(answer.queries.len(), 3);
    }

    #[test]
    fn an_honest_answer_stays_whole() {
        let answer = Answer {
            text: "Acme is good.".to_owned(),
            queries: vec!["acme".to_owned()],
            ..Answer::default()
        };
        assert_eq!(bounded(answer.clone()), (answer, false));
    }
}
