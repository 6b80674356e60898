//! Prepares the spellings of brands for matching.

use std::collections::HashMap;

use crate::common_words::is_common;
use crate::fold::{Folded, GAP, ZERO_WIDTH_SPACED};
use crate::script::is_word;

/// The names of a brand that are searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrandNames {
    /// The workspace's ordinal for the brand.
    pub brand: u32,
    /// The brand's name. A name without a letter or digit is ignored.
    pub name: String,
    /// Other names of the brand. Aliases without a letter or digit are ignored.
    pub aliases: Vec<String>,
    /// The brand's full domain, such as `you.com`. The label alone (`you`) is not searched for.
    pub domain: Option<String>,
}

/// A spelling and the brands that have it.
pub(crate) struct Spelling {
    /// The ordinals of the brands.
    pub brands: Vec<u32>,
    /// The folded text without separators, which is searched for.
    pub text: String,
    /// How an occurrence of the text is verified.
    pub kind: SpellingKind,
}

/// How an occurrence of a spelling is verified.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum SpellingKind {
    /// The domain in lower case, which must occur literally in the text.
    Domain(String),
    /// The name, whose separators may vary.
    Name(Name),
}

/// The ways to write a name.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Name {
    /// The bytes of the spelling before which a separator may occur.
    pub word_breaks: Vec<usize>,
    /// The bytes at which a capital follows a small letter (`HubSpot`). A separator may occur there too.
    pub case_changes: Vec<usize>,
    /// Whether all words of the name are common.
    pub is_common: bool,
    /// Whether all words are common if the name is also split at its case changes (`PayPal`).
    pub is_common_when_split: bool,
    /// The number of letters and digits.
    pub letter_count: usize,
}

/// Returns the distinct spellings of `brands`.
pub(crate) fn spellings(brands: &[BrandNames]) -> Vec<Spelling> {
    let mut all: Vec<Spelling> = Vec::new();
    let mut known: HashMap<(String, SpellingKind), usize> = HashMap::new();
    for brand in brands {
        let names = std::iter::once(&brand.name).chain(&brand.aliases);
        let domains = brand.domain.iter().flat_map(|domain| domain_spellings(domain));
        for (text, kind) in names.filter_map(|name| name_spelling(name)).chain(domains) {
            let spelling = *known.entry((text.clone(), kind.clone())).or_insert_with(|| {
                all.push(Spelling {
                    brands: Vec::new(),
                    text,
                    kind,
                });
                all.len() - 1
            });
            all[spelling].brands.push(brand.brand);
        }
    }
    all
}

/// Returns the folded text of `name` and the ways to write it, or `None` if the name has no letter or digit.
fn name_spelling(name: &str) -> Option<(String, SpellingKind)> {
    let one_line = name.replace(char::is_control, " ");
    let source = one_line.trim();
    let folded = Folded::of(source);
    if !folded.text.chars().any(char::is_alphanumeric) {
        return None;
    }
    let (mut word_breaks, mut case_changes) = (Vec::new(), Vec::new());
    for (i, c) in folded.text.char_indices().skip(1) {
        let before = folded.char_before(i);
        if folded.flags_at(i) & (GAP | ZERO_WIDTH_SPACED) != 0 || c == '&' || before == Some('&') {
            word_breaks.push(i);
        } else if before.is_some_and(is_word) && is_case_change(source, &folded, i) {
            case_changes.push(i);
        }
    }
    // Without letters that have case (`1688`), a name cannot be told from a common word.
    let has_case = folded.text.contains(char::is_lowercase);
    let is_common = has_case && all_common(&folded.text, &word_breaks);
    let mut all_breaks = [word_breaks.as_slice(), &case_changes].concat();
    all_breaks.sort_unstable();
    let is_common_when_split = has_case && all_common(&folded.text, &all_breaks);
    let letter_count = folded.text.chars().filter(|&c| is_word(c)).count();
    let name = Name {
        word_breaks,
        case_changes,
        is_common,
        is_common_when_split,
        letter_count,
    };
    Some((folded.text, SpellingKind::Name(name)))
}

/// Returns whether a capital follows a small letter at byte `i`: `HubSpot`, `OpenAI`.
fn is_case_change(source: &str, folded: &Folded, i: usize) -> bool {
    let (before, after) = source.split_at(folded.source_offset(i));
    before.chars().next_back().is_some_and(char::is_lowercase)
        && after.chars().next().is_some_and(char::is_uppercase)
}

/// Returns whether all words of `text`, split at `word_breaks`, are common. Signs at the ends are ignored (`Which?`); signs
/// inside make it a name.
fn all_common(text: &str, word_breaks: &[usize]) -> bool {
    let is_sign = |c: char| !c.is_alphanumeric();
    let trimmed = text.trim_matches(is_sign);
    let first = text.len() - text.trim_start_matches(is_sign).len();
    let mut from = 0;
    for &at in word_breaks
        .iter()
        .filter(|&&at| at > first && at < first + trimmed.len())
    {
        if !trimmed.get(from..at - first).is_some_and(is_common) {
            return false;
        }
        from = at - first;
    }
    trimmed.get(from..).is_some_and(is_common)
}

/// Returns the domain in ASCII, and in Unicode if that differs. Returns nothing if `domain` is no full domain.
fn domain_spellings(domain: &str) -> Vec<(String, SpellingKind)> {
    let lower = domain.trim().to_lowercase();
    let rest = lower.split_once("://").map_or(lower.as_str(), |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host).trim_matches('.');
    let is_host_char = |c: char| c.is_alphanumeric() || c == '-' || c == '.';
    if !host.contains('.') || !host.chars().any(char::is_alphanumeric) || !host.chars().all(is_host_char) {
        return Vec::new();
    }
    let mut forms = vec![host.to_owned()];
    let unicode = url::quirks::domain_to_unicode(host);
    if !unicode.is_empty() && unicode != host {
        forms.push(unicode);
    }
    let to_spelling = |form: String| (Folded::of(&form).text, SpellingKind::Domain(form));
    forms.into_iter().map(to_spelling).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str) -> Name {
        match name_spelling(name).unwrap().1 {
            SpellingKind::Name(name) => name,
            SpellingKind::Domain(_) => unreachable!(),
        }
    }

    #[test]
    fn names_of_common_words_are_known_as_such() {
        for common in [
            "Notion", "Best Buy", "best-buy", "Apple", "Toast!", "X", "Which?", "Monday",
        ] {
            assert!(name(common).is_common, "{common}");
        }
        for rare in [
            "HubSpot",
            "Best Zendo",
            "PayPal",
            "C&A",
            "Node.js",
            "monday.com",
            "楽天",
            "Zooom",
            "Häagen",
            "1688",
            "360 24",
        ] {
            assert!(!name(rare).is_common, "{rare}");
        }
        assert!(name("PayPal").is_common_when_split);
        assert!(!name("HubSpotter").is_common_when_split);
    }

    #[test]
    fn words_may_be_apart_at_breaks_and_case_changes() {
        assert_eq!(name("Demand IQ").word_breaks, [6]);
        assert_eq!(name("Coca-Cola Zero").word_breaks, [4, 8]);
        assert_eq!(name("DemandIQ").case_changes, [6]);
        assert_eq!(name("Office365").case_changes, [0_usize; 0]);
        assert_eq!(name("C&A").word_breaks, [1, 2]);
        assert_eq!(name("C&A").letter_count, 2);
    }

    #[test]
    fn a_domain_is_cleaned_and_a_bare_label_is_none() {
        let forms = |domain: &str| -> Vec<String> {
            let keep = |(_, kind)| match kind {
                SpellingKind::Domain(form) => form,
                SpellingKind::Name(_) => unreachable!(),
            };
            domain_spellings(domain).into_iter().map(keep).collect()
        };
        assert_eq!(forms("https://www.You.com/x"), ["you.com"]);
        assert_eq!(forms("xn--mnchen-3ya.de"), ["xn--mnchen-3ya.de", "münchen.de"]);
        for none in ["you", "", " ", ".", "..", "a b.com"] {
            assert!(forms(none).is_empty(), "{none}");
        }
    }

    #[test]
    fn a_name_without_letters_or_digits_is_ignored() {
        for none in ["", "  ", "!!!", "\u{ad}", "\u{200b}", "—"] {
            assert!(name_spelling(none).is_none(), "{none}");
        }
    }
}
