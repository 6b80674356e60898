//! A round asks each of its questions once, a few at a time, and records the responses as they arrive.

use std::sync::atomic::{AtomicBool, Ordering};

use domain::check::Response;
use domain::ordinal::PromptOrdinal;
use futures::future::{Fuse, FusedFuture};
use futures::{FutureExt, StreamExt};
use store::StoreError;
use tokio::sync::mpsc::{self, Sender};

use super::inputs::ShardInputs;
use super::leased::LeasedShard;
use super::progress::{RoundResult, ShardProgress};
use super::question::{ProviderBlock, Question, QuestionOutcome};

/// The number of questions of a shard that are asked concurrently.
const CONCURRENT_QUESTIONS: usize = 8;

/// Asks each open prompt once, while one writer records the responses as they arrive.
pub(super) async fn ask_round(
    shard: &LeasedShard<'_>,
    inputs: &ShardInputs<'_>,
    progress: &ShardProgress,
) -> Result<RoundResult, StoreError> {
    let (sender, receiver) = mpsc::channel(CONCURRENT_QUESTIONS * 2);
    let questions = progress.asked().filter_map(|(prompt, asks)| {
        let prompt = inputs.prompts.get(&prompt)?;
        Some(Question { prompt, asks })
    });
    let asking = ask_each(shard, inputs, questions.collect(), sender);
    let (mut round, recorded) = tokio::join!(asking, shard.record_all(receiver));
    round.is_closed = !recorded?;
    Ok(round)
}

/// Asks the questions and sends their responses to the writer.
async fn ask_each(
    shard: &LeasedShard<'_>,
    inputs: &ShardInputs<'_>,
    questions: Vec<Question<'_>>,
    responses: Sender<Response>,
) -> RoundResult {
    let mut round = RoundResult::default();
    let is_blocked = AtomicBool::new(false);
    let asked: Vec<_> = questions
        .iter()
        .map(|question| ask_unless_stopped(shard, inputs, question, &is_blocked))
        .collect();
    let mut asked = futures::stream::iter(asked).buffer_unordered(CONCURRENT_QUESTIONS);
    // The other questions go on while the provider is probed, because most refusals concern one question.
    let mut probe = std::pin::pin!(Fuse::terminated());
    loop {
        let (prompt, outcome) = tokio::select! {
            Some(asked) = asked.next() => asked,
            Some(reason) = &mut probe, if !probe.is_terminated() => {
                is_blocked.store(true, Ordering::Relaxed);
                round.add_block(ProviderBlock::AccountRejected { reason });
                continue;
            }
            else => break,
        };
        if matches!(outcome, Some(QuestionOutcome::Forbidden(_))) && probe.is_terminated() {
            probe.set(shard.probe_after_refusal(inputs).fuse());
        }
        if let Some(response) = round.add(prompt, outcome)
            && responses.send(response).await.is_err()
        {
            // The writer ends early only if the shard was closed or the table failed.
            break;
        }
    }
    round
}

/// Asks a question, unless the provider blocked an earlier one, the lease is lost or the time is up. Returns
/// the prompt's ordinal with the outcome.
async fn ask_unless_stopped(
    shard: &LeasedShard<'_>,
    inputs: &ShardInputs<'_>,
    question: &Question<'_>,
    is_blocked: &AtomicBool,
) -> (PromptOrdinal, Option<QuestionOutcome>) {
    let prompt = question.prompt.ordinal;
    let is_stopped = || is_blocked.load(Ordering::Relaxed) || shard.lease_is_lost() || shard.is_out_of_time();
    if is_stopped() {
        return (prompt, None);
    }
    let outcome = question.ask(shard, inputs, &is_stopped).await;
    if matches!(outcome, Some(QuestionOutcome::NotAccepted(_))) {
        is_blocked.store(true, Ordering::Relaxed);
    }
    (prompt, outcome)
}
