//! The system's clock: service time is real time.

use std::time::{SystemTime, UNIX_EPOCH};

use domain::clock::Clock;
use domain::time::Timestamp;

#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock that everything else is given"
    )]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    fn real(&self) -> Timestamp {
        self.now()
    }

    fn to_service_millis(&self, ms: i64) -> i64 {
        ms
    }
}
