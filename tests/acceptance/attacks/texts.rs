//! Difficult texts in every parameter and field.

use std::ops::RangeInclusive;

use serde_json::json;

use super::{Attack, CanceledWorkspace, Payload, expected};
use crate::contract::inputs::InputKind;
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

/// Texts with a special meaning in some system.
pub(super) const TEXTS: &[&str] = &[
    // Direction, invisible characters, characters of several code points, what folds to more than it is.
    "\u{202e}gnp.exe",
    "\u{2066}a\u{2069}",
    "\u{feff}a",
    "a\u{200b}b",
    "e\u{301}\u{301}\u{301}",
    "👩‍👩‍👧‍👦",
    "🇦🇹",
    "ﷺ",
    "ǅ İ ß ΐ",
    // Boundary cases of Unicode.
    "\u{fffe}",
    "\u{ffff}",
    "\u{10ffff}",
    "\u{e000}",
    "\u{e0041}",
    "\u{fffd}",
    "a\u{2028}b",
    "\u{d7ff}",
    // Markup, templates, queries, formats, headers, paths.
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "</script>",
    "&lt;",
    "{{7*7}}",
    "${jndi:ldap://x}",
    "' OR 1=1 --",
    "%s%n%x",
    "%00",
    "%ED%A0%80",
    "%2e%2e%2f",
    "../../etc/passwd",
    "C:\\nul",
    "\\",
    "\"",
    "`id`",
    "{\"a\":1}",
    "[]",
    "*",
    "=1+1",
    "@SUM(A1)",
    // Names with a special meaning in programming languages.
    "__proto__",
    "constructor",
    "toString",
    "null",
    "undefined",
    "true",
    "NaN",
    "Infinity",
    // Parts of the table's keys.
    "#",
    "W#1",
    "KEY#x",
    "BOARD#A#1",
    "W#0000000000000000#E#0000000000000000",
    "PKSK",
    ":one",
    "#name",
    // Well-formed ids, and nearly well-formed ones.
    "0000000000000000",
    "0000000000000000-p1",
    "0000000000000000-a1",
    "0000000000000000-t1",
    "0000000000000000-r1-1-1-1",
    "0000000000000000-p",
    "0000000000000000-p01",
    "0000000000000000-pzzzzzzz",
    "-p1",
    "00000000000000000",
    "00000000-0000-0000-0000-000000000000",
    "{00000000-0000-0000-0000-000000000000}",
    "000000000000000é",
    // Lists and numbers.
    ",",
    ",,",
    "a,b",
    " , ",
    "-0",
    "+5",
    " 5",
    "0x10",
    "1e9",
    "5.0",
    "９",
    "18446744073709551616",
];

/// Returns texts that are longer than a key of the table can be.
fn long() -> Vec<String> {
    ["x", "W#", "𝒂", "e\u{301}", "%00", "\u{200b}"]
        .map(|text| text.repeat(2_400 / text.len() + 1))
        .to_vec()
}

/// Returns a text for every control character.
fn controls() -> Vec<String> {
    let all = ('\0'..='\u{1f}').chain('\u{7f}'..='\u{9f}');
    all.map(|control| format!("a{control}b")).collect()
}

/// As long as is allowed, and longer: in characters of one to four bytes, of two code points, with spaces
/// around.
fn lengths(most: usize) -> Vec<String> {
    let mut texts = Vec::new();
    for character in ["a", "é", "字", "𝒂"] {
        texts.extend([most - 1, most, most + 1].map(|length| character.repeat(length)));
    }
    texts.extend([most / 2, most / 2 + 1].map(|length| "e\u{301}".repeat(length)));
    texts.extend([most, most + 1].map(|length| format!(" \u{3000}{}\n", "a".repeat(length))));
    texts
}

fn most(kind: InputKind) -> Option<usize> {
    match kind {
        InputKind::Name(most) | InputKind::Text(most) | InputKind::Note(most) => Some(most),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_text_is_taken_or_refused_by_name_in_every_parameter_and_field() {
    let canceled = CanceledWorkspace::new().await;
    let (mut attacks, mut locations) = (Vec::new(), 0);
    let common: Vec<String> = TEXTS
        .iter()
        .chain(&INVISIBLE)
        .map(|text| (*text).to_owned())
        .chain(long())
        .collect();
    for variant in REQUEST_VARIANTS.iter() {
        let good = variant.good(&canceled.fixture);
        for (location, kind) in &variant.inputs {
            locations += 1;
            let mut texts = common.clone();
            match most(*kind) {
                Some(most) => texts.extend(controls().into_iter().chain(lengths(most))),
                None => {
                    // What is no free text gets every fourth one, each place others.
                    texts = texts.into_iter().skip(locations % 4).step_by(4).collect();
                    texts.extend(["\0", "a\0b", "a\r\nX-Injected: 1", "\u{85}"].map(str::to_owned));
                }
            }
            attacks.extend(texts.into_iter().map(|text| Attack {
                variant,
                sent: Payload::Input(good.at(location, &json!(text))),
                expected: expected(variant, location, *kind, &text),
                shown: format!("{location} {text}"),
            }));
        }
    }
    let made = canceled.run_all(attacks, 8).await;
    println!("texts: {locations} places, {made} attacks");
    assert!(
        locations >= 171 && made >= 6_700,
        "{locations} places, {made} attacks"
    );
}
