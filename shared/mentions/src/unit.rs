//! Units, symbols, titles and codes, which are no proof of a brand although they have capitals.

use crate::script::has_case;

/// Units, symbols and abbreviations, in small letters.
const UNITS: [&str; 101] = [
    "am", "ag", "ah", "au", "bb", "bp", "cal", "cat", "cc", "ch", "ci", "cl", "cm", "cv", "db", "dl", "dm",
    "dn", "dr", "ea", "ee", "ev", "eu", "ft", "gb", "gl", "gp", "gr", "ha", "hd", "hm", "hp", "hz", "ing",
    "ip", "it", "kb", "kg", "kj", "km", "kn", "kw", "kwh", "lb", "lg", "lm", "lv", "lx", "mah", "max", "mb",
    "mbar", "mg", "min", "mio", "ml", "mm", "mo", "mol", "mp", "mph", "mt", "mw", "nm", "nr", "ns", "ok",
    "op", "oz", "pc", "ph", "pk", "pm", "po", "ps", "pt", "px", "qm", "rpm", "sec", "sl", "sm", "st", "tb",
    "tl", "tv", "uv", "va", "vs", "wh", "xl", "xs", "xxl", "xp", "yd", "кг", "км", "л.с.", "мг", "мл", "см",
];

/// The length of the longest of them, and of a number with one, in bytes.
const LONGEST_UNIT: usize = 6;
const MAX_MEASURE_BYTES: usize = 16;

/// Units that are names or words elsewhere, in small letters.
const COUNTED_UNITS: &str = "hertz tesla celsius kelvin fahrenheit volt watt newton pascal joule ampere ohm dollar \
                             dollars euro real reais mark pfund bar ons metro stone герц тесла вольт ватт \
                             テスラ ヘルツ ボルト";

/// Returns whether a word after a number is a unit: `60 Hertz`.
pub(crate) fn is_counted_unit(word: &str, before: &str) -> bool {
    let before = before.trim_end_matches([' ', '-', '\u{a0}']);
    let lower = word.to_lowercase();
    before.ends_with(|c: char| c.is_ascii_digit()) && COUNTED_UNITS.split(' ').any(|unit| unit == lower)
}

/// What a number counts that stands before it: the beginnings of the word for degrees.
const DEGREES: [&str; 16] = [
    "°",
    "degree",
    "deg ",
    "grad",
    "graus",
    "grados",
    "gradi",
    "graden",
    "stopni",
    "градус",
    "derece",
    "度",
    "degré",
    "%",
    "градусів",
    "astetta",
];

/// Returns whether a number before `rest` counts degrees or percents.
pub(crate) fn is_counted(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', '-', '\u{a0}']).to_lowercase();
    DEGREES.iter().any(|unit| rest.starts_with(unit))
}

/// Returns whether a word, or the name that consists of it, is a unit, a symbol, a measure, a code of a
/// letter and a digit, a number or a single letter: the axis in `If X is larger`. The case does not matter.
pub(crate) fn is_unit(word: &str) -> bool {
    if word.len() > MAX_MEASURE_BYTES {
        return false;
    }
    let lower = word.to_lowercase();
    let is_listed = |text: &str| text.len() <= LONGEST_UNIT && UNITS.contains(&text);
    let is_digit = |c: char| c.is_ascii_digit();
    // `3m` is a measure, `o2` a code.
    let measured = lower.trim_start_matches(is_digit);
    let is_measure = measured.len() < lower.len() && (is_listed(measured) || measured == "m");
    let is_code = lower.len() == 2 && lower.starts_with(char::is_alphabetic) && lower.ends_with(is_digit);
    let is_number = measured.is_empty();
    let is_letter = lower.chars().count() == 1 && has_case(&lower);
    is_listed(&lower) || is_measure || is_code || is_number || is_letter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_after_a_number_may_be_its_unit() {
        assert!(is_counted_unit("Hertz", "at 60 "));
        assert!(is_counted_unit("Tesla", "3-"));
        for (word, before) in [("Hertz", "rent from "), ("Avis", "60 "), ("Hertz", "")] {
            assert!(!is_counted_unit(word, before), "{word} after {before}");
        }
        assert!(is_counted("°"));
        assert!(is_counted(" degrees"));
        assert!(!is_counted(" stores"));
    }

    #[test]
    fn units_and_codes_are_recognized() {
        for unit in ["HP", "mg", "O2", "3M", "6pm", "A1", "X", "360"] {
            assert!(is_unit(unit), "{unit}");
        }
        for name in ["IBM", "SAP", "H&M", "1&1", "A101", "N11", "1C", "ITV", "楽"] {
            assert!(!is_unit(name), "{name}");
        }
    }
}
