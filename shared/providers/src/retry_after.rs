//! Parses how long a provider asks to wait before a retry.
//!
//! All hints become a [`Duration`] of at most one hour.

use std::time::Duration;

use jiff::fmt::rfc2822;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;

use crate::json_access::items;

/// The maximum wait. Longer hints are cut to it.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(60 * 60);

/// Parses the hint in the headers: `retry-after-ms`, `retry-after` in seconds, or `retry-after` as an HTTP
/// date, in this order. A date is relative to the response's own `date`, so no clock is needed.
pub(crate) fn from_headers(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok();
    text("retry-after-ms")
        .and_then(|milliseconds| from_seconds(milliseconds.trim().parse::<f64>().ok()? / 1_000.0))
        .or_else(|| parse_seconds(text(RETRY_AFTER.as_str())?))
        .or_else(|| {
            let instant = |name| {
                let text = headers.get(name)?.to_str().ok()?;
                rfc2822::DateTimeParser::new().parse_timestamp(text).ok()
            };
            let seconds = instant(RETRY_AFTER)?.as_second() - instant(DATE)?.as_second();
            Some(Duration::from_secs(seconds.max(0).cast_unsigned()).min(MAX_RETRY_AFTER))
        })
}

/// Parses Gemini's hint in the `details` of an error: `[{"@type": "..RetryInfo", "retryDelay": "37s"}]`.
pub(crate) fn from_error_details(details: &Value) -> Option<Duration> {
    items(details)
        .filter_map(|detail| detail["retryDelay"].as_str())
        .find_map(|text| parse_seconds(text.strip_suffix('s')?))
}

/// Parses a number of seconds. Returns `None` if the text is not a duration.
fn parse_seconds(text: &str) -> Option<Duration> {
    text.trim().parse().ok().and_then(from_seconds)
}

/// Converts seconds to a duration. Returns `None` for NaN and negative numbers.
fn from_seconds(seconds: f64) -> Option<Duration> {
    if seconds.is_nan() || seconds < 0.0 {
        return None;
    }
    Some(
        Duration::try_from_secs_f64(seconds)
            .map_or(MAX_RETRY_AFTER, |duration| duration.min(MAX_RETRY_AFTER)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderName, HeaderValue};

    fn hint_of(pairs: &[(&str, &str)]) -> Option<Duration> {
        let headers = pairs
            .iter()
            .map(|(name, value)| {
                let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
                (name, HeaderValue::from_str(value).unwrap())
            })
            .collect();
        from_headers(&headers)
    }

    #[test]
    fn milliseconds_take_precedence_over_seconds() {
        let both = [("retry-after", "7"), ("retry-after-ms", "1500")];
        assert_eq!(hint_of(&both), Some(Duration::from_millis(1500)));
        assert_eq!(hint_of(&[("retry-after", "7")]), Some(Duration::from_secs(7)));
        assert_eq!(
            hint_of(&[("retry-after", "0.5")]),
            Some(Duration::from_millis(500))
        );
    }

    #[test]
    fn the_next_hint_replaces_an_unreadable_one() {
        let one = [("retry-after-ms", "soon"), ("retry-after", "3")];
        assert_eq!(hint_of(&one), Some(Duration::from_secs(3)));
        assert_eq!(hint_of(&[("retry-after-ms", "-5")]), None);
        assert_eq!(hint_of(&[("retry-after", "NaN")]), None);
        assert_eq!(hint_of(&[]), None);
    }

    #[test]
    fn an_endless_wait_becomes_an_hour() {
        for endless in ["1e300", "inf", "999999999"] {
            assert_eq!(
                hint_of(&[("retry-after", endless)]),
                Some(MAX_RETRY_AFTER),
                "{endless}"
            );
        }
    }

    #[test]
    fn a_date_is_relative_to_the_responses_own_date() {
        let at = [
            ("date", "Sat, 21 Nov 2026 10:00:00 GMT"),
            ("retry-after", "Sat, 21 Nov 2026 10:01:30 GMT"),
        ];
        assert_eq!(hint_of(&at), Some(Duration::from_secs(90)));
        let past = [at[0], ("retry-after", "Sat, 21 Nov 2026 09:00:00 GMT")];
        assert_eq!(hint_of(&past), Some(Duration::ZERO));
        assert_eq!(hint_of(&at[1..]), None);
    }
}
