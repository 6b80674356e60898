//! When a change of an entity's visibility is told: the event `visibility.changed`.
//!
//! After each check, the last ten days are compared with the 28 days before them, by the test of
//! [comparisons](crate::comparison). Whoever looks every day finds chance differences often: at the usual
//! level of 5 %, a change would be told several times a year although there is none. So a change is told at a
//! much stricter [`LEVEL`], and once: after that, the days up to then are not compared again, neither as the
//! window nor as its base. A long base makes up for the strict level, because the answers of a day depend on
//! each other, so that the number of days decides what can be told from chance. `tests/comparing` measures
//! how often a change is told that is not there, and how soon one is told that is.

use domain::period::DateRange;
use domain::time::Day;

use crate::comparison::{ComparedRanges, Judgement};

/// The days of the window, and the most days of the base before it.
pub const WINDOW_DAYS: i32 = 10;
pub const BASE_DAYS: i32 = 28;
/// The fewest days of the base after an alert.
pub const MIN_BASE_DAYS: i32 = WINDOW_DAYS;
/// The largest p-value of a change that is told.
pub const LEVEL: f64 = 0.001;

/// Returns the days to compare after a check on `today`. `last_alert` is the last day of the window in which
/// a change was found that was told. Returns `None` if too few days have passed since then.
pub fn ranges_to_compare(today: Day, last_alert: Option<Day>) -> Option<ComparedRanges> {
    let window = DateRange::between(today.plus_days(1 - WINDOW_DAYS), today)?;
    let last = window.first.plus_days(-1);
    let earliest = window.first.plus_days(-BASE_DAYS);
    let first = last_alert.map_or(earliest, |told| earliest.max(told.plus_days(1)));
    let is_long_enough = first <= last.plus_days(1 - MIN_BASE_DAYS);
    let base = DateRange::between(first, last).filter(|_| is_long_enough)?;
    Some(ComparedRanges { base, window })
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
    fn the_last_days_are_compared_with_the_four_weeks_before_them() {
        let ranges = ranges_to_compare(Day(20_037), None).unwrap();
        assert_eq!((ranges.base.first, ranges.base.last), (Day(20_000), Day(20_027)));
        assert_eq!(
            (ranges.window.first, ranges.window.last),
            (Day(20_028), Day(20_037))
        );
        assert_eq!(ranges_to_compare(Day(20_037), Some(Day(19_999))), Some(ranges));
    }

    #[test]
    fn days_that_were_told_are_not_compared_again() {
        let told = Day(20_000);
        assert_eq!(ranges_to_compare(Day(20_019), Some(told)), None);
        let first = ranges_to_compare(Day(20_020), Some(told)).unwrap();
        assert_eq!((first.base.first, first.base.last), (Day(20_001), Day(20_010)));
        let later = ranges_to_compare(Day(20_030), Some(told)).unwrap();
        assert_eq!((later.base.first, later.base.last), (Day(20_001), Day(20_020)));
    }
}
