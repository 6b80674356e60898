//! The state of a worker that changes from round to round, and the result of a round.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use domain::check::Response;
use domain::limits::{LOST_QUESTION_BACKOFF, MAX_ASKS_PER_QUESTION};
use domain::ordinal::PromptOrdinal;
use domain::pause::ProviderPause;

use super::question::{ProviderBlock, QuestionOutcome};

/// The state of a worker that changes from round to round.
pub(super) struct ShardProgress {
    /// The ordinals of the prompts without a response, in the plan's order.
    open: Vec<PromptOrdinal>,
    /// The number of times that each prompt has been asked, by former workers too.
    asks: BTreeMap<PromptOrdinal, u32>,
    /// Why this worker has lost the latest answer to each prompt.
    lost: BTreeMap<PromptOrdinal, String>,
    /// The provider's pause that this worker has last read, if the provider is paused.
    pub(super) pause: Option<ProviderPause>,
    /// The number of rounds in which an answer was lost.
    rounds_with_lost_answers: u32,
    /// Whether an answer was lost in the latest round, so that the next round waits.
    must_back_off: bool,
}

impl ShardProgress {
    pub(super) fn new(
        open: Vec<PromptOrdinal>,
        asks: BTreeMap<PromptOrdinal, u32>,
        pause: Option<ProviderPause>,
    ) -> Self {
        Self {
            open,
            asks,
            lost: BTreeMap::new(),
            pause,
            rounds_with_lost_answers: 0,
            must_back_off: false,
        }
    }

    pub(super) fn has_open_prompts(&self) -> bool {
        !self.open.is_empty()
    }

    pub(super) fn asks(&self) -> &BTreeMap<PromptOrdinal, u32> {
        &self.asks
    }

    /// Returns the open prompts that were asked, each with how often.
    pub(super) fn asked(&self) -> impl Iterator<Item = (PromptOrdinal, u32)> {
        self.open
            .iter()
            .filter_map(|prompt| Some((*prompt, *self.asks.get(prompt)?)))
    }

    /// Removes and returns the open prompts that have been asked as often as allowed, each with the reason
    /// why the latest answer was lost, if this worker has asked.
    pub(super) fn take_exhausted(&mut self) -> Vec<(PromptOrdinal, Option<String>)> {
        let asks = &self.asks;
        let is_exhausted = |p: &mut PromptOrdinal| asks.get(p).is_some_and(|n| *n >= MAX_ASKS_PER_QUESTION);
        let exhausted = self.open.extract_if(.., is_exhausted);
        exhausted
            .map(|prompt| (prompt, self.lost.remove(&prompt)))
            .collect()
    }

    /// Returns how long the next round waits if an answer was lost in the latest one. The time is random, so
    /// that the shards of one provider do not continue at the same time.
    pub(super) fn back_off(&mut self) -> Option<Duration> {
        if !self.must_back_off {
            return None;
        }
        let delay = LOST_QUESTION_BACKOFF.delay(self.rounds_with_lost_answers, rand::random());
        self.rounds_with_lost_answers += 1;
        Some(delay)
    }

    /// Counts the open prompts as asked.
    pub(super) fn ask_open_prompts(&mut self) {
        for prompt in &self.open {
            *self.asks.entry(*prompt).or_default() += 1;
        }
    }

    /// Drops open prompts that have a recorded response already.
    pub(super) fn remove_recorded(&mut self, recorded: &BTreeSet<PromptOrdinal>) {
        self.open.retain(|prompt| !recorded.contains(prompt));
    }

    /// Applies the result of a round. Prompts that were not asked after all do not count as asked.
    pub(super) fn end_round(&mut self, round: &RoundResult) {
        for prompt in &round.not_asked {
            self.asks.entry(*prompt).and_modify(|n| *n = n.saturating_sub(1));
        }
        self.open.retain(|prompt| !round.settled.contains(prompt));
        self.must_back_off = !round.lost.is_empty();
        self.lost.extend(round.lost.iter().cloned());
    }
}

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
