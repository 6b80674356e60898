//! The system's clock.

use std::time::{SystemTime, UNIX_EPOCH};

use domain::clock::Clock;
use domain::time::Timestamp;

/// The system's clock. Its service time is real time.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "all other code receives this clock as an argument"
    )]
    fn now(&self) -> Timestamp {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
        // A system clock before 1970 is not set, and one that milliseconds cannot express never is.
        let millis = since_epoch.map_or(0, |since| since.as_millis());
        Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX)) // See above.
    }

    fn real_now(&self) -> Timestamp {
        self.now()
    }
}
