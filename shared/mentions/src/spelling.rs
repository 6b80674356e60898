//! The spellings that stand for a brand, prepared for matching.

use std::collections::HashMap;

use crate::common_words::is_common;
use crate::fold::{Folded, GAP, SOFT};
use crate::script::is_word;

/// A brand as a check knows it. `brand` is the workspace's ordinal for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrandNames {
    /// The workspace's ordinal for the brand.
    pub brand: u32,
    /// Its name; blank, or without a letter or digit, it stands for nothing.
    pub name: String,
    /// Other names, under the same rules.
    pub aliases: Vec<String>,
    /// Its full domain, such as `you.com`; its label alone (`you`) is no name.
    pub domain: Option<String>,
}

/// One spelling, and the brands that it stands for.
pub(crate) struct Spelling {
    pub brands: Vec<u32>,
    /// Folded, without separators: what is searched for.
    pub text: String,
    pub kind: Kind,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// The domain in lower case, as it must stand in the text.
    Domain(String),
    Name(Name),
}

/// How a name may be written.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Name {
    /// Bytes of the spelling before which words may be apart.
    pub breaks: Vec<usize>,
    /// The same for words that are joined in the name itself (`HubSpot`).
    pub seams: Vec<usize>,
    /// The name's words are all common.
    pub is_common: bool,
    /// The words at the seams are all common too (`PayPal`).
    pub is_common_apart: bool,
    /// How many letters and digits there are.
    pub letters: usize,
}

/// All spellings of `brands`, each once.
pub(crate) fn spellings(brands: &[BrandNames]) -> Vec<Spelling> {
    let mut all: Vec<Spelling> = Vec::new();
    let mut known: HashMap<(String, Kind), usize> = HashMap::new();
    for brand in brands {
        let names = std::iter::once(&brand.name).chain(&brand.aliases);
        let domains = brand.domain.iter().flat_map(|domain| of_domain(domain));
        for (text, kind) in names.filter_map(|name| of_name(name)).chain(domains) {
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

/// The folded text of `name`, and how it may be written.
fn of_name(name: &str) -> Option<(String, Kind)> {
    let one_line = name.replace(char::is_control, " ");
    let source = one_line.trim();
    let folded = Folded::of(source);
    if !folded.text.chars().any(char::is_alphanumeric) {
        return None;
    }
    let (mut breaks, mut seams) = (Vec::new(), Vec::new());
    for (i, c) in folded.text.char_indices().skip(1) {
        let before = folded.before(i);
        if folded.flags_at(i) & (GAP | SOFT) != 0 || c == '&' || before == Some('&') {
            breaks.push(i);
        } else if before.is_some_and(is_word) && is_seam(source, &folded, i) {
            seams.push(i);
        }
    }
    // Without letters that have case (`1688`) nothing tells the name from the common word.
    let has_case = folded.text.contains(char::is_lowercase);
    let is_common = has_case && all_common(&folded.text, &breaks);
    let mut apart = [breaks.as_slice(), &seams].concat();
    apart.sort_unstable();
    let is_common_apart = has_case && all_common(&folded.text, &apart);
    let letters = folded.text.chars().filter(|&c| is_word(c)).count();
    let name = Name {
        breaks,
        seams,
        is_common,
        is_common_apart,
        letters,
    };
    Some((folded.text, Kind::Name(name)))
}

/// A small letter before a capital: `HubSpot`, `OpenAI`.
fn is_seam(source: &str, folded: &Folded, i: usize) -> bool {
    let (before, after) = source.split_at(folded.source(i));
    before.chars().next_back().is_some_and(char::is_lowercase)
        && after.chars().next().is_some_and(char::is_uppercase)
}

/// Whether all words of `text`, apart at `breaks`, are common; signs at the ends do not matter (`Which?`),
/// signs inside make it a name.
fn all_common(text: &str, breaks: &[usize]) -> bool {
    let outer = |c: char| !c.is_alphanumeric();
    let trimmed = text.trim_matches(outer);
    let first = text.len() - text.trim_start_matches(outer).len();
    let mut from = 0;
    for &at in breaks
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

/// The domain in ASCII, and in its own letters where those differ.
fn of_domain(domain: &str) -> Vec<(String, Kind)> {
    let lower = domain.trim().to_lowercase();
    let rest = lower.split_once("://").map_or(lower.as_str(), |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host).trim_matches('.');
    let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '.';
    if !host.contains('.') || !host.chars().any(char::is_alphanumeric) || !host.chars().all(plain) {
        return Vec::new();
    }
    let mut forms = vec![host.to_owned()];
    let shown = url::quirks::domain_to_unicode(host);
    if !shown.is_empty() && shown != host {
        forms.push(shown);
    }
    let spell = |form: String| (Folded::of(&form).text, Kind::Domain(form));
    forms.into_iter().map(spell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str) -> Name {
        match of_name(name).unwrap().1 {
            Kind::Name(name) => name,
            Kind::Domain(_) => unreachable!(),
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
        assert!(name("PayPal").is_common_apart);
        assert!(!name("HubSpotter").is_common_apart);
    }

    #[test]
    fn words_may_be_apart_at_breaks_and_seams() {
        assert_eq!(name("Demand IQ").breaks, [6]);
        assert_eq!(name("Coca-Cola Zero").breaks, [4, 8]);
        assert_eq!(name("DemandIQ").seams, [6]);
        assert_eq!(name("Office365").seams, [0_usize; 0]);
        assert_eq!(name("C&A").breaks, [1, 2]);
        assert_eq!(name("C&A").letters, 2);
    }

    #[test]
    fn a_domain_is_cleaned_and_a_bare_label_is_none() {
        let forms = |domain: &str| -> Vec<String> {
            let keep = |(_, kind)| match kind {
                Kind::Domain(form) => form,
                Kind::Name(_) => unreachable!(),
            };
            of_domain(domain).into_iter().map(keep).collect()
        };
        assert_eq!(forms("https://www.You.com/x"), ["you.com"]);
        assert_eq!(forms("xn--mnchen-3ya.de"), ["xn--mnchen-3ya.de", "münchen.de"]);
        for none in ["you", "", " ", ".", "..", "a b.com"] {
            assert!(forms(none).is_empty(), "{none}");
        }
    }

    #[test]
    fn a_name_without_letters_or_digits_stands_for_nothing() {
        for none in ["", "  ", "!!!", "\u{ad}", "\u{200b}", "—"] {
            assert!(of_name(none).is_none(), "{none}");
        }
    }
}
