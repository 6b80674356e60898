//! The schedule of an entity's checks.

use std::time::Duration;

use crate::time::Timestamp;

/// Returns the first check slot after `now`. Slots are at multiples of `interval` after `slot`, and missed
/// ones are skipped.
pub fn next_slot(slot: Timestamp, interval: Duration, now: Timestamp) -> Timestamp {
    let passed = now.duration_since(slot).as_millis();
    let intervals = passed / interval.as_millis().max(1) + 1;
    let ahead = interval.as_millis().saturating_mul(intervals);
    slot + Duration::from_millis(u64::try_from(ahead).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::HOUR;

    #[test]
    fn the_next_slot_lies_on_the_grid_and_in_the_future() {
        let slot = Timestamp::from_millis(1_000);
        let next = |hours: u32, now: Timestamp| next_slot(slot, hours * HOUR, now);
        assert_eq!(next(24, slot), slot + 24 * HOUR);
        assert_eq!(next(24, slot + 24 * HOUR), slot + 48 * HOUR);
        assert_eq!(next(24, slot + 71 * HOUR), slot + 72 * HOUR);
        assert_eq!(next(1, Timestamp::from_millis(0)), slot + HOUR);
    }
}
