//! The result of a round of questions.

use domain::check::Response;
use domain::ordinal::PromptOrdinal;

use super::provider_block::ProviderBlock;
use super::question::QuestionOutcome;

/// The result of a round of questions.
#[derive(Default)]
pub(super) struct RoundResult {
    /// The ordinals of the prompts that have a response.
    pub(super) settled: Vec<PromptOrdinal>,
    /// The ordinals of the prompts that the provider did not accept or that were not started. They do not
    /// count as asked.
    pub(super) not_asked: Vec<PromptOrdinal>,
    /// The ordinals of the prompts that the provider accepted and returned no usable answer to, each with the
    /// reason.
    pub(super) lost: Vec<(PromptOrdinal, String)>,
    /// Why the provider accepts no more questions, if it does not.
    pub(super) block: Option<ProviderBlock>,
    /// Whether the shard was closed and accepts no more responses.
    pub(super) is_closed: bool,
}

impl RoundResult {
    /// Adds one question's outcome. Returns the response to record, if there is one.
    pub(super) fn add(
        &mut self,
        prompt: PromptOrdinal,
        outcome: Option<QuestionOutcome>,
    ) -> Option<Response> {
        match outcome {
            Some(QuestionOutcome::Settled(response) | QuestionOutcome::Forbidden(response)) => {
                self.settled.push(prompt);
                return Some(*response);
            }
            Some(QuestionOutcome::AnswerLost(reason)) => self.lost.push((prompt, reason)),
            Some(QuestionOutcome::NotAccepted(block)) => {
                self.not_asked.push(prompt);
                self.add_block(block);
            }
            None => self.not_asked.push(prompt),
        }
        None
    }

    pub(super) fn add_block(&mut self, block: ProviderBlock) {
        if self.block.as_ref().is_none_or(|other| block.outweighs(other)) {
            self.block = Some(block);
        }
    }
}
