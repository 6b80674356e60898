//! JSON values of the wrong type and invalid JSON in every field.

use serde_json::{Value, json};

use super::{Attack, CanceledWorkspace, Expected, Payload, expected};
use crate::contract::RequestInput;
use crate::contract::inputs::{InputKind, RequestVariant, shown};
use crate::contract::request_variants::REQUEST_VARIANTS;

/// Invalid JSON, and numbers that a double cannot hold.
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

/// Returns the body with the raw `text` in place of a value.
pub(super) fn raw(good: &RequestInput, location: &str, text: &str) -> Vec<u8> {
    const MARK: &str = "here";
    let body = good.at(location, &json!(MARK)).body.unwrap().to_string();
    let quoted = format!("\"{MARK}\"");
    assert_eq!(body.matches(&quoted).count(), 1, "{location}");
    body.replace(&quoted, text).into_bytes()
}

fn expected_for_value(variant: &RequestVariant, location: &str, kind: InputKind, value: &Value) -> Expected {
    let is = |taken: bool| {
        if taken {
            Expected::Accepted
        } else {
            Expected::Rejected(shown(location))
        }
    };
    match (kind, value) {
        (_, Value::String(text)) => expected(variant, location, kind, text),
        (InputKind::Flag, Value::Bool(_)) => Expected::Accepted,
        // A whole number may be written with a fraction of 0 or with an exponent.
        (InputKind::Whole(least, most, _), Value::Number(n)) => {
            let n = n.as_f64().unwrap();
            is(n.fract() == 0.0 && (least..=most).any(|whole| whole as f64 == n))
        }
        (InputKind::List(list), Value::Array(items)) => is(items.is_empty() && list.least == 0),
        _ => is(false),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_value_is_taken_or_refused_by_name_in_every_field_and_broken_json_as_the_body() {
    let canceled = CanceledWorkspace::new().await;
    let (mut attacks, mut locations) = (Vec::new(), 0);
    let digits = "9".repeat(10_000);
    for variant in REQUEST_VARIANTS
        .iter()
        .filter(|variant| variant.endpoint().takes_body())
    {
        let good = variant.good(&canceled.fixture);
        for (location, kind) in &variant.inputs {
            locations += 1;
            let broken = BROKEN.iter().copied().chain([digits.as_str()]);
            let broken = broken.map(|text| (text, Expected::Rejected("body".to_owned())));
            let values = VALUES
                .iter()
                .copied()
                .chain(["\"\\u0000\"", "\"\\ud83d\\ude00\""])
                .map(|text| {
                    let value = serde_json::from_str(text).unwrap();
                    (text, expected_for_value(variant, location, *kind, &value))
                });
            attacks.extend(broken.chain(values).map(|(text, expected)| Attack {
                variant,
                sent: Payload::Bytes(raw(&good, location, text)),
                expected,
                shown: format!("{location} {text}"),
            }));
        }
    }
    let made = canceled.run_all(attacks, 8).await;
    println!("values: {locations} fields, {made} attacks");
    assert!(
        locations >= 82 && made >= 5_500,
        "{locations} fields, {made} attacks"
    );
}
