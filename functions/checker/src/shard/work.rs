//! Working on a leased shard: rounds of asking until each question has a response or has to wait.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use domain::check::{Plan, PlanModel, Response};
use domain::limits::{
    LEASE, LEASE_RENEWAL, MAX_ASKS_PER_QUESTION, MAX_QUESTION_DURATION, PROVIDER_PAUSE, RETRY_BASE_DELAY,
};
use domain::prompt::Prompt;
use domain::time::{Day, SECOND, Timestamp};
use mentions::Matcher;
use store::{Lease, Probing};

use super::ask::Question;
use super::errors::Errors;
use crate::{Checker, CheckerError};

/// How soon a renewal that failed is tried again, in real milliseconds.
const RENEW_AGAIN: i64 = 5 * SECOND;

/// How the work on a shard ended.
pub(super) enum Ended {
    /// Every question has a response or is not asked any more.
    Done,
    /// Given back: the provider asked for a longer wait.
    Released,
    /// The invocation ends too soon for another question.
    OutOfTime,
    /// Another worker has it, or it was closed.
    Lost,
}

pub(super) struct Work<'a> {
    pub(super) checker: &'a Checker,
    pub(super) lease: &'a Lease,
    pub(super) day: Day,
    pub(super) model: &'a PlanModel,
    plan: &'a Plan,
    /// In real time: no question is begun later.
    last_start: Timestamp,
    is_lost: AtomicBool,
    pub(super) errors: Errors,
}

impl<'a> Work<'a> {
    /// `ends`: when, in real time, the invocation is killed.
    pub(super) fn new(
        checker: &'a Checker,
        lease: &'a Lease,
        day: Day,
        model: &'a PlanModel,
        plan: &'a Plan,
        ends: Timestamp,
    ) -> Self {
        let (last_start, is_lost) = (ends.plus(-MAX_QUESTION_DURATION), AtomicBool::new(false));
        Self {
            checker,
            lease,
            day,
            model,
            plan,
            last_start,
            is_lost,
            errors: Errors::default(),
        }
    }

    /// Asks the prompts that have no response yet. Holds the lease as long as it works.
    pub(super) async fn run(&self, prompts: &[u32]) -> Result<Ended, CheckerError> {
        let ended = tokio::select! {
            ended = self.ask_all(prompts) => ended,
            // A lost lease stops the asking; what is answered by then is still recorded.
            never = self.hold() => match never {},
        };
        if let Some(model) = self.checker.catalogue.get(self.model.uuid) {
            self.errors.log(&model.provider);
        }
        ended
    }

    pub(super) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }

    pub(super) fn is_late(&self) -> bool {
        self.checker.clock.real() >= self.last_start
    }

    /// Renews the lease until it is lost. A renewal that fails is tried again while the lease lasts.
    async fn hold(&self) -> Infallible {
        let clock = &self.checker.clock;
        let mut held_until = self.lease.progress.lease_until;
        let mut wait = LEASE_RENEWAL;
        loop {
            tokio::time::sleep(real(wait)).await;
            let until = clock.now().plus(clock.to_service_millis(LEASE));
            match self.checker.store.renew_lease(self.lease, until).await {
                Ok(true) => (held_until, wait) = (until, LEASE_RENEWAL),
                Err(error) if clock.now() < held_until => {
                    tracing::warn!(%error, "a lease was not renewed");
                    wait = RENEW_AGAIN;
                }
                Ok(false) | Err(_) => {
                    self.is_lost.store(true, Ordering::Relaxed);
                    return std::future::pending().await;
                }
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
            let wait = self.wait_a_while(None, PROVIDER_PAUSE, reason);
            return self.release(&asks, wait).await;
        };
        let recorded = &lease.progress.recorded;
        let mut open: Vec<u32> = prompts
            .iter()
            .filter(|p| !recorded.contains(p))
            .copied()
            .collect();
        if open.is_empty() {
            return Ok(Ended::Done);
        }
        let (entity, texts, mut pause) = tokio::try_join!(
            checker.store.entity(&lease.tenant, &lease.entity),
            checker
                .store
                .prompts_by_number(&lease.tenant, &lease.entity, &open),
            checker.store.provider_pause(&model.provider),
        )?;
        let Some(entity) = entity else {
            return Ok(Ended::Lost);
        };
        // A prompt that was paused or deleted after the claim is not asked.
        let texts = texts.into_iter().filter(Prompt::is_asked).map(|p| (p.ordinal, p));
        let texts: BTreeMap<u32, Prompt> = texts.collect();
        open.retain(|p| texts.contains_key(p));
        let matcher = Matcher::new(&self.plan.brand_names());

        let (mut losses, mut has_lost) = (0, false);
        loop {
            open = match self.give_up_spent(open, &asks).await? {
                Some(open) if open.is_empty() => return Ok(Ended::Done),
                Some(open) => open,
                None => return Ok(Ended::Lost),
            };
            // Not even a probe is begun that nobody would answer.
            if self.is_late() {
                return Ok(Ended::OutOfTime);
            }
            if has_lost {
                losses += 1;
                wait_before(losses).await;
            }
            if let Some(paused) = pause {
                pause = match self.probe(&paused).await? {
                    Probing::Mine(pause) => Some(pause),
                    Probing::Over => None,
                    Probing::Held(pause) => return self.release(&asks, self.wait_out(&pause)).await,
                };
            }
            let at_once = if pause.is_some() { 1 } else { open.len() };
            let mut next: Vec<u32> = open.iter().take(at_once).copied().collect();
            for prompt in &next {
                *asks.entry(*prompt).or_default() += 1;
            }
            // Noted before anything is asked: whoever comes after a crash knows what may have been paid for.
            let Some(recorded) = checker.store.note_asks(lease, &asks).await? else {
                return Ok(Ended::Lost);
            };
            next.retain(|p| !recorded.contains(p));
            open.retain(|p| !recorded.contains(p));
            let questions = next.iter().filter_map(|p| texts.get(p)).map(|prompt| Question {
                model: &model.model,
                entity: &entity,
                prompt,
                ordinal: self.model.ordinal,
            });
            let round = self.round(provider, &matcher, questions.collect()).await?;
            if let Some(pause) = pause.take_if(|_| round.is_served) {
                self.end_pause(&pause).await?;
            }
            let wait = match round.hindrance {
                Some(hindrance) => Some(self.wait_for(hindrance, &model.provider, pause.as_ref()).await?),
                None => None,
            };
            if round.is_closed || self.is_lost() {
                return Ok(Ended::Lost);
            }
            for prompt in &round.not_taken {
                asks.entry(*prompt).and_modify(|n| *n = n.saturating_sub(1));
            }
            if let Some(wait) = wait {
                return self.release(&asks, wait).await;
            }
            open.retain(|p| !round.answered.contains(p));
            has_lost = round.has_lost;
            if !open.is_empty() && self.is_late() {
                checker.store.note_asks(lease, &asks).await?;
                return Ok(Ended::OutOfTime);
            }
        }
    }

    /// Records questions as failed that were asked often enough, and gives the others. `None`: the shard was
    /// closed.
    async fn give_up_spent(
        &self,
        open: Vec<u32>,
        asks: &BTreeMap<u32, u32>,
    ) -> Result<Option<Vec<u32>>, CheckerError> {
        let is_spent = |p: &u32| asks.get(p).is_some_and(|n| *n >= MAX_ASKS_PER_QUESTION);
        let (spent, open): (Vec<u32>, Vec<u32>) = open.into_iter().partition(is_spent);
        let reason = format!("No answer after {MAX_ASKS_PER_QUESTION} requests");
        let now = self.checker.clock.now();
        let failed = spent
            .iter()
            .map(|p| Response::failed(*p, self.model.ordinal, &reason, now));
        Ok(self.record(failed.collect()).await?.then_some(open))
    }
}

fn real(ms: i64) -> Duration {
    Duration::from_millis(ms.unsigned_abs())
}

/// A provider that lost questions gets time before it is asked again, not from all shards at once.
async fn wait_before(again: u32) {
    let least = RETRY_BASE_DELAY << again.min(4);
    tokio::time::sleep(real(rand::random_range(least / 2..=least))).await;
}
