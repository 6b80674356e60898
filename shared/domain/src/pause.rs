//! Pauses of providers whose quota is exhausted or that reject the key.
//!
//! When a pause is over, a question of the service's own probes the provider. Those of customers follow once
//! it is answered.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::entity::Problem;
use crate::limits::{PROBE_RETRY, PROVIDER_PAUSE};
use crate::time::Timestamp;

/// The pause of a provider, for all workspaces. It lasts until the provider answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProviderPause {
    /// The name of the provider in the catalogue.
    pub provider: String,
    /// The reason, which is returned to clients.
    pub reason: String,
    /// When the first of the consecutive pauses began.
    pub since: Timestamp,
    /// The instant before which nothing is asked. From then on, one worker at a time probes the provider.
    pub until: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<Probe>,
}

/// The worker that probes a paused provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    pub owner: Uuid,
    /// The instant from which another worker can replace the probe, in case this one has crashed.
    pub until: Timestamp,
}

impl ProviderPause {
    /// Creates the first pause, which begins `now`.
    pub fn first(provider: &str, reason: &str, now: Timestamp) -> Self {
        Self {
            provider: provider.to_owned(),
            reason: reason.to_owned(),
            since: now,
            until: now + PROVIDER_PAUSE,
            probe: None,
        }
    }

    /// Returns the next consecutive pause, after the probe of this one failed.
    #[must_use]
    pub fn next(&self, reason: &str, now: Timestamp) -> Self {
        Self {
            provider: self.provider.clone(),
            reason: reason.to_owned(),
            since: self.since,
            until: now + PROVIDER_PAUSE,
            probe: None,
        }
    }

    /// Returns when a shard that cannot ask now retries: at the end of the pause, or in [`PROBE_RETRY`] if it
    /// is over.
    pub fn retry_at(&self, now: Timestamp) -> Timestamp {
        self.until.max(now + PROBE_RETRY)
    }

    /// Returns the pause as a problem of an entity.
    pub fn problem(&self) -> Problem {
        Problem {
            provider: Some(self.provider.clone()),
            model_id: None,
            reason: self.reason.clone(),
            since: self.since,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{MILLISECOND, MINUTE};

    #[test]
    fn each_pause_in_a_row_lasts_15_minutes() {
        let mut pause = ProviderPause::first("openai", "a", Timestamp::from_millis(7));
        for n in 1..=5 {
            let began = Timestamp::from_millis(7 * n);
            assert_eq!(pause.until.duration_since(began), 15 * MINUTE);
            pause = pause.next("b", Timestamp::from_millis(7 * (n + 1)));
        }
        assert_eq!(pause.since, Timestamp::from_millis(7));
        assert_eq!(pause.reason, "b", "what it is now, since it began");
    }

    #[test]
    fn a_retry_is_at_the_end_of_the_pause_or_soon_if_it_is_over() {
        let pause = ProviderPause::first("openai", "a", Timestamp::from_millis(0));
        assert_eq!(pause.retry_at(Timestamp::from_millis(5)), pause.until);
        let late = pause.until + MILLISECOND;
        assert_eq!(pause.retry_at(late), late + PROBE_RETRY);
    }
}
