//! The provider of a fleet.

use domain::answer::Answer;
use providers::{AskError, BoxFuture, GenerationRequest, Provider, Question};
use tokio::time::Instant;

use super::ANSWER_TIME;

/// A provider that answers slowly, or rejects the key until an instant.
pub(super) struct SlowProvider {
    pub(super) name: &'static str,
    pub(super) rejects_until: Instant,
}

impl Provider for SlowProvider {
    fn name(&self) -> &'static str {
        self.name
    }

    fn key_fingerprint(&self) -> BoxFuture<'_, String> {
        Box::pin(async { "0123456789abcdef".to_owned() })
    }

    fn ask<'a>(&'a self, _: &'a Question<'a>) -> BoxFuture<'a, Result<Answer, AskError>> {
        Box::pin(async {
            if Instant::now() < self.rejects_until {
                let reason = "the key is invalid".to_owned();
                return Err(AskError::InvalidKey { reason });
            }
            tokio::time::sleep(ANSWER_TIME).await;
            Ok(Answer {
                text: "I recommend Acme0.".to_owned(),
                ..Answer::default()
            })
        })
    }

    fn generate_prompts<'a>(
        &'a self,
        _: &'a GenerationRequest<'a>,
    ) -> BoxFuture<'a, Result<Vec<String>, AskError>> {
        Box::pin(async { unreachable!("a check generates nothing") })
    }
}
