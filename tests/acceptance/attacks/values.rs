//! The table of values: every place that takes one, with values of every type, and with difficult texts.

use std::ops::RangeInclusive;

use serde_json::{Value, json};

use super::{Attack, CanceledWorkspace, Expected, Payload, expected};
use crate::contract::RequestInput;
use crate::contract::inputs::{InputKind, RequestVariant, shown};
use crate::contract::request_variants::REQUEST_VARIANTS;

/// Whether a text has so many characters once it is trimmed and no control characters, but for line breaks
/// and tabs where they are allowed. A text without them is a name, and has no characters that control the
/// direction.
pub(super) fn is_text(text: &str, length: RangeInclusive<usize>, lines: bool) -> bool {
    let text = text.trim();
    let is_control = |c: char| matches!(c, '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}');
    let is_allowed = |c: char| lines && matches!(c, '\t' | '\n' | '\r');
    let turns = |c: char| {
        "\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}"
            .contains(c)
    };
    let is_valid = |c: char| (!is_control(c) || is_allowed(c)) && (lines || !turns(c));
    length.contains(&text.chars().count()) && text.chars().all(is_valid)
}

/// Texts without a visible character.
pub(super) const INVISIBLE: [&str; 4] = ["\u{200b}", "\u{ad}", "\u{200e}\u{200f}", "\u{feff}\u{2060}"];

/// Texts with a special meaning in some system, between bars: direction, invisible characters, characters of
/// several code points, and what folds to more than it is; the ends of Unicode; markup, templates, queries,
/// formats and paths; words of programming languages; parts of the table's keys; ids; lists and numbers.
const TEXTS: &str = "\u{202e}gnp.exe|\u{2066}a\u{2069}|\u{feff}a|a\u{200b}b|e\u{301}\u{301}\u{301}|👩‍👩‍👧‍👦|ǅ İ ß ΐ|\
    \u{ffff}|\u{10ffff}|\u{e0041}|\u{fffd}|a\u{2028}b|\u{d7ff}|\
    <script>alert(1)</script>|\"><img src=x onerror=alert(1)>|&lt;|{{7*7}}|${jndi:ldap://x}|' OR 1=1 --|%s%n%x|%00|\
    %ED%A0%80|../../etc/passwd|C:\\nul|\\|\"|{\"a\":1}|*|=1+1|@SUM(A1)|\
    __proto__|constructor|null|true|NaN|#|W#1|KEY#x|W#0000000000000000#E#0000000000000000|:one|#name|\
    0000000000000000|0000000000000000-p1|0000000000000000-a1|0000000000000000-t1|0000000000000000-r1-1-1-1|\
    0000000000000000-p01|-p1|00000000-0000-0000-0000-000000000000|{00000000-0000-0000-0000-000000000000}|\
    000000000000000é|,|,,|a,b| , |-0|+5| 5|0x10|1e9|5.0|９|18446744073709551616";

/// Numbers that are none, and the ends of their ranges.
const NUMBERS: &str = "0|1|2|19|20|21|99|100|101|007|-0|-1|+5| 5|5 |5\0|0x10|1e1|1.0|.5|1,000|1_000|٥|²|Ⅷ|Infinity|null|\
    4294967296|9007199254740891|9007199254740991|9007199254740992|18446744073709551616|[1]|1&limit=2|%31";

/// Days and instants within January 2026.
const DAYS: &str = "2026-01-15|2026-01-15T23:59:59.999Z|2026-01-15T00:00:00+14:00|2026-01-15T12:00:00-12:00|\
    2026-01-15T23:59:60Z|2026-01-15T12:00:00.123456789Z";

/// What is no day, or far away from every range.
const NO_DAYS: &str = "1970-01-01|1969-12-31|0000-00-00|9999-12-31T23:59:59Z|10000-01-01|+262144-01-01T00:00:00Z|\
    -262145-01-01T00:00:00Z|-2026-01-15|2026-02-30|2026-02-29|2026-13-01|2026-01-00|2026-1-15|26-01-15|2026-015|\
    2026-W03-4|2026/01/15|15.01.2026|2026-01-15T24:00:01Z|2026-01-15T23:59:61Z|2026-01-15T00:00:00+26:00|\
    2026-01-15T12:00:00|2026-01-15 | 2026-01-15|2026-01-15\0|２０２６-01-15|2026‐01‐15|1768435200000|today|now()";

/// JSON of every type, and numbers that few readers read alike.
const VALUES: &str = "0|-0|1|12.0|1.2e1|1.5|-1|720|721|1e-400|1e308|4294967297|9007199254740993|18446744073709551616|\
    true|[]|{}|[[]]|[{}]|[null]|[[[[[[[[]]]]]]]]|{\"__proto__\":{\"a\":1}}|{\"S\":\"x\"}|\"\\u0000\"|\"\\ud83d\\ude00\"";

/// What is no JSON, or no value that a body has: it has a key twice, or a number that a double cannot hold.
const BROKEN: &str = "1e400|-1e999999999999999999999|NaN|undefined|'x'|0x10|+1|01|.5|1.|1e|tru|nullx|\"|\"\\x\"|\"\\ud800\"|\
    \"\\udc00\\ud800\"|\"\\u12\"|\"\t\"|\"a\nb\"|\"a\0b\"|[|{|[1,]|{\"a\":1,}|{a:1}|[1 2]|// x|\
    {\"a\":1,\"a\":1}|{\"a\":1,\"\\u0061\":2}|[[{\"\":1,\"\":1}]]";

/// Returns the texts with a special meaning.
pub(super) fn special() -> impl Iterator<Item = &'static str> {
    TEXTS.split('|')
}

/// Returns texts that are longer than a key of the table can be.
fn long() -> [String; 4] {
    ["x", "W#", "𝒂", "e\u{301}"].map(|text| text.repeat(2_400 / text.len() + 1))
}

/// Returns a text for every control character.
fn controls() -> impl Iterator<Item = String> {
    let all = ('\0'..='\u{1f}').chain('\u{7f}'..='\u{9f}');
    all.map(|control| format!("a{control}b"))
}

/// As long as is allowed, and longer: in characters of one to four bytes, of two code points, with spaces
/// around.
fn lengths(most: usize) -> Vec<String> {
    let mut texts = Vec::new();
    for character in ["a", "é", "字", "𝒂"] {
        texts.extend([most, most + 1].map(|length| character.repeat(length)));
    }
    texts.extend([most / 2, most / 2 + 1].map(|length| "e\u{301}".repeat(length)));
    texts.extend([most, most + 1].map(|length| format!(" \u{3000}{}\n", "a".repeat(length))));
    texts
}

/// What a range's end is answered with, where the other end is in January 2026.
fn expected_for_day(location: &str, text: &str) -> Expected {
    // A range has at most 366 days.
    let is_far = match location {
        "startDate" => text == "2025-01-31",
        _ => text == "2027-01-01",
    };
    if is_far || DAYS.split('|').any(|day| day == text) {
        Expected::Accepted
    } else {
        Expected::InvalidOrRange(location.to_owned())
    }
}

/// Returns the last values that are taken at either end, and the first ones beyond.
fn ends(kind: InputKind) -> Vec<String> {
    match kind {
        InputKind::Day => ["2025-01-30", "2025-01-31", "2027-01-01", "2027-01-02"]
            .map(str::to_owned)
            .to_vec(),
        InputKind::Whole(least, most, _) => {
            let ends = [least.checked_sub(1), Some(least), Some(most), most.checked_add(1)];
            ends.into_iter().flatten().map(|end| end.to_string()).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the texts for a place, with what each is answered with.
fn texts(variant: &RequestVariant, location: &str, kind: InputKind, nth: usize) -> Vec<(String, Expected)> {
    let common = special().chain(INVISIBLE).map(str::to_owned).chain(long());
    let texts: Vec<String> = match kind {
        InputKind::Name(most) | InputKind::Text(most) | InputKind::Note(most) => common
            .chain(controls().skip(nth % 4).step_by(4))
            .chain(lengths(most))
            .collect(),
        // What is no free text gets every fourth one, each place others.
        _ => {
            let more = ["\0", "a\0b", "a\r\nX-Injected: 1", "\u{85}"].map(str::to_owned);
            common.skip(nth % 4).step_by(4).chain(more).collect()
        }
    };
    let more = match kind {
        InputKind::Day => format!("{DAYS}|{NO_DAYS}"),
        InputKind::Whole(..) => NUMBERS.to_owned(),
        _ => String::new(),
    };
    let more = more.split('|').filter(|text| !text.is_empty());
    let more = more.skip(nth % 4).step_by(4).map(str::to_owned);
    let answered = |text: String| {
        let expected = match kind {
            InputKind::Day => expected_for_day(location, &text),
            kind => expected(variant, location, kind, &text),
        };
        (text, expected)
    };
    texts
        .into_iter()
        .chain(more)
        .chain(ends(kind))
        .map(answered)
        .collect()
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

/// Returns the body with the raw `text` in place of a value.
fn raw(good: &RequestInput, location: &str, text: &str) -> Vec<u8> {
    const MARK: &str = "here";
    let body = good.at(location, &json!(MARK)).body.unwrap().to_string();
    let quoted = format!("\"{MARK}\"");
    assert_eq!(body.matches(&quoted).count(), 1, "{location}");
    body.replace(&quoted, text).into_bytes()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_value_is_taken_or_refused_by_name_in_every_parameter_and_field() {
    let canceled = CanceledWorkspace::new().await;
    let (mut attacks, mut places) = (Vec::new(), 0);
    for variant in REQUEST_VARIANTS.iter() {
        let good = variant.good(&canceled.fixture);
        for (location, kind) in &variant.inputs {
            places += 1;
            let attack = |text: &str, sent, expected| Attack {
                variant,
                sent,
                expected,
                shown: format!("{location} {text}"),
            };
            for (text, expected) in texts(variant, location, *kind, places) {
                let sent = Payload::Input(good.at(location, &json!(text)));
                attacks.push(attack(&text, sent, expected));
            }
            if !variant.endpoint().takes_body() {
                continue;
            }
            let numbers = ends(*kind).into_iter().filter(|end| end.parse::<u64>().is_ok());
            let values = VALUES.split('|').skip(places % 2).step_by(2).map(str::to_owned);
            for text in values.chain(numbers) {
                let value = serde_json::from_str(&text).unwrap();
                let expected = expected_for_value(variant, location, *kind, &value);
                attacks.push(attack(
                    &text,
                    Payload::Bytes(raw(&good, location, &text)),
                    expected,
                ));
            }
            // What is no JSON is no body, wherever it stands: each place has another.
            let broken = BROKEN.split('|').skip(places % 8).step_by(8);
            attacks.extend(broken.map(|text| {
                let refused = Expected::Rejected("body".to_owned());
                attack(text, Payload::Bytes(raw(&good, location, text)), refused)
            }));
        }
    }
    let made = canceled.run_all(attacks, 8).await;
    println!("values: {places} places, {made} attacks");
    assert!(places >= 171 && made >= 5_000, "{places} places, {made} attacks");
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
        for offset in [1_u64 << 31, (1 << 53) - 100, (1 << 53) - 1] {
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
