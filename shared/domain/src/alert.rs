//! When a change of an entity's visibility is told: the event `visibility.changed`.
//!
//! After each check, the last seven days are compared with the seven days before them, by the test of
//! [comparisons](crate::comparison). Whoever looks every day finds chance differences often: at the usual level of 5 %, a change would be
//! told several times a year although there is none. So a change is told at a much stricter [`LEVEL`], and once: after that, the days up
//! to then are not compared again, neither as the window nor as its base. `tests/comparing` measures how often a change is told that is
//! not there, and how soon one is told that is.

use crate::comparison::{ComparedRanges, Judgement};
use crate::period::DateRange;
use crate::time::Day;

/// The days of the window, and of the base before it.
pub const WINDOW_DAYS: i32 = 7;
/// The largest p-value of a change that is told.
pub const LEVEL: f64 = 0.001;

/// Returns the days to compare after a check on `today`. `last_alert` is the last day of the window in which a change was found that was
/// told. Returns `None` if too few days have passed since then.
pub fn ranges_to_compare(today: Day, last_alert: Option<Day>) -> Option<ComparedRanges> {
    let window = DateRange::between(today.plus_days(1 - WINDOW_DAYS), today)?;
    let ranges = ComparedRanges::with_days_before(window)?;
    let is_new = last_alert.is_none_or(|told| ranges.base.first > told);
    is_new.then_some(ranges)
}

/// Returns whether a change with this p-value is told.
pub fn is_told(p_value: f64) -> bool {
    p_value <= LEVEL
}

/// Returns whether a judgement is told: it is a change of the brand, and chance does not explain it.
pub fn is_change_to_tell(judgement: &Judgement) -> bool {
    let compared = judgement.comparison;
    judgement.verdict.is_change() && compared.is_some_and(|compared| is_told(compared.p_value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_week_is_compared_with_the_one_before_unless_it_was_told() {
        let ranges = ranges_to_compare(Day(20_013), None).unwrap();
        assert_eq!((ranges.base.first, ranges.base.last), (Day(20_000), Day(20_006)));
        assert_eq!(
            (ranges.window.first, ranges.window.last),
            (Day(20_007), Day(20_013))
        );
        assert_eq!(ranges_to_compare(Day(20_013), Some(Day(19_999))), Some(ranges));
        assert_eq!(ranges_to_compare(Day(20_013), Some(Day(20_000))), None);
    }
}
