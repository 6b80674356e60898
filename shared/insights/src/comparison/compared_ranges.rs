//! The windows of a comparison.

use domain::error::InvalidField;
use domain::limits::MAX_RANGE_DAYS;
use domain::period::DateRange;
use domain::time::Day;
use statistics::Side;

/// Two windows of days. The base ends before the window begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComparedRanges {
    pub base: DateRange,
    pub window: DateRange,
}

impl ComparedRanges {
    /// Parses `baseStartDate` and `baseEndDate`. Without them, the base has the length of the window and ends
    /// the day before it. With one of them, the base has the length of the window, too.
    pub fn parse(
        window: DateRange,
        base_start: Option<&str>,
        base_end: Option<&str>,
    ) -> Result<Self, InvalidField> {
        let days = window.last.0 - window.first.0;
        let start = DateRange::parse_date("baseStartDate", base_start)?;
        let end = DateRange::parse_date("baseEndDate", base_end)?;
        let end = end
            .or(start.map(|start| start.plus_days(days)))
            .unwrap_or(window.first.plus_days(-1));
        let start = start.unwrap_or(end.plus_days(-days));
        if start > end {
            return Err(InvalidField::new(
                "baseStartDate",
                "must not be after baseEndDate",
            ));
        }
        if end >= window.first {
            return Err(InvalidField::new("baseEndDate", "must be before the window"));
        }
        let base = DateRange::between(start, end).ok_or_else(|| {
            let rule = format!("and baseEndDate must span at most {MAX_RANGE_DAYS} days, from 1970 on");
            InvalidField::new("baseStartDate", rule)
        })?;
        Ok(Self { base, window })
    }

    /// Returns a window and the base of the same length right before it, of which only the days from 1970 on
    /// count. Returns `None` if there are none.
    pub fn with_days_before(window: DateRange) -> Option<Self> {
        Self::parse(window, None, None).ok()
    }

    /// Returns the range of a side.
    pub fn of(&self, side: Side) -> &DateRange {
        match side {
            Side::Base => &self.base,
            Side::Window => &self.window,
        }
    }

    /// Returns the side of a day, or `None` if it is in neither window.
    pub fn side_of(&self, day: Day) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.of(*side).contains(day))
    }

    /// Returns the ranges that contain both windows: one if they adjoin, so that a month that both have is
    /// read once.
    pub fn to_read(&self) -> Vec<DateRange> {
        let is_adjoining = self.base.last.plus_days(1) == self.window.first;
        let whole = DateRange::between(self.base.first, self.window.last).filter(|_| is_adjoining);
        whole.map_or_else(|| vec![self.base, self.window], |whole| vec![whole])
    }
}
