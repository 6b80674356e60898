//! The service time at which the host starts.

use domain::time::{DAY, MINUTE, Timestamp};

use crate::clock::resume;

/// The days that the demo's history covers, today included.
const DAYS: u32 = 30;

/// Returns the service time at which the host starts. It lies in the past if a history has to be generated or
/// completed.
pub(crate) fn start_time(
    saved: Option<Timestamp>,
    has_demo: bool,
    needs_history: bool,
    real: Timestamp,
) -> Timestamp {
    match saved {
        Some(saved) if needs_history && has_demo => saved,
        // The history begins before the data of an earlier run without a demo and ends with it.
        saved if needs_history => first_check(resume(saved, real)),
        saved => resume(saved, real),
    }
}

/// Returns the time of the first check of a history that ends at `end`. The last check is on the day of `end`
/// and earlier.
fn first_check(end: Timestamp) -> Timestamp {
    let since_midnight = end.duration_since(end.day().start());
    end - (DAYS - 1) * DAY - (since_midnight / 2).min(5 * MINUTE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::from_iso(text).unwrap()
    }

    #[test]
    fn a_history_ends_when_service_time_does_even_if_that_is_on_a_later_day_than_real_time() {
        let real = at("2026-03-31T23:50:00Z");
        let before = at("2026-03-31T09:00:00Z");
        let ahead = at("2026-04-01T01:30:00Z");
        let cases = [
            (None, "2026-03-02T23:45:00Z"),
            (Some(before), "2026-03-02T23:45:00Z"),
            (Some(ahead), "2026-03-03T01:25:00Z"),
        ];
        for (saved, first) in cases {
            assert_eq!(start_time(saved, false, true, real), at(first), "{saved:?}");
        }
    }

    #[test]
    fn the_last_check_of_a_history_is_on_the_day_of_its_end() {
        for end in [
            "2026-04-01T00:00:00Z",
            "2026-04-01T00:00:01Z",
            "2026-04-01T23:59:59Z",
        ] {
            let end = at(end);
            let last = first_check(end) + (DAYS - 1) * DAY;
            assert!(last <= end && last.day() == end.day(), "{end:?} {last:?}");
        }
    }

    #[test]
    fn a_history_continues_where_it_stopped_and_a_host_without_one_starts_at_the_later_time() {
        let (earlier, later) = (at("2026-03-10T12:00:00Z"), at("2026-03-31T12:00:00Z"));
        assert_eq!(start_time(Some(earlier), true, true, later), earlier);
        assert_eq!(start_time(Some(earlier), true, false, later), later);
        assert_eq!(start_time(Some(later), true, false, earlier), later);
        assert_eq!(start_time(None, false, false, earlier), earlier);
    }
}
