//! One round: each open question is asked once, a few at a time.

use std::sync::atomic::{AtomicBool, Ordering};

use domain::answer::State;
use futures::StreamExt;
use mentions::Matcher;
use providers::Provider;
use tokio::sync::mpsc;

use super::ask::{Asked, Question};
use super::wait::ProviderBlock;
use super::work::Work;
use crate::CheckerError;

/// Questions of a shard that are asked at once.
const AT_ONCE: usize = 8;

/// What one round of questions gave.
#[derive(Default)]
pub(super) struct Round {
    pub(super) answered: Vec<u32>,
    /// The provider answered or refused a question: it takes them.
    pub(super) is_served: bool,
    /// A question was taken and has no answer.
    pub(super) has_lost: bool,
    /// Questions that the provider did not take, or that were not begun: they do not count as asked.
    pub(super) not_taken: Vec<u32>,
    pub(super) hindrance: Option<ProviderBlock>,
    pub(super) is_closed: bool,
}

impl Work<'_> {
    /// Asks each question once, while one writer records the answers as they come.
    pub(super) async fn round(
        &self,
        provider: &dyn Provider,
        matcher: &Matcher,
        questions: Vec<Question<'_>>,
    ) -> Result<Round, CheckerError> {
        let (sender, receiver) = mpsc::channel(AT_ONCE * 2);
        let hindered = AtomicBool::new(false);
        let asking = async {
            let mut round = Round::default();
            let mut begun = Vec::with_capacity(questions.len());
            for question in questions {
                let hindered = &hindered;
                begun.push(async move {
                    // Once the provider asks for a wait, nothing more is asked of it.
                    if hindered.load(Ordering::Relaxed) || self.is_lost() || self.is_late() {
                        return (question.prompt.ordinal, None);
                    }
                    let asked = question
                        .ask(provider, matcher, self.checker.clock.as_ref(), &self.errors)
                        .await;
                    if matches!(asked, Asked::NotAccepted(_)) {
                        hindered.store(true, Ordering::Relaxed);
                    }
                    (question.prompt.ordinal, Some(asked))
                });
            }
            let mut asked = futures::stream::iter(begun).buffer_unordered(AT_ONCE);
            while let Some((prompt, asked)) = asked.next().await {
                match asked {
                    Some(Asked::Answered(response)) => {
                        round.answered.push(prompt);
                        round.is_served |= response.state != State::Failed;
                        // The writer is gone only when the shard was closed or the table failed.
                        if sender.send(*response).await.is_err() {
                            break;
                        }
                    }
                    Some(Asked::Lost) => round.has_lost = true,
                    Some(Asked::NotAccepted(hindrance)) => {
                        round.not_taken.push(prompt);
                        if round.hindrance.as_ref().is_none_or(|h| hindrance.outweighs(h)) {
                            round.hindrance = Some(hindrance);
                        }
                    }
                    None => round.not_taken.push(prompt),
                }
            }
            drop(asked);
            drop(sender);
            round
        };
        let (mut round, written) = tokio::join!(asking, self.write(receiver));
        round.is_closed = !written?;
        Ok(round)
    }
}
