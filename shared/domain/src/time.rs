//! Instants, durations and UTC days.

use std::fmt;
use std::ops::{Add, Sub};
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::Offset;
use serde::{Deserialize, Serialize};

pub const MILLISECOND: Duration = Duration::from_millis(1);
pub const SECOND: Duration = Duration::from_secs(1);
pub const MINUTE: Duration = Duration::from_mins(1);
pub const HOUR: Duration = Duration::from_hours(1);
pub const DAY: Duration = Duration::from_hours(24);

/// An instant in Unix milliseconds. Arithmetic saturates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(i64);

// The range is 2020 to 2099, so that an instant in seconds or microseconds is out of range.
crate::schema::inline_schema!(Timestamp, {
    "type": "integer",
    "format": "int64",
    "minimum": 1_577_836_800_000_i64,
    "maximum": 4_102_444_799_999_i64,
});

impl Timestamp {
    /// The latest instant that can be formatted, which is the end of the year 9999.
    const MAX_FORMATTED: i64 = 253_402_300_799_999;

    /// Creates an instant from Unix milliseconds.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Returns the instant in Unix milliseconds.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Returns the time that has passed since `earlier`, or zero if `earlier` is the later of the two.
    pub fn duration_since(self, earlier: Self) -> Duration {
        let millis = self.0.saturating_sub(earlier.0);
        Duration::from_millis(millis.max(0).unsigned_abs())
    }

    /// Returns the number of the window that contains the instant. Windows of `length` are counted from the
    /// epoch.
    pub fn window(self, length: Duration) -> i64 {
        self.0.div_euclid(signed_millis(length).max(1))
    }

    /// Returns the start of the window with this number. Windows of `length` are counted from the epoch.
    pub fn window_start(window: i64, length: Duration) -> Self {
        Self(window.saturating_mul(signed_millis(length)))
    }

    /// Returns the UTC day of the instant.
    pub fn day(self) -> Day {
        Day(i32::try_from(self.window(DAY)).unwrap_or(i32::MAX)) // In 5.8 million years.
    }

    /// Returns the seconds since the epoch, rounded up, for a DynamoDB TTL attribute.
    pub fn ttl_seconds(self) -> i64 {
        let second = signed_millis(SECOND);
        self.0.div_euclid(second) + i64::from(self.0.rem_euclid(second) > 0)
    }

    /// Formats the instant as ISO 8601 with milliseconds and `Z`, clamped to the years 1970 to 9999.
    pub fn iso(self) -> String {
        let millis = self.0.clamp(0, Self::MAX_FORMATTED);
        match jiff::Timestamp::from_millisecond(millis) {
            Ok(t) => format!("{t:.3}"),
            Err(_) => String::new(),
        }
    }

    /// Parses an ISO 8601 timestamp with an offset or `Z`. Returns `None` if it is invalid.
    pub fn from_iso(text: &str) -> Option<Self> {
        text.parse::<jiff::Timestamp>()
            .ok()
            .map(|t| Self(t.as_millisecond()))
    }
}

impl Add<Duration> for Timestamp {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(signed_millis(duration)))
    }
}

impl Sub<Duration> for Timestamp {
    type Output = Self;

    fn sub(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(signed_millis(duration)))
    }
}

fn signed_millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX) // Of instants, arithmetic saturates.
}

/// Serializes a [`Duration`] as whole milliseconds.
pub mod duration_millis {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(super::signed_millis(*duration))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_millis)
    }
}

/// A UTC day, as the number of days since 1970-01-01. Its text is `YYYY-MM-DD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Day(pub i32);

impl Day {
    /// Parses `YYYY-MM-DD` with ASCII digits, for the years 1970 to 9999. Returns `None` if it is invalid.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
            return None;
        }
        let digits = |range: std::ops::Range<usize>| -> Option<i16> {
            let part = text.get(range)?;
            part.bytes()
                .all(|b| b.is_ascii_digit())
                .then(|| part.parse().ok())?
        };
        let (month, day) = (
            i8::try_from(digits(5..7)?).ok()?,
            i8::try_from(digits(8..10)?).ok()?,
        );
        let date = Date::new(digits(0..4)?, month, day).ok()?;
        let days = date.since(Date::constant(1970, 1, 1)).ok()?.get_days();
        (days >= 0).then_some(Self(days))
    }

    /// Returns the day `days` after this one, or before it if `days` is negative.
    #[must_use]
    pub fn plus_days(self, days: i32) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// Returns the instant at which the day begins.
    pub fn start(self) -> Timestamp {
        Timestamp::window_start(i64::from(self.0), DAY)
    }

    /// Returns the month of the day.
    pub fn month(self) -> Month {
        let date = self.date();
        Month {
            year: date.year(),
            month: date.month(),
        }
    }

    fn date(self) -> Date {
        // Converting an instant is much faster than adding a span to a date. The last instant is before the
        // last date.
        let start = jiff::Timestamp::from_second(i64::from(self.0.max(0)) * 86_400);
        start.map_or(Date::MAX, |start| Offset::UTC.to_datetime(start).date())
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.date().fmt(f)
    }
}

/// A UTC month. Its text is `YYYY-MM`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month {
    year: i16,
    month: i8,
}

impl Month {
    /// Parses `YYYY-MM` with ASCII digits, for the years 1970 to 9999. Returns `None` if it is invalid.
    pub fn parse(text: &str) -> Option<Self> {
        Some(Day::parse(&format!("{text}-01"))?.month())
    }

    /// Returns the last day of the month.
    pub fn last_day(self) -> Day {
        let first = Date::constant(self.year, self.month, 1);
        let epoch = Date::constant(1970, 1, 1);
        let since = first.last_of_month().since(epoch);
        Day(since.map_or(i32::MAX, |since| since.get_days()))
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

/// Rounds up to whole seconds, to at least one.
pub fn whole_seconds(duration: Duration) -> u64 {
    let started = u64::from(duration.subsec_nanos() > 0);
    duration.as_secs().saturating_add(started).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_formatted_with_milliseconds_and_z() {
        assert_eq!(
            Timestamp::from_millis(1_764_962_401_005).iso(),
            "2025-12-05T19:20:01.005Z"
        );
        assert_eq!(
            Timestamp::from_millis(1_764_962_401_000).iso(),
            "2025-12-05T19:20:01.000Z"
        );
    }

    #[test]
    fn a_timestamp_with_an_offset_is_the_same_instant_in_utc() {
        let t = Timestamp::from_iso("2026-01-01T01:30:00+02:00").unwrap();
        assert_eq!(t.iso(), "2025-12-31T23:30:00.000Z");
        assert_eq!(t.day().to_string(), "2025-12-31");
    }

    #[test]
    fn a_parsed_day_formats_as_the_parsed_text() {
        for text in ["1970-01-01", "2024-02-29", "2026-11-21", "9999-12-31"] {
            let day = Day::parse(text).unwrap();
            assert_eq!(day.to_string(), text);
            assert_eq!(day.start().day(), day);
        }
        assert_eq!(Day::parse("2026-11-21").unwrap().month().to_string(), "2026-11");
    }

    #[test]
    fn a_month_reads_back_and_ends_with_its_last_day() {
        for (text, last) in [
            ("1970-01", "1970-01-31"),
            ("2024-02", "2024-02-29"),
            ("2026-12", "2026-12-31"),
        ] {
            let month = Month::parse(text).unwrap();
            assert_eq!(month.to_string(), text);
            assert_eq!(month.last_day(), Day::parse(last).unwrap());
            assert_eq!(month.last_day().month(), month);
        }
        for text in ["2026-13", "2026-1", "2026-01-01", "", "+026-01"] {
            assert_eq!(Month::parse(text), None, "{text}");
        }
    }

    #[test]
    fn an_invalid_day_is_not_parsed() {
        for text in [
            "2025-02-29",
            "2026-13-01",
            "2026-1-01",
            "1969-12-31",
            "+026-01-01",
            "2026-01-1a",
            "",
        ] {
            assert_eq!(Day::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_ttl_is_never_before_its_instant() {
        assert_eq!(Timestamp::from_millis(1_001).ttl_seconds(), 2);
        assert_eq!(Timestamp::from_millis(1_000).ttl_seconds(), 1);
    }
}
