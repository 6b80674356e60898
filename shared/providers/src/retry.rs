//! How long a provider asks to be left alone.

use std::time::Duration;

use jiff::fmt::rfc2822;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// The longest hint that is believed.
const LONGEST: Duration = Duration::from_secs(60 * 60);

/// A wait written as a number of seconds; nothing for what is no length of time. At most an hour.
pub(crate) fn seconds(text: &str) -> Option<Duration> {
    text.trim().parse().ok().and_then(wait)
}

/// The hint in the headers: `retry-after-ms`, else `retry-after` in seconds, else `retry-after` as an HTTP date, measured
/// from the response's own `date`, so that no clock is needed. At most an hour.
pub(crate) fn hint(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok();
    text("retry-after-ms")
        .and_then(|ms| wait(ms.trim().parse::<f64>().ok()? / 1_000.0))
        .or_else(|| seconds(text(RETRY_AFTER.as_str())?))
        .or_else(|| {
            let instant = |name| {
                let text = headers.get(name)?.to_str().ok()?;
                rfc2822::DateTimeParser::new().parse_timestamp(text).ok()
            };
            let seconds = instant(RETRY_AFTER)?.as_second() - instant(DATE)?.as_second();
            Some(Duration::from_secs(u64::try_from(seconds).unwrap_or(0)).min(LONGEST))
        })
}

/// Seconds as a wait; nothing for what is no length of time.
fn wait(seconds: f64) -> Option<Duration> {
    if seconds.is_nan() || seconds < 0.0 {
        return None;
    }
    Some(Duration::try_from_secs_f64(seconds).map_or(LONGEST, |d| d.min(LONGEST)))
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
        hint(&headers)
    }

    #[test]
    fn milliseconds_come_before_seconds() {
        let both = [("retry-after", "7"), ("retry-after-ms", "1500")];
        assert_eq!(hint_of(&both), Some(Duration::from_millis(1500)));
        assert_eq!(hint_of(&[("retry-after", "7")]), Some(Duration::from_secs(7)));
        assert_eq!(
            hint_of(&[("retry-after", "0.5")]),
            Some(Duration::from_millis(500))
        );
    }

    #[test]
    fn an_unreadable_hint_gives_way_to_the_next() {
        let one = [("retry-after-ms", "soon"), ("retry-after", "3")];
        assert_eq!(hint_of(&one), Some(Duration::from_secs(3)));
        assert_eq!(hint_of(&[("retry-after-ms", "-5")]), None);
        assert_eq!(hint_of(&[("retry-after", "NaN")]), None);
        assert_eq!(hint_of(&[]), None);
    }

    #[test]
    fn an_endless_wait_is_an_hour() {
        for endless in ["1e300", "inf", "999999999"] {
            assert_eq!(hint_of(&[("retry-after", endless)]), Some(LONGEST), "{endless}");
        }
    }

    #[test]
    fn a_date_counts_from_the_responses_own_date() {
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
