//! A provider that is left alone because its quota is used up or its key is refused. When the pause is over one
//! question probes it; others follow once that one is answered.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::clock::Clock;
use crate::entity::Problem;
use crate::limits::{LONG_PAUSE_AFTER, LONG_PROVIDER_PAUSE, PROBE_RETRY, PROVIDER_PAUSE};
use crate::time::Timestamp;

/// The pause of a provider, the same for every workspace. It lasts until the provider answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProviderPause {
    /// The catalogue's name of the provider.
    pub provider: String,
    /// Why, in words that can be shown to anybody.
    pub reason: String,
    /// When the first pause in a row began.
    pub since: Timestamp,
    /// Nothing is asked before; from then on one question at a time.
    pub until: Timestamp,
    /// Pauses in a row.
    pub count: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<Probe>,
}

/// The worker that asks the one question. One that dies is in nobody's way after `until`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    pub owner: Uuid,
    pub until: Timestamp,
}

impl ProviderPause {
    /// The first pause.
    pub fn first(provider: &str, reason: &str, clock: &dyn Clock) -> Self {
        let now = clock.now();
        Self {
            provider: provider.to_owned(),
            reason: reason.to_owned(),
            since: now,
            until: now + clock.to_service_time(length(1)),
            count: 1,
            probe: None,
        }
    }

    /// The next one in a row: the probe met the same, or worse.
    #[must_use]
    pub fn next(&self, reason: &str, clock: &dyn Clock) -> Self {
        let count = self.count.saturating_add(1);
        Self {
            provider: self.provider.clone(),
            reason: reason.to_owned(),
            since: self.since,
            until: clock.now() + clock.to_service_time(length(count)),
            count,
            probe: None,
        }
    }

    /// When whoever may not ask now looks again: at the pause's end, or soon if it is over and being probed.
    pub fn retry_at(&self, clock: &dyn Clock) -> Timestamp {
        self.until.max(clock.now() + clock.to_service_time(PROBE_RETRY))
    }

    /// What clients are told of it.
    pub fn problem(&self) -> Problem {
        Problem {
            provider: Some(self.provider.clone()),
            model_id: None,
            reason: self.reason.clone(),
            since: self.since,
        }
    }
}

/// Returns the length, in real time, of the `count`th pause in a row.
fn length(count: u32) -> Duration {
    if count < LONG_PAUSE_AFTER {
        PROVIDER_PAUSE
    } else {
        LONG_PROVIDER_PAUSE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{HOUR, MILLISECOND, MINUTE};

    /// Service time runs ten times as fast.
    struct Fast(Timestamp);

    impl Clock for Fast {
        fn now(&self) -> Timestamp {
            self.0
        }

        fn real_now(&self) -> Timestamp {
            Timestamp::from_millis(0)
        }

        fn to_service_time(&self, real: Duration) -> Duration {
            10 * real
        }
    }

    #[test]
    fn two_pauses_last_a_quarter_of_an_hour_and_all_further_ones_an_hour_of_real_time() {
        let mut pause = ProviderPause::first("openai", "a", &Fast(Timestamp::from_millis(7)));
        let mut lengths = Vec::new();
        for n in 1..=5 {
            lengths.push(
                pause
                    .until
                    .duration_since(Timestamp::from_millis(7 * i64::from(n))),
            );
            pause = pause.next("b", &Fast(Timestamp::from_millis(7 * i64::from(n + 1))));
        }
        let [short, long] = [150 * MINUTE, 10 * HOUR];
        assert_eq!(lengths, [short, short, long, long, long]);
        assert_eq!((pause.count, pause.since), (6, Timestamp::from_millis(7)));
        assert_eq!(pause.reason, "b", "what it is now, since it began");
    }

    #[test]
    fn whoever_waits_looks_at_the_pauses_end_and_soon_when_it_is_over() {
        let pause = ProviderPause::first("openai", "a", &Fast(Timestamp::from_millis(0)));
        assert_eq!(pause.retry_at(&Fast(Timestamp::from_millis(5))), pause.until);
        let late = Fast(pause.until + MILLISECOND);
        assert_eq!(pause.retry_at(&late), late.0 + 10 * PROBE_RETRY);
    }
}
