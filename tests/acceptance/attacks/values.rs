//! JSON values where another one is wanted, and what is no JSON, in every field.

use serde_json::{Value, json};

use super::{Attack, Ended, Expected, Payload, expected};
use crate::contract::Sent;
use crate::contract::inputs::{Mode, Takes, shown};
use crate::contract::reads::MODES;

/// Not JSON, or a number that no double holds.
const BROKEN: &[&str] = &[
    "1e400",
    "-1e400",
    "1e999999999999999999999",
    "NaN",
    "Infinity",
    "undefined",
    "'x'",
    "0x10",
    "+1",
    "01",
    ".5",
    "1.",
    "1e",
    "tru",
    "nullx",
    "\"",
    "\"\\x\"",
    "\"\\ud800\"",
    "\"\\udc00\\ud800\"",
    "\"\\u12\"",
    "\"\t\"",
    "\"a\nb\"",
    "\"a\0b\"",
    "[",
    "{",
    "[1,]",
    "{\"a\":1,}",
    "{a:1}",
    "[1 2]",
    "// x",
    "{\"a\":1,\"a\":1}",
    "{\"a\":1,\"\\u0061\":2}",
    "[[{\"\":1,\"\":1}]]",
];

/// Numbers, flags, arrays and objects.
const VALUES: &[&str] = &[
    "0",
    "-0",
    "-0.0",
    "1",
    "12",
    "12.0",
    "1.2e1",
    "1.5",
    "-1",
    "720",
    "721",
    "1e-5",
    "1e-400",
    "1e308",
    "4294967297",
    "9007199254740993",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "true",
    "false",
    "[]",
    "{}",
    "[[]]",
    "[{}]",
    "[null]",
    "[true]",
    "[[[[[[[[]]]]]]]]",
    "{\"$ref\":\"#\"}",
    "{\"__proto__\":{\"a\":1}}",
    "{\"\":\"\"}",
    "{\"S\":\"x\"}",
];

/// A body with this text in place of a value.
pub(super) fn raw(good: &Sent, place: &str, text: &str) -> Vec<u8> {
    const MARK: &str = "here";
    let body = good.at(place, &json!(MARK)).body.unwrap().to_string();
    let quoted = format!("\"{MARK}\"");
    assert_eq!(body.matches(&quoted).count(), 1, "{place}");
    body.replace(&quoted, text).into_bytes()
}

fn of_value(mode: &Mode, place: &str, takes: Takes, value: &Value) -> Expected {
    let is = |taken: bool| {
        if taken {
            Expected::Taken
        } else {
            Expected::Refused(shown(place))
        }
    };
    match (takes, value) {
        (_, Value::String(text)) => expected(mode, place, takes, text),
        (Takes::Flag, Value::Bool(_)) => Expected::Taken,
        // A whole number is written as one.
        (Takes::Whole(least, most), Value::Number(n)) => {
            is(n.as_u64().is_some_and(|n| (least..=most).contains(&n)))
        }
        (Takes::List(least, _), Value::Array(items)) => is(items.is_empty() && least == 0),
        _ => is(false),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_value_is_taken_or_refused_by_name_in_every_field_and_broken_json_as_the_body() {
    let ended = Ended::new().await;
    let (mut attacks, mut places) = (Vec::new(), 0);
    let digits = "9".repeat(10_000);
    for mode in MODES.iter().filter(|mode| mode.endpoint().takes_body()) {
        let good = mode.good(&ended.fixture);
        for (place, takes) in mode.inputs {
            places += 1;
            let broken = BROKEN.iter().copied().chain([digits.as_str()]);
            let broken = broken.map(|text| (text, Expected::Refused("body".to_owned())));
            let values = VALUES
                .iter()
                .copied()
                .chain(["\"\\u0000\"", "\"\\ud83d\\ude00\""])
                .map(|text| {
                    let value = serde_json::from_str(text).unwrap();
                    (text, of_value(mode, place, *takes, &value))
                });
            attacks.extend(broken.chain(values).map(|(text, expected)| Attack {
                mode,
                sent: Payload::Bytes(raw(&good, place, text)),
                expected,
                shown: format!("{place} {text}"),
            }));
        }
    }
    let made = ended.make_all(attacks, 8).await;
    println!("values: {places} fields, {made} attacks");
    assert!(places >= 82 && made >= 5_500, "{places} fields, {made} attacks");
}
