//! The provider of a fleet.

use std::sync::Arc;
use std::time::Duration;

use domain::answer::Answer;
use providers::{AskError, BoxFuture, GenerationRequest, Provider, Question};
use tokio::time::Instant;

use super::ANSWER_TIME;

/// Decides what a provider replies. It receives the provider's name, the question's text and the time since
/// the start of the fleet.
pub(super) type Script = Arc<dyn Fn(&str, &str, Duration) -> Result<Answer, AskError> + Send + Sync>;

/// A provider that follows a script. It answers slowly, and refuses at once.
pub(super) struct SlowProvider {
    pub(super) name: &'static str,
    pub(super) start: Instant,
    pub(super) script: Script,
}

/// Returns the answer to each question of a provider that has no troubles.
pub(super) fn usual_answer() -> Answer {
    Answer {
        text: "I recommend Acme0.".to_owned(),
        ..Answer::default()
    }
}

/// Returns a script by which the provider `mistral` rejects the key for a while.
pub(super) fn rejects_key(rejects_for: Duration) -> Script {
    Arc::new(move |name, _, passed| {
        if name == "mistral" && passed < rejects_for {
            let reason = "the key is invalid".to_owned();
            return Err(AskError::InvalidKey { reason });
        }
        Ok(usual_answer())
    })
}

impl Provider for SlowProvider {
    fn name(&self) -> &'static str {
        self.name
    }

    fn key_fingerprint(&self) -> BoxFuture<'_, String> {
        Box::pin(async { "0123456789abcdef".to_owned() })
    }

    fn ask<'a>(&'a self, question: &'a Question<'a>) -> BoxFuture<'a, Result<Answer, AskError>> {
        Box::pin(async {
            let answer = (self.script)(self.name, question.prompt, self.start.elapsed())?;
            tokio::time::sleep(ANSWER_TIME).await;
            Ok(answer)
        })
    }

    fn generate_prompts<'a>(
        &'a self,
        _: &'a GenerationRequest<'a>,
    ) -> BoxFuture<'a, Result<Vec<String>, AskError>> {
        Box::pin(async { unreachable!("a check generates nothing") })
    }
}
