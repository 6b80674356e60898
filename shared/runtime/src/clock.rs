//! The system's clock: service time is real time.

use std::time::{SystemTime, UNIX_EPOCH};

use domain::clock::Clock;
use domain::time::Millis;

#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock that everything else is given"
    )]
    fn now(&self) -> Millis {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    fn real(&self) -> Millis {
        self.now()
    }

    fn stretch(&self, ms: i64) -> i64 {
        ms
    }
}
