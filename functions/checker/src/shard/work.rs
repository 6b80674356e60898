//! Working on a leased shard: rounds of asking until each question has a response or has to wait.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use domain::check::{Plan, PlanModel, Response};
use domain::entity::{Entity, Problem};
use domain::limits::{ASKS_PER_QUESTION, LEASE, LEASE_RENEWAL, PROVIDER_PAUSE};
use domain::mention::Matcher;
use domain::prompt::Prompt;
use domain::time::Day;
use futures::StreamExt;
use providers::Provider;
use store::Lease;
use tokio::sync::mpsc;

use super::ask::{Asked, Question};
use crate::{Checker, CheckerError};

/// Questions of a shard that are asked at once.
const AT_ONCE: usize = 8;

/// How the work on a shard ended.
pub(super) enum Ended {
    /// Every question has a response or is not asked any more.
    Done,
    /// Given back: the provider asked for a longer wait.
    Released,
    /// Another worker has it, or it was closed.
    Lost,
}

pub(super) struct Work<'a> {
    pub(super) checker: &'a Checker,
    pub(super) lease: &'a Lease,
    pub(super) day: Day,
    pub(super) model: &'a PlanModel,
    pub(super) plan: &'a Plan,
}

/// What hinders a shard, and for how many real milliseconds.
pub(super) struct Hindrance {
    pub(super) wait: i64,
    pub(super) reason: String,
}

impl Work<'_> {
    /// Asks the prompts that have no response yet. Holds the lease as long as it works.
    pub(super) async fn run(&self, prompts: &[u32]) -> Result<Ended, CheckerError> {
        tokio::select! {
            ended = self.ask_all(prompts) => ended,
            lost = self.hold() => lost,
        }
    }

    /// Renews the lease until it is lost.
    async fn hold(&self) -> Result<Ended, CheckerError> {
        let clock = &self.checker.clock;
        loop {
            tokio::time::sleep(Duration::from_millis(LEASE_RENEWAL.unsigned_abs())).await;
            let until = clock.now().plus(clock.stretch(LEASE));
            if !self.checker.store.renew_lease(self.lease, until).await? {
                return Ok(Ended::Lost);
            }
        }
    }

    async fn ask_all(&self, prompts: &[u32]) -> Result<Ended, CheckerError> {
        let (checker, lease) = (self.checker, self.lease);
        let model = checker.catalogue.get(self.model.uuid);
        let provider = model.and_then(|m| Some((m, checker.providers.get(&m.provider)?)));
        let mut asks = lease.progress.asks.clone();
        let Some((model, provider)) = provider else {
            let reason = "The model's provider is not configured".to_owned();
            return self
                .release(
                    &asks,
                    Hindrance {
                        wait: PROVIDER_PAUSE,
                        reason,
                    },
                )
                .await;
        };
        let mut open: Vec<u32> = prompts
            .iter()
            .filter(|p| !lease.progress.recorded.contains(p))
            .copied()
            .collect();
        if open.is_empty() {
            return Ok(Ended::Done);
        }
        let (entity, texts) = tokio::try_join!(
            checker.store.entity(&lease.tenant, &lease.entity),
            checker
                .store
                .prompts_by_number(&lease.tenant, &lease.entity, &open),
        )?;
        let Some(entity) = entity else {
            return Ok(Ended::Lost);
        };
        // A prompt that was paused or deleted after the claim is not asked.
        let texts: BTreeMap<u32, Prompt> = texts
            .into_iter()
            .filter(Prompt::is_asked)
            .map(|p| (p.ordinal, p))
            .collect();
        open.retain(|p| texts.contains_key(p));
        let matcher = Matcher::new(&self.plan.brand_names());

        while !open.is_empty() {
            let (spent, askable): (Vec<u32>, Vec<u32>) = open
                .iter()
                .partition(|p| asks.get(p).is_some_and(|n| *n >= ASKS_PER_QUESTION));
            let now = checker.clock.now();
            let reason = format!("No answer after {ASKS_PER_QUESTION} requests");
            let given_up = spent
                .iter()
                .map(|p| Response::failed(*p, self.model.ordinal, &reason, now))
                .collect();
            if !self.record(given_up).await? {
                return Ok(Ended::Lost);
            }
            open = askable;
            if open.is_empty() {
                break;
            }
            for prompt in &open {
                *asks.entry(*prompt).or_default() += 1;
            }
            // Recorded before anything is asked: whoever comes after a crash knows what may have been paid for.
            if !checker.store.note_asks(lease, &asks).await? {
                return Ok(Ended::Lost);
            }
            let questions = open.iter().filter_map(|p| texts.get(p)).map(|prompt| Question {
                model: &model.model,
                entity: &entity,
                prompt,
                ordinal: self.model.ordinal,
            });
            let round = self.round(provider, &matcher, questions.collect()).await?;
            if round.is_closed {
                return Ok(Ended::Lost);
            }
            for prompt in &round.not_taken {
                if let Some(n) = asks.get_mut(prompt) {
                    *n = n.saturating_sub(1);
                }
            }
            if let Some(hindrance) = round.hindrance {
                return self.release(&asks, hindrance).await;
            }
            open.retain(|p| !round.answered.contains(p));
        }
        Ok(Ended::Done)
    }

    /// Asks each question once, a few at a time, while one writer records the answers as they come.
    async fn round(
        &self,
        provider: &dyn Provider,
        matcher: &Matcher,
        questions: Vec<Question<'_>>,
    ) -> Result<Round, CheckerError> {
        let (sender, receiver) = mpsc::channel(AT_ONCE * 2);
        let hindered = AtomicBool::new(false);
        let asking = async {
            let mut round = Round::default();
            let mut asked = Vec::with_capacity(questions.len());
            for question in questions {
                let hindered = &hindered;
                asked.push(async move {
                    // Once the provider asks for a wait, nothing more is asked of it.
                    if hindered.load(Ordering::Relaxed) {
                        return (question.prompt.ordinal, None);
                    }
                    let asked = question.ask(provider, matcher, self.checker.clock.as_ref()).await;
                    if matches!(asked, Asked::Wait(_)) {
                        hindered.store(true, Ordering::Relaxed);
                    }
                    (question.prompt.ordinal, Some(asked))
                });
            }
            let mut answers = futures::stream::iter(asked).buffer_unordered(AT_ONCE);
            while let Some((prompt, asked)) = answers.next().await {
                match asked {
                    Some(Asked::Answered(response)) => {
                        round.answered.push(prompt);
                        // The writer is gone only when the shard was closed or the table failed.
                        if sender.send(*response).await.is_err() {
                            break;
                        }
                    }
                    Some(Asked::Lost) => {}
                    Some(Asked::Wait(hindrance)) => {
                        round.not_taken.push(prompt);
                        let longer = round.hindrance.as_ref().is_none_or(|h| h.wait < hindrance.wait);
                        if longer {
                            round.hindrance = Some(hindrance);
                        }
                    }
                    None => round.not_taken.push(prompt),
                }
            }
            drop(answers);
            drop(sender);
            round
        };
        let (mut round, written) = tokio::join!(asking, self.write(receiver));
        round.is_closed = !written?;
        Ok(round)
    }

    async fn release(&self, asks: &BTreeMap<u32, u32>, hindrance: Hindrance) -> Result<Ended, CheckerError> {
        let (checker, now) = (self.checker, self.checker.clock.now());
        let problem = Problem {
            provider: checker.catalogue.get(self.model.uuid).map(|m| m.provider.clone()),
            model_id: Some(self.model.uuid),
            reason: hindrance.reason,
            since: now,
        };
        tracing::warn!(
            reason = problem.reason,
            wait.ms = hindrance.wait,
            "a shard waits for its provider"
        );
        let not_before = now.plus(checker.clock.stretch(hindrance.wait));
        let lease = self.lease;
        checker
            .store
            .release_shard(lease, not_before, asks, Some(&problem))
            .await?;
        let entity = checker.store.entity(&lease.tenant, &lease.entity).await?;
        if let Some(running) = entity
            .and_then(|e: Entity| e.running)
            .filter(|r| r.check == lease.check)
            && not_before < running.next_look_at
        {
            let (at, then) = (not_before, running.look_after);
            checker
                .store
                .look_again(&lease.tenant, &lease.entity, lease.check, at, then)
                .await?;
        }
        Ok(Ended::Released)
    }
}

/// What one round of questions gave.
#[derive(Default)]
struct Round {
    answered: Vec<u32>,
    /// Questions that the provider did not take: they do not count as asked.
    not_taken: Vec<u32>,
    hindrance: Option<Hindrance>,
    is_closed: bool,
}
