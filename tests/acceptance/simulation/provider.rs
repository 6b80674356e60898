//! The providers of a simulated process. They follow the schedule and report each question to the ledger.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use acceptance::FaultInjector;
use domain::answer::{Answer, Citation, FinishReason};
use domain::limits::PROVIDER_TIMEOUT;
use providers::{AskError, BoxFuture, GenerationRequest, Provider, Question};

use super::process::ScheduledCrash;
use super::shared::Shared;

pub(super) struct SimulatedProvider {
    pub(super) name: &'static str,
    pub(super) shared: Arc<Shared>,
    pub(super) invocation: Arc<AtomicU64>,
    pub(super) faults: FaultInjector,
    pub(super) scheduled_crash: Arc<ScheduledCrash>,
}

impl Provider for SimulatedProvider {
    fn name(&self) -> &'static str {
        self.name
    }

    fn key_fingerprint(&self) -> BoxFuture<'_, String> {
        Box::pin(async { "0123456789abcdef".to_owned() })
    }

    fn ask<'a>(&'a self, question: &'a Question<'a>) -> BoxFuture<'a, Result<Answer, AskError>> {
        Box::pin(self.reply(question))
    }

    fn generate_prompts<'a>(
        &'a self,
        _: &'a GenerationRequest<'a>,
    ) -> BoxFuture<'a, Result<Vec<String>, AskError>> {
        Box::pin(async { unreachable!("a check generates nothing") })
    }
}

impl SimulatedProvider {
    async fn reply(&self, question: &Question<'_>) -> Result<Answer, AskError> {
        let invocation = self.invocation.load(Ordering::Relaxed);
        let digits = question.prompt.chars().filter(char::is_ascii_digit);
        // The service's own question has no number, and nobody pays for it.
        let prompt = digits.collect::<String>().parse::<u32>().ok();
        let (crashes_before, crashes_after) = self.scheduled_crash.count_question();
        if crashes_before {
            self.faults.crash::<()>().await;
        }
        if let Some(prompt) = prompt {
            let mut ledger = self.shared.ledger.lock().unwrap();
            ledger.record_question(invocation, prompt);
        }
        let n = self.shared.questions.fetch_add(1, Ordering::Relaxed);
        let mut rng = self.shared.schedule.rng("reply", n);
        let is_faulty = rng.below(1_000) < self.shared.schedule.fault_rates.replies;
        let fault = rng.below(12);
        let reason = || "scripted".to_owned();
        if is_faulty && !self.shared.faults_have_ended() {
            let after = match fault {
                0 => Some(None),
                1 => Some(Some(rng.below(15))),
                2 => Some(Some(21 + rng.below(3_600))),
                _ => None,
            };
            if let Some(after) = after {
                tokio::time::sleep(Duration::from_millis(50)).await;
                let retry_after = after.map(|seconds| Duration::from_secs(seconds.into()));
                return Err(AskError::Unavailable {
                    retry_after,
                    is_throttled: fault == 1,
                    requests_per_minute: None,
                    reason: reason(),
                });
            }
            match fault {
                3 => return Err(AskError::QuotaExhausted { reason: reason() }),
                4 => return Err(AskError::InvalidKey { reason: reason() }),
                11 => return Err(AskError::Forbidden { reason: reason() }),
                _ => {}
            }
        }
        // From here on, the provider has accepted the question.
        if let Some(prompt) = prompt {
            let mut ledger = self.shared.ledger.lock().unwrap();
            ledger.record_accepted_question(invocation, prompt);
        }
        let prompt = prompt.unwrap_or_default();
        if crashes_after {
            self.faults.crash::<()>().await;
        }
        let max_delay = *rng.choose(&[100, 2_000, 2_000, 20_000, 90_000]);
        tokio::time::sleep(Duration::from_millis(rng.below(max_delay).into())).await;
        if is_faulty && !self.shared.faults_have_ended() {
            match fault {
                5 => {
                    tokio::time::sleep(PROVIDER_TIMEOUT).await;
                    return Err(AskError::AnswerLost { reason: reason() });
                }
                6 | 7 => return Err(AskError::AnswerLost { reason: reason() }),
                8 => return Err(AskError::Permanent { reason: reason() }),
                10 => return Err(AskError::Empty { reason: reason() }),
                _ => {}
            }
        }
        let is_refusal = is_faulty && fault == 9;
        let cited = |n: u32| Citation {
            url: format!("https://site{n}.com/{prompt}"),
            ..Citation::default()
        };
        Ok(Answer {
            text: if is_refusal {
                String::new()
            } else {
                format!("Answer {n}: {}", brands(rng.below(3)))
            },
            finish_reason: match fault {
                _ if is_refusal => FinishReason::Refused,
                10 if is_faulty => FinishReason::Truncated,
                _ => FinishReason::Complete,
            },
            citations: (0..rng.below(3)).map(cited).collect(),
            queries: (0..rng.below(3)).map(|n| format!("query {n}")).collect(),
            ..Answer::default()
        })
    }
}

fn brands(n: u32) -> &'static str {
    ["I recommend Acme0.", "Acme1 or Acme0.", "I recommend Umbra."][n as usize]
}
