//! When the next check is due.

use crate::time::{HOUR, Timestamp};

/// The first slot after `now` on the grid that `slot` lies on: missed ones are caught up once.
pub fn next_slot(slot: Timestamp, frequency_hours: u32, now: Timestamp) -> Timestamp {
    let step = i64::from(frequency_hours.max(1)) * HOUR;
    let missed = (now.as_millis() - slot.as_millis()).max(0) / step;
    slot.plus(step * (missed + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_slot_lies_on_the_grid_and_in_the_future() {
        let slot = Timestamp::from_millis(1_000);
        assert_eq!(
            next_slot(slot, 24, Timestamp::from_millis(1_000)),
            Timestamp::from_millis(1_000 + 24 * HOUR)
        );
        assert_eq!(
            next_slot(slot, 24, Timestamp::from_millis(1_000 + 24 * HOUR)),
            Timestamp::from_millis(1_000 + 48 * HOUR)
        );
        assert_eq!(
            next_slot(slot, 24, Timestamp::from_millis(1_000 + 71 * HOUR)),
            Timestamp::from_millis(1_000 + 72 * HOUR)
        );
        assert_eq!(
            next_slot(slot, 1, Timestamp::from_millis(0)),
            Timestamp::from_millis(1_000 + HOUR)
        );
    }
}
