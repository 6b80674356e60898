//! Hostile days and numbers in every parameter that takes one.

use serde_json::json;

use super::{Attack, CanceledWorkspace, Expected, Payload, expected};
use crate::contract::inputs::InputKind;
use crate::contract::request_variants::REQUEST_VARIANTS;

/// A text; whether it is taken as a start that ends on 2026-01-31, and as an end that started on 2026-01-01.
/// `None`: it may be or not.
type Case = (&'static str, Option<bool>, Option<bool>);

const fn neither(text: &'static str) -> Case {
    (text, Some(false), Some(false))
}

const fn both(text: &'static str) -> Case {
    (text, Some(true), Some(true))
}

const DAYS: &[Case] = &[
    both("2026-01-15"),
    both("2026-01-15T23:59:59.999Z"),
    both("2026-01-15T00:00:00+14:00"),
    both("2026-01-15T12:00:00-12:00"),
    // A leap second is read as the second before it.
    both("2026-01-15T23:59:60Z"),
    both("2026-01-15T12:00:00.123456789Z"),
    // A range has at most 366 days.
    ("2025-01-31", Some(true), Some(false)),
    ("2025-01-30", Some(false), Some(false)),
    ("2025-01-31T00:00:00+00:01", Some(false), Some(false)),
    ("2027-01-01", Some(false), Some(true)),
    ("2027-01-02", Some(false), Some(false)),
    neither("1970-01-01"),
    neither("1969-12-31"),
    neither("0000-01-01"),
    neither("0000-00-00"),
    neither("0001-01-01"),
    neither("9999-12-31"),
    neither("9999-12-31T23:59:59Z"),
    neither("10000-01-01"),
    neither("+262144-01-01"),
    neither("+262144-01-01T00:00:00Z"),
    neither("-262145-01-01T00:00:00Z"),
    neither("-002026-01-01T00:00:00Z"),
    neither("-2026-01-15"),
    neither("2026-02-30"),
    neither("2026-02-29"),
    neither("2026-00-10"),
    neither("2026-13-01"),
    neither("2026-01-00"),
    neither("2026-01-32"),
    neither("2026-1-15"),
    neither("26-01-15"),
    neither("2026-015"),
    neither("2026-W03-4"),
    neither("2026/01/15"),
    neither("15.01.2026"),
    neither("2026-01-15T24:00:01Z"),
    neither("2026-01-15T23:60:00Z"),
    neither("2026-01-15T23:59:61Z"),
    neither("2026-01-15T00:00:00+26:00"),
    neither("2026-01-15T00:00:00+00:60"),
    // A timestamp needs an offset.
    neither("2026-01-15T12:00:00"),
    neither("2026-01-15 "),
    neither(" 2026-01-15"),
    neither("2026-01-15\0"),
    neither("2026-01-15,2026-01-16"),
    neither("２０２６-01-15"),
    neither("2026‐01‐15"),
    neither("1768435200000"),
    neither("1e12"),
    neither("today"),
    neither("now()"),
    // Other ISO 8601 notations of an instant.
    ("20260115T120000Z", None, None),
    ("2026-01-15 12:00:00Z", None, None),
    ("2026-01-15t12:00:00z", None, None),
    ("+002026-01-15T12:00:00Z", None, None),
    ("2026-01-15T12:00:00Z[UTC]", None, None),
    ("2026-01-15T24:00:00Z", None, None),
];

/// Malformed numbers and boundary values.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "19",
    "20",
    "21",
    "99",
    "100",
    "101",
    "007",
    "00",
    "-0",
    "-1",
    "+5",
    " 5",
    "5 ",
    "5\0",
    "0x10",
    "0b1",
    "0o7",
    "1e1",
    "1e9",
    "1E1",
    "1.0",
    "1.",
    ".5",
    "1,000",
    "1_000",
    "1'000",
    "٥",
    "５",
    "²",
    "Ⅷ",
    "NaN",
    "Infinity",
    "null",
    "true",
    "4294967295",
    "4294967296",
    "9007199254740891",
    "9007199254740991",
    "9007199254740992",
    "9223372036854775707",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551515",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "[1]",
    "{}",
    "1&limit=2",
    "%31",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_day_and_number_is_read_exactly_or_refused_by_name() {
    let canceled = CanceledWorkspace::new().await;
    let mut attacks = Vec::new();
    // The gateway takes targets of 8 KB.
    let digits = "9".repeat(7_000);
    for variant in REQUEST_VARIANTS
        .iter()
        .filter(|variant| !variant.endpoint().takes_body())
    {
        let good = variant.good(&canceled.fixture);
        for (location, kind) in &variant.inputs {
            let cases: Vec<(&str, Expected)> = match kind {
                InputKind::Day => DAYS
                    .iter()
                    .map(|(text, start, end)| {
                        let taken = if *location == "startDate" { start } else { end };
                        let expected = match taken {
                            Some(true) => Expected::Accepted,
                            Some(false) => Expected::InvalidOrRange((*location).to_owned()),
                            None => Expected::AcceptedOrRejected((*location).to_owned()),
                        };
                        (*text, expected)
                    })
                    .collect(),
                // An end before the start is refused by the start's name.
                InputKind::BaseDay => DAYS
                    .iter()
                    .filter(|(text, ..)| *location == "baseStartDate" || *text != "1970-01-01")
                    .map(|(text, ..)| (*text, Expected::AcceptedOrRejected((*location).to_owned())))
                    .collect(),
                InputKind::Whole(..) => {
                    let texts = NUMBERS.iter().copied().chain([digits.as_str()]);
                    texts
                        .map(|text| (text, expected(variant, location, *kind, text)))
                        .collect()
                }
                _ => continue,
            };
            attacks.extend(cases.into_iter().map(|(text, expected)| Attack {
                variant,
                sent: Payload::Input(good.at(location, &json!(text))),
                expected,
                shown: format!("{location} {text}"),
            }));
        }
    }
    let made = canceled.run_all(attacks, 8).await;
    println!("days and numbers: {made} attacks");
    assert!(made >= 1_500, "{made}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_far_beyond_the_last_row_is_empty_and_says_where_it_is() {
    let canceled = CanceledWorkspace::new().await;
    let (world, account) = (&canceled.world, &canceled.fixture.account);
    for path in [
        "/query-fanouts",
        "/entities/citations",
        "/entities/competitors",
        "/responses",
    ] {
        for offset in [1_u64 << 31, 1 << 32, (1 << 53) - 100, (1 << 53) - 1] {
            let path = format!(
                "{path}?entityId={}&limit=100&offset={offset}",
                canceled.fixture.other
            );
            let page = world.get(account, &path).await.ok();
            assert_eq!(page["data"], json!([]), "{path}");
            assert_eq!(page["pagination"]["offset"], offset, "{path}");
            if page["pagination"].get("hasNextPage").is_some() {
                assert_eq!(page["pagination"]["hasNextPage"], false, "{path}");
                assert_eq!(page["pagination"]["currentPage"], offset / 100 + 1, "{path}");
            }
        }
    }
}
