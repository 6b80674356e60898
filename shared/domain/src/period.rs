//! The ranges of days that analytics cover.

use crate::error::InvalidField;
use crate::limits::{MAX_RANGE_DAYS, RECENT_DAYS, RECOMMENDATION_DAYS};
use crate::time::{Day, Month, Timestamp};

/// The named periods, each with its number of days. A period ends today.
pub const PERIODS: [(&str, i32); 3] = [("7d", 7), ("14d", 14), DEFAULT_PERIOD];
/// The period of a request that names none. Its days are also those of a range without a start.
const DEFAULT_PERIOD: (&str, i32) = ("30d", 30);
const DEFAULT_DAYS: i32 = DEFAULT_PERIOD.1;
/// The label of a range that is not a named period.
pub const CUSTOM: &str = "custom";

/// A range of 1 to 366 UTC days, including both ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DateRange {
    pub first: Day,
    pub last: Day,
    label: &'static str,
}

impl DateRange {
    /// Returns the 30 days that end with `today`.
    pub fn last_30_days(today: Day) -> Self {
        Self::ending_on(today, DEFAULT_DAYS, DEFAULT_PERIOD.0)
    }

    /// Returns the days from which the recommendations of a check on `day` are computed: that day and the 29
    /// days before.
    pub fn recommendations(day: Day) -> Self {
        Self::ending_on(day, RECOMMENDATION_DAYS, "30d")
    }

    /// Returns `day` and the 6 days before, for rules that compare recent days with earlier ones or read web
    /// searches.
    pub fn recent(day: Day) -> Self {
        Self::ending_on(day, RECENT_DAYS, "7d")
    }

    /// Returns the days from `first` to `last`, or `None` if there are none or more than 366.
    pub fn between(first: Day, last: Day) -> Option<Self> {
        Self::custom(first.max(Day(0)), last).ok()
    }

    /// Returns the days of the range from `first` on, or `None` if there are none.
    pub fn not_before(self, first: Day) -> Option<Self> {
        Self::between(self.first.max(first), self.last)
    }

    /// Returns the range of a single day.
    pub fn single_day(day: Day) -> Self {
        Self::ending_on(day, 1, CUSTOM)
    }

    /// Returns the days of a month, or `None` if they are before 1970 or after 9999.
    pub fn of_month(month: Month) -> Option<Self> {
        let first = Day::parse(&format!("{month}-01"))?;
        let days = (0..31).map(|days| first.plus_days(days));
        let last = days.take_while(|day| day.month() == month).last()?;
        Self::between(first, last)
    }

    /// Parses the parameters `period`, `startDate` and `endDate`. Empty ones count as absent.
    ///
    /// - `period` is `7d`, `14d` or `30d`, which is the default.
    /// - A date is `YYYY-MM-DD`, or an ISO 8601 timestamp with an offset or `Z`, which stands for its UTC
    ///   day.
    /// - If there is a date, the period has no effect, but it must still be valid.
    /// - A missing end is `today`. A missing start is 29 days before the end. The end can be in the future.
    pub fn parse(
        period: Option<&str>,
        start_date: Option<&str>,
        end_date: Option<&str>,
        today: Day,
    ) -> Result<Self, InvalidField> {
        let period = period.filter(|name| !name.is_empty()).unwrap_or(DEFAULT_PERIOD.0);
        let (name, days) = PERIODS
            .into_iter()
            .find(|(name, _)| *name == period)
            .ok_or_else(|| InvalidField::new("period", "must be 7d, 14d or 30d"))?;
        let range = Self::ending_on(today, days, name);
        let start = Self::parse_date("startDate", start_date)?;
        let end = Self::parse_date("endDate", end_date)?;
        match (start, end) {
            (None, None) => Ok(range),
            (None, Some(end)) => Ok(Self::ending_on(end, DEFAULT_DAYS, CUSTOM)),
            (Some(start), None) if start > today => Err(InvalidField::new(
                "startDate",
                "must not be after today where endDate is missing",
            )),
            (Some(start), end) => Self::custom(start, end.unwrap_or(today)),
        }
    }

    /// Parses a date as in [`DateRange::parse`]. Returns `None` if it is absent.
    pub fn parse_date(field: &str, text: Option<&str>) -> Result<Option<Day>, InvalidField> {
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        Day::parse(text)
            .or_else(|| Timestamp::from_iso(text).map(Timestamp::day))
            .filter(|day| day.0 >= 0)
            .map(Some)
            .ok_or_else(|| InvalidField::new(field, broken_rule(text)))
    }

    /// Returns `7d`, `14d`, `30d` or `custom`.
    pub fn label(&self) -> &'static str {
        self.label
    }

    pub fn contains(&self, day: Day) -> bool {
        (self.first..=self.last).contains(&day)
    }

    /// Returns the days of the range, ascending.
    pub fn days(&self) -> impl Iterator<Item = Day> + use<> {
        (self.first.0..=self.last.0).map(Day)
    }

    /// Returns the distinct months of the days, ascending.
    pub fn months(&self) -> impl Iterator<Item = Month> + use<> {
        let mut previous = None;
        self.days().map(Day::month).filter(move |month| {
            let is_new = previous != Some(*month);
            previous = Some(*month);
            is_new
        })
    }

    fn custom(first: Day, last: Day) -> Result<Self, InvalidField> {
        if first > last {
            return Err(InvalidField::new("startDate", "must not be after endDate"));
        }
        if last.0 - first.0 >= MAX_RANGE_DAYS {
            return Err(InvalidField::new(
                "startDate",
                format!("and endDate must span at most {MAX_RANGE_DAYS} days"),
            ));
        }
        Ok(Self {
            first,
            last,
            label: CUSTOM,
        })
    }

    fn ending_on(last: Day, days: i32, label: &'static str) -> Self {
        // There are no days before 1970.
        let first = last.plus_days(1 - days).max(Day(0)).min(last);
        Self { first, last, label }
    }
}

fn broken_rule(text: &str) -> &'static str {
    // In a query, a `+` stands for a space.
    if text.contains(' ') && Timestamp::from_iso(&text.replace(' ', "+")).is_some() {
        return "must have the + of its offset encoded as %2B";
    }
    "must be YYYY-MM-DD or an ISO 8601 timestamp with an offset or Z, from 1970 on"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn day(text: &str) -> Day {
        Day::parse(text).unwrap()
    }

    /// Parses a range on 2026-03-10.
    fn parse(period: &str, start: &str, end: &str) -> Result<(String, String, &'static str), InvalidField> {
        DateRange::parse(Some(period), Some(start), Some(end), day("2026-03-10"))
            .map(|range| (range.first.to_string(), range.last.to_string(), range.label()))
    }

    fn days(first: &str, last: &str, label: &'static str) -> (String, String, &'static str) {
        (first.to_owned(), last.to_owned(), label)
    }

    #[test]
    fn a_timestamp_whose_plus_became_a_space_says_so() {
        let rule = |text: &str| DateRange::parse_date("startDate", Some(text)).unwrap_err().rule;
        let encoded = "must have the + of its offset encoded as %2B";
        assert_eq!(rule("2026-03-04T12:00:00 02:00"), encoded);
        let other = "must be YYYY-MM-DD or an ISO 8601 timestamp with an offset or Z, from 1970 on";
        for text in ["1969-12-31T12:00:00+02:00", "2026-03-04 12:00:00", "4 March"] {
            assert_eq!(rule(text), other, "{text}");
        }
    }

    #[test]
    fn a_period_ends_today_and_counts_today() {
        assert_eq!(
            parse("7d", "", "").unwrap(),
            days("2026-03-04", "2026-03-10", "7d")
        );
        assert_eq!(
            parse("14d", "", "").unwrap(),
            days("2026-02-25", "2026-03-10", "14d")
        );
        assert_eq!(
            parse("30d", "", "").unwrap(),
            days("2026-02-09", "2026-03-10", "30d")
        );
        let today = day("2026-03-10");
        assert_eq!(
            DateRange::parse(None, None, None, today).unwrap(),
            DateRange::last_30_days(today)
        );
        assert_eq!(DateRange::last_30_days(today).days().count(), 30);
    }

    #[test]
    fn dates_replace_the_period_and_both_ends_count() {
        assert_eq!(
            parse("7d", "2026-01-05", "2026-01-05").unwrap(),
            days("2026-01-05", "2026-01-05", "custom")
        );
        assert_eq!(
            parse("", "2026-01-05", "").unwrap(),
            days("2026-01-05", "2026-03-10", "custom")
        );
        assert_eq!(
            parse("", "", "2026-01-30").unwrap(),
            days("2026-01-01", "2026-01-30", "custom")
        );
    }

    #[test]
    fn a_timestamp_stands_for_its_utc_day() {
        assert_eq!(
            parse("", "2026-01-01T01:30:00+02:00", "2026-01-02T23:59:59.999Z").unwrap(),
            days("2025-12-31", "2026-01-02", "custom")
        );
        // Without an offset, the UTC day is ambiguous.
        assert_eq!(
            parse("", "2026-01-01T01:30:00", "").unwrap_err().field,
            "startDate"
        );
    }

    #[test]
    fn an_end_in_the_future_is_allowed_but_not_a_start_without_one() {
        assert_eq!(
            parse("", "2026-03-11", "2026-03-12").unwrap(),
            days("2026-03-11", "2026-03-12", "custom")
        );
        assert_eq!(
            parse("", "", "2027-01-01").unwrap(),
            days("2026-12-03", "2027-01-01", "custom")
        );
        assert_eq!(
            parse("", "2026-03-11", "").unwrap_err().to_string(),
            "startDate must not be after today where endDate is missing"
        );
        assert!(parse("", "2026-03-10", "").is_ok());
    }

    #[test]
    fn a_range_has_at_most_366_days() {
        assert!(parse("", "2024-01-01", "2024-12-31").is_ok());
        assert_eq!(
            parse("", "2024-01-01", "2025-01-01").unwrap_err().to_string(),
            "startDate and endDate must span at most 366 days"
        );
    }

    #[test]
    fn an_invalid_parameter_is_named_with_its_rule() {
        assert_eq!(
            parse("", "2026-01-02", "2026-01-01").unwrap_err().to_string(),
            "startDate must not be after endDate"
        );
        assert_eq!(
            parse("90d", "2026-01-01", "2026-01-02").unwrap_err().to_string(),
            "period must be 7d, 14d or 30d"
        );
        for text in ["7D", " 7d", "custom", "30"] {
            assert_eq!(parse(text, "", "").unwrap_err().field, "period", "{text}");
        }
        for text in ["2026-02-30", "yesterday", "1969-12-31T00:00:00Z", "1767225600000"] {
            assert_eq!(parse("", "", text).unwrap_err().field, "endDate", "{text}");
        }
    }

    #[test]
    fn no_range_begins_before_1970() {
        assert_eq!(
            parse("", "", "1970-01-06").unwrap(),
            days("1970-01-01", "1970-01-06", "custom")
        );
    }

    #[test]
    fn recommendations_cover_30_days_of_which_7_are_recent() {
        let today = day("2026-03-10");
        let window = DateRange::recommendations(today);
        assert_eq!(window, DateRange::last_30_days(today));
        assert_eq!(DateRange::recent(today).first, day("2026-03-04"));
        assert_eq!(
            DateRange::between(window.first, today).map(|range| range.days().count()),
            Some(30)
        );
        assert_eq!(DateRange::between(today, today.plus_days(-1)), None);
    }

    #[test]
    fn months_are_distinct_and_ascending() {
        let range =
            DateRange::parse(None, Some("2025-11-30"), Some("2026-02-01"), day("2026-03-10")).unwrap();
        let months: Vec<String> = range.months().map(|month| month.to_string()).collect();
        assert_eq!(months, ["2025-11", "2025-12", "2026-01", "2026-02"]);
    }

    proptest! {
        #[test]
        fn a_range_is_its_days(first in 0i32..40_000, length in 1i32..=366, other in 0i32..41_000) {
            let (first, last) = (Day(first), Day(first + length - 1));
            let range = DateRange::parse(None, Some(&first.to_string()), Some(&last.to_string()), Day(0)).unwrap();
            let days: Vec<Day> = range.days().collect();
            prop_assert_eq!(days.len(), usize::try_from(length).unwrap());
            prop_assert_eq!((days.first(), days.last()), (Some(&first), Some(&last)));
            prop_assert_eq!(range.contains(Day(other)), days.contains(&Day(other)));
            let months: std::collections::BTreeSet<_> = days.iter().map(|day| day.month()).collect();
            prop_assert_eq!(range.months().collect::<Vec<_>>(), months.into_iter().collect::<Vec<_>>());
        }

        #[test]
        fn no_text_makes_range_parsing_panic(
            period in ".{0,8}", start in "([0-9T:Z+-]|.){0,30}", end in "[0-9]{4,6}-[0-9]{2}-[0-9]{2}T[0-9]{2}:00[Z+-][0-9:]{0,5}",
        ) {
            let _ = DateRange::parse(Some(&period), Some(&start), Some(&end), Day(20_000));
            let _ = DateRange::parse(None, Some(&start), Some(&end), Day(20_000));
            let _ = DateRange::parse(None, None, Some(&end), Day(i32::MAX));
        }
    }
}
