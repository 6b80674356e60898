use super::*;
use crate::time::{HOUR, MILLISECOND, SECOND};

const NOON: Timestamp = Timestamp::from_millis(1_773_144_000_000);
const SILENT: Throttle = Throttle {
    retry_after: None,
    requests_per_minute: None,
};

fn after(seconds: u64) -> Throttle {
    Throttle {
        retry_after: Some(Duration::from_secs(seconds)),
        ..SILENT
    }
}

fn limited(requests_per_minute: u32) -> Throttle {
    Throttle {
        requests_per_minute: Some(requests_per_minute),
        ..SILENT
    }
}

/// Returns a record whose limit is 60 requests per minute and whose hold ends at `NOON`.
fn sixty() -> ProviderRate {
    let first = ProviderRate::first(limited(60), NOON - PROVIDER_HOLD);
    assert_eq!((first.limit, first.held_until), (Some(60.0), NOON));
    first
}

/// Reserves as many starts as there are until `latest`.
fn reserve_all(rate: &mut ProviderRate, latest: Timestamp, now: Timestamp) -> Vec<Timestamp> {
    std::iter::from_fn(|| match rate.reserve(latest, now) {
        Reservation::Reserved(start, next) => {
            *rate = next;
            Some(start)
        }
        _ => None,
    })
    .collect()
}

#[test]
fn a_first_throttled_request_starts_at_a_low_rate_or_just_below_the_limit_that_the_provider_says() {
    let rate_of = |throttle| ProviderRate::first(throttle, NOON).per_minute(NOON).unwrap();
    assert!((rate_of(SILENT) - FIRST_PROVIDER_RATE).abs() < 1e-9);
    assert!((rate_of(limited(60)) - 54.0).abs() < 1e-9);
    assert_eq!(ProviderRate::first(limited(0), NOON).limit, None);
}

#[test]
fn the_hint_when_to_retry_holds_every_request_back_within_bounds() {
    for (throttle, hold) in [
        (SILENT, PROVIDER_HOLD),
        (after(0), MIN_PROVIDER_HOLD),
        (after(17), 17 * SECOND),
        (after(3_600), MAX_PROVIDER_HOLD),
    ] {
        let rate = ProviderRate::first(throttle, NOON);
        assert_eq!((rate.held_until, rate.next_start), (NOON + hold, NOON + hold));
        assert_eq!(
            rate.reserve(NOON + hold - MILLISECOND, NOON),
            Reservation::Full(NOON + hold)
        );
        assert_eq!(
            sixty().throttled(throttle, true, NOON + HOUR).held_until,
            NOON + HOUR + hold
        );
    }
}

#[test]
fn requests_under_way_at_a_reduction_do_not_reduce_the_rate_again() {
    let rate = sixty();
    let again = rate.throttled(SILENT, false, NOON - SECOND);
    assert_eq!(again, rate);
    let longer = rate.throttled(after(30), false, NOON - SECOND);
    assert_eq!(longer.held_until, NOON + 29 * SECOND);
    assert_eq!((longer.reduced_to, longer.limit), (rate.reduced_to, rate.limit));
}

#[test]
fn starts_are_reserved_at_the_rate_in_force_and_not_beyond_the_latest() {
    let mut rate = sixty();
    let starts = reserve_all(&mut rate, NOON + 10 * SECOND, NOON);
    assert!((9..=10).contains(&starts.len()), "{starts:?}");
    assert_eq!(starts[0], NOON);
    assert!(starts.is_sorted() && starts.iter().all(|start| *start <= NOON + 10 * SECOND));
    assert_eq!(
        rate.reserve(NOON + 10 * SECOND, NOON),
        Reservation::Full(rate.next_start)
    );
}

#[test]
fn the_rate_returns_to_the_limit_stays_near_it_and_then_grows_with_what_is_asked() {
    let mut rate = sixty();
    let at = |rate: &ProviderRate, seconds| rate.per_minute(NOON + Duration::from_secs(seconds)).unwrap();
    assert!((54.0..54.1).contains(&at(&rate, 0)));
    assert!((59.0..60.0).contains(&at(&rate, 30)));
    assert!((60.0..61.0).contains(&at(&rate, 60)));
    assert!((60.0..60.1).contains(&at(&rate, 300)), "nothing is asked");
    let mut now = NOON;
    for _ in 0..180 {
        reserve_all(&mut rate, now + 20 * SECOND, now);
        now = now + SECOND;
    }
    assert!(at(&rate, 180) > 1_200.0, "{rate:?}");
}

#[test]
fn without_a_throttled_request_the_limit_ends_and_is_still_remembered() {
    let rate = sixty();
    let end = NOON + RATE_RECOVERY;
    assert!(rate.per_minute(end - MILLISECOND).is_some());
    assert_eq!(rate.reserve(end, end), Reservation::Unlimited);
    let next = rate.throttled(SILENT, false, end);
    assert_eq!((next.limit, next.reduced_to), (Some(60.0), 54.0));
}

#[test]
fn a_throttled_request_soon_after_a_hold_lowers_the_rate_further_but_keeps_most_of_the_limit() {
    let mut rate = sixty();
    let mut now = NOON;
    for _ in 0..6 {
        rate = rate.throttled(SILENT, true, now);
        assert_eq!(rate.held_until, now + 2 * PROVIDER_HOLD);
        now = rate.held_until;
    }
    let (limit, slowest) = (rate.limit.unwrap(), rate.per_minute(now).unwrap());
    assert!(
        limit > 40.0 && slowest < 20.0 && slowest > 10.0,
        "{limit} {slowest}"
    );
}

#[test]
fn the_limit_is_never_above_what_the_provider_says() {
    let mut rate = sixty();
    let now = NOON + MINUTE;
    reserve_all(&mut rate, now, now);
    assert_eq!(rate.throttled(limited(20), true, now).limit, Some(20.0));
    assert!(rate.throttled(limited(1_000), true, now).limit.unwrap() <= 60.0);
}

#[test]
fn the_limit_does_not_collapse_because_little_was_asked() {
    let rate = sixty().throttled(SILENT, true, NOON + MINUTE);
    assert!(rate.limit.unwrap() > 29.0, "{rate:?}");
}

#[test]
fn a_stored_record_without_a_limit_can_be_read() {
    let rate = ProviderRate::first(SILENT, NOON);
    let stored = serde_json::to_value(&rate).unwrap();
    assert_eq!(stored.get("limit"), None);
    assert_eq!(serde_json::from_value::<ProviderRate>(stored).unwrap(), rate);
}
