//! Suggests aliases that people write instead of a brand's name.

use mentions::public_suffix::{has_listed_suffix, registrable_domain};
use mentions::{BrandNames, Matcher, common_words};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::legal_form::{without_legal_form, without_short_form};
use super::{display_domain, fold_name};
use crate::limits::{MAX_NAME_CHARS, MAX_SUGGESTED_ALIASES};
use crate::locale::is_country;

/// The minimum number of letters of a common word that is suggested because the brand's domain spells it.
/// Shorter ones are mostly pronouns and particles.
const MIN_COMMON_LETTERS: usize = 4;
/// The minimum number of letters on each side of a slash without spaces. In `AC/DC`, the slash is part of the
/// name.
const MIN_SIDE_LETTERS: usize = 3;
/// The numbers of capitals in an acronym.
const ACRONYM_LETTERS: std::ops::RangeInclusive<usize> = 3..=6;
/// The numbers of letters of a domain's label that abbreviates the name: `vw` for `Volkswagen`.
const ABBREVIATION_LETTERS: std::ops::RangeInclusive<usize> = 2..=3;
/// The maximum number of letters of a word that is in lower case within a name: `Bank of America`.
const MAX_PARTICLE_LETTERS: usize = 3;
/// What comes before another name in brackets.
const BRACKET_INTRODUCTIONS: [&str; 8] = [
    "also known as ",
    "formerly known as ",
    "formerly ",
    "previously ",
    "vormals ",
    "ehemals ",
    "a.k.a. ",
    "aka ",
];

/// Returns up to five aliases that people probably write instead of the name, the most useful one first.
///
/// Each makes the reading of answers count something that the name, the aliases and the suggestions before it
/// do not. `domain` is the registrable domain of the brand.
pub fn suggested_aliases(name: &str, aliases: &[String], domain: Option<&str>) -> Vec<String> {
    let label = domain.map_or_else(String::new, label_of);
    let mut names = BrandNames {
        brand: 0,
        name: name.to_owned(),
        aliases: aliases.to_vec(),
        domain: domain.map(str::to_owned),
    };
    let mut suggested = Vec::new();
    for candidate in candidates(name, &label) {
        if suggested.len() < MAX_SUGGESTED_ALIASES && is_useful(&candidate, &names, &label) {
            names.aliases.push(candidate.clone());
            suggested.push(candidate);
        }
    }
    suggested
}

/// Returns other spellings of a name, the most useful one first. Some may equal the name or each other.
fn candidates(name: &str, label: &str) -> Vec<String> {
    let core = without_legal_form(name);
    let mut parts = parts_of(&core);
    if parts.is_empty() {
        parts.push(core.clone());
    }
    let mut all = Vec::new();
    for part in &parts {
        let bare = without_article(part);
        all.extend(without_suffix(bare, label));
        all.push(bare.to_owned());
        all.push(part.clone());
    }
    let bare = parts.iter().map(|part| without_article(part));
    all.extend(bare.flat_map(|part| spelled_by_label(part, label)));
    let long = without_short_form(name);
    all.extend(acronym(without_article(&core), without_article(&long), label));
    all
}

/// Returns whether a candidate is a name that `names` do not find yet, and that is distinct from common
/// words.
fn is_useful(candidate: &str, names: &BrandNames, label: &str) -> bool {
    let letters = candidate.chars().filter(|c| c.is_alphabetic()).count();
    if letters < 2
        || candidate.chars().count() > MAX_NAME_CHARS
        || fold_name(candidate) == fold_name(&names.name)
    {
        return false;
    }
    let own = Matcher::new(&[BrandNames {
        brand: 0,
        name: candidate.to_owned(),
        aliases: Vec::new(),
        domain: None,
    }]);
    // Several words in small letters are a phrase if they are common.
    let lower = candidate.to_lowercase();
    let is_distinct = if candidate.contains(' ') {
        is_found(&own, &lower)
    } else {
        !common_words().any(|word| word == lower)
    };
    // A capital proves it here, unless the language always writes the word with one: a weekday.
    let is_proved_by_capital = || {
        !own.named_brands(&format!("See you on {candidate} at noon."))
            .is_empty()
    };
    let is_own_label = letters >= MIN_COMMON_LETTERS && plain(candidate) == label && is_proved_by_capital();
    (is_distinct || is_own_label)
        && is_found(&own, candidate)
        && !is_found(&Matcher::new(std::slice::from_ref(names)), candidate)
}

/// Returns whether `matcher` finds its brand in a sentence that names nothing but `candidate`.
fn is_found(matcher: &Matcher, candidate: &str) -> bool {
    let sentence = format!("We use {candidate} and it is good.");
    !matcher.named_brands(&sentence).is_empty()
}

/// Returns the names of which a name consists: those before and in brackets, around a slash, or before `by`.
fn parts_of(name: &str) -> Vec<String> {
    let parts = bracketed(name).or_else(|| around_slash(name)).or_else(|| {
        name.split_once(" by ")
            .map(|(product, _)| vec![product.to_owned()])
    });
    let parts = parts.into_iter().flatten();
    parts.map(|part| without_legal_form(&part)).collect()
}

/// Returns the name outside the brackets and the one inside.
fn bracketed(name: &str) -> Option<Vec<String>> {
    let (before, rest) = name.split_once(['(', '[', '（'])?;
    let (inside, after) = rest.split_once([')', ']', '）'])?;
    let outside = [before.trim(), after.trim()].join(" ").trim().to_owned();
    let inside = inside.trim();
    let introduction = BRACKET_INTRODUCTIONS.iter().find(|introduction| {
        let start = inside.get(..introduction.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(introduction))
    });
    let inside = introduction.map_or(inside, |introduction| inside[introduction.len()..].trim());
    // `part of Acme` describes the brand, and `Germany` tells it from others.
    let is_description = inside.contains(' ') && inside.starts_with(char::is_lowercase);
    let has_name = !is_description && !is_country(inside);
    Some(
        std::iter::once(outside)
            .chain(has_name.then(|| inside.to_owned()))
            .collect(),
    )
}

fn around_slash(name: &str) -> Option<Vec<String>> {
    let sides = |(left, right): (&str, &str)| vec![left.trim().to_owned(), right.trim().to_owned()];
    if let Some(spaced) = name.split_once(" / ") {
        return Some(sides(spaced));
    }
    let joined = name.split_once('/')?;
    let is_long = |side: &str| side.chars().filter(|c| c.is_alphabetic()).count() >= MIN_SIDE_LETTERS;
    (is_long(joined.0) && is_long(joined.1)).then(|| sides(joined))
}

fn without_article(name: &str) -> &str {
    let article = name.get(..4).filter(|start| start.eq_ignore_ascii_case("the "));
    article.map_or(name, |article| name[article.len()..].trim_start())
}

/// Returns the name without the public suffix at its end: `Booking` for `Booking.com`.
///
/// A suffix with capitals can be a word of its own, as in `ASP.NET`. It is removed if the brand's domain has
/// the same label.
fn without_suffix(name: &str, label: &str) -> Option<String> {
    let (before, last) = name.rsplit_once(' ').unwrap_or(("", name));
    let lower = last.to_lowercase();
    let (stem, suffix) = last.split_once('.')?;
    let is_domain =
        lower.is_ascii() && has_listed_suffix(&lower) && registrable_domain(&lower) == Some(&lower);
    let is_written_as_domain = !suffix.contains(char::is_uppercase) || plain(stem) == label;
    if !is_domain || !is_written_as_domain {
        return None;
    }
    let stem = if stem.contains(char::is_uppercase) {
        stem.to_owned()
    } else {
        capitalized(stem)
    };
    Some(format!("{before} {stem}").trim().to_owned())
}

/// Returns the words of the name that the label of the brand's domain spells, as they are and as the label
/// spells them.
///
/// A label of a few letters of the name is an abbreviation.
fn spelled_by_label(name: &str, label: &str) -> Vec<String> {
    if label.is_empty() {
        return Vec::new();
    }
    let words: Vec<&str> = name.split_whitespace().collect();
    for count in (1..=words.len()).rev() {
        for run in words.windows(count) {
            let run = run.join(" ");
            let spelled = with_digraphs(&run);
            if plain(&spelled) == label {
                return vec![run, spelled];
            }
            if plain(&run) == label {
                return vec![run];
            }
        }
    }
    let is_abbreviation = ABBREVIATION_LETTERS.contains(&label.chars().count())
        && label.chars().all(char::is_alphabetic)
        && abbreviates(label, &plain(name));
    is_abbreviation
        .then(|| label.to_uppercase())
        .into_iter()
        .collect()
}

/// Returns whether `label` starts with the first letter of `name` and has the rest of its letters in the
/// order of the name.
fn abbreviates(label: &str, name: &str) -> bool {
    let mut letters = name.chars();
    label.chars().next() == name.chars().next() && label.chars().all(|c| letters.any(|letter| letter == c))
}

/// Returns the acronym of a name of at least three capitalised words.
///
/// It includes the initials of words such as `Group` (in `long`) if the brand's domain does or `short` has
/// too few words.
fn acronym(short: &str, long: &str, label: &str) -> Option<String> {
    let (short, long) = (initials(short), initials(long));
    let is_label = |initials: &&String| initials.to_lowercase() == label;
    let of_label = long.as_ref().filter(is_label).cloned();
    of_label.or(short).or(long)
}

/// Returns the initials of a name of capitalised words. Particles in lower case and signs have none.
fn initials(name: &str) -> Option<String> {
    let mut initials = String::new();
    for word in name.split_whitespace() {
        let first = word.chars().next()?;
        if first.is_uppercase() {
            initials.push(first);
        } else if first.is_alphanumeric() && word.chars().count() > MAX_PARTICLE_LETTERS {
            return None;
        }
    }
    ACRONYM_LETTERS
        .contains(&initials.chars().count())
        .then_some(initials)
}

/// Returns the letters and digits of the first label of a domain, without hyphens and accents.
fn label_of(domain: &str) -> String {
    let domain = display_domain(domain);
    plain(domain.split_once('.').map_or(&*domain, |(label, _)| label))
}

/// Returns the letters and digits of a text in lower case, without accents.
fn plain(text: &str) -> String {
    let letters = text.nfkd().filter(|c| !is_combining_mark(*c));
    letters
        .flat_map(char::to_lowercase)
        .filter(|c| c.is_alphanumeric())
        .collect()
}

/// Returns a text with two letters for each letter that domains spell so: `Kaercher` for `Kärcher`.
fn with_digraphs(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    for c in text.nfc() {
        match c {
            'ä' | 'æ' => spelled.push_str("ae"),
            'ö' | 'ø' => spelled.push_str("oe"),
            'ü' => spelled.push_str("ue"),
            'å' => spelled.push_str("aa"),
            'ß' => spelled.push_str("ss"),
            'Ä' | 'Æ' => spelled.push_str("Ae"),
            'Ö' | 'Ø' => spelled.push_str("Oe"),
            'Ü' => spelled.push_str("Ue"),
            'Å' => spelled.push_str("Aa"),
            c => spelled.push(c),
        }
    }
    spelled
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn suggested(name: &str, domain: &str) -> Vec<String> {
        suggested_aliases(name, &[], Some(domain))
    }

    #[test]
    fn a_name_is_suggested_without_its_legal_form_and_article() {
        assert_eq!(suggested("Velumora Inc.", "example.com"), ["Velumora"]);
        assert_eq!(suggested("Zendix GmbH & Co. KG", "example.com"), ["Zendix"]);
        assert_eq!(
            suggested("The Kraft Heinz Company", "example.com"),
            ["Kraft Heinz", "KHC"]
        );
        assert_eq!(suggested("ООО «Ромашка»", "example.com"), ["Ромашка"]);
    }

    #[test]
    fn a_name_is_suggested_without_a_top_level_domain() {
        assert_eq!(suggested("Booking.com", "booking.com"), ["Booking"]);
        assert_eq!(
            suggested("Zalando.co.uk Ltd", "zalando.com"),
            ["Zalando", "Zalando.co.uk"]
        );
        assert_eq!(suggested("Character.AI", "character.ai"), ["Character"]);
        assert!(suggested("Velumora.js", "velumora.example").is_empty());
        assert!(suggested("ASP.NET", "microsoft.com").is_empty());
    }

    #[test]
    fn spellings_that_are_read_anyway_are_not_suggested() {
        assert!(suggested("Disney+", "disneyplus.com").is_empty());
        assert!(suggested("Kärcher", "kaercher.com").is_empty());
        assert!(suggested("Løgstør", "loegstoer.dk").is_empty());
        assert!(suggested("C++", "example.com").is_empty());
    }

    #[test]
    fn what_the_domain_spells_is_suggested() {
        assert_eq!(
            suggested("Alfred Kärcher SE & Co. KG", "kaercher.com"),
            ["Alfred Kärcher", "Kärcher"]
        );
        assert_eq!(suggested("Volkswagen", "vw.com"), ["VW"]);
        assert_eq!(suggested("Velumora Sports", "velumora.example"), ["Velumora"]);
        assert!(suggested("Velumora", "acme.com").is_empty());
        assert!(suggested("L'Oréal", "loreal.com").is_empty());
    }

    #[test]
    fn the_acronym_of_three_capitalised_words_is_suggested() {
        let acronym = |name: &str, domain: &str| suggested(name, domain).pop();
        assert_eq!(suggested("Bayerische Motoren Werke", "example.com"), ["BMW"]);
        assert_eq!(
            acronym("International Business Machines Corporation", "ibm.com").unwrap(),
            "IBM"
        );
        assert_eq!(
            acronym("British Broadcasting Corporation", "bbc.co.uk").unwrap(),
            "BBC"
        );
        assert_eq!(
            acronym("Taiwan Semiconductor Manufacturing Company", "tsmc.com").unwrap(),
            "TSMC"
        );
        assert!(suggested("Bank of Velumora", "example.com").is_empty());
        assert!(suggested("Velumora makes Good Shoes Today", "example.com").is_empty());
    }

    #[test]
    fn the_parts_of_a_name_are_suggested() {
        assert_eq!(
            suggested("HP (Hewlett-Packard)", "example.com"),
            ["HP", "Hewlett-Packard"]
        );
        assert_eq!(
            suggested("HP Inc. (Hewlett-Packard)", "example.com"),
            ["HP", "Hewlett-Packard"]
        );
        assert_eq!(
            suggested("Velumora (formerly Zorbly)", "example.com"),
            ["Velumora", "Zorbly"]
        );
        assert_eq!(
            suggested("Velumora (part of Zorbly)", "example.com"),
            ["Velumora"]
        );
        assert_eq!(suggested("Velumora (Germany)", "example.com"), ["Velumora"]);
        assert_eq!(suggested("Velumora (UK)", "example.com"), ["Velumora"]);
        assert_eq!(
            suggested("Velumora / Zorbly", "example.com"),
            ["Velumora", "Zorbly"]
        );
        assert_eq!(
            suggested("Velumora/Zorbly", "example.com"),
            ["Velumora", "Zorbly"]
        );
        assert_eq!(suggested("Trello by Atlassian", "trello.com"), ["Trello"]);
        assert!(suggested("AC/DC", "example.com").is_empty());
    }

    #[test]
    fn what_the_name_or_an_alias_finds_already_is_not_suggested() {
        let aliases = ["velumora".to_owned()];
        assert!(suggested_aliases("Velumora Inc.", &aliases, None).is_empty());
        assert!(suggested("Yahoo!", "yahoo.com").is_empty());
        assert!(suggested("Velumora", "velumora.example").is_empty());
    }

    #[test]
    fn common_words_are_suggested_only_if_the_domain_spells_them() {
        assert!(suggested("The Best Company", "example.com").is_empty());
        assert!(suggested("Apple Inc.", "example.com").is_empty());
        assert_eq!(suggested("Apple Inc.", "apple.com"), ["Apple"]);
        assert!(suggested("You.com", "you.com").is_empty());
        assert!(suggested("Monday.com", "monday.com").is_empty());
    }

    #[test]
    fn at_most_five_aliases_are_suggested() {
        let name = "The Zorbly Velumora Nimbra+ (Quantrel Zendix Tulvo.com) Inc.";
        let suggested = suggested(name, "zorbly.com");
        assert!((3..=5).contains(&suggested.len()), "{suggested:?}");
    }

    proptest! {
        #[test]
        fn any_name_has_at_most_five_suggestions_that_are_valid_aliases(
            name in "(The )?[A-ZÄÖa-zøß+.&/()«» ]{1,30}( Inc\\.| GmbH| sp\\. z o\\.o\\.|\\.com)?", label in "[a-z-]{1,8}",
        ) {
            let suggested = suggested(&name, &format!("{label}.com"));
            prop_assert!(suggested.len() <= 5);
            let texts: Vec<&str> = suggested.iter().map(String::as_str).collect();
            let parsed = super::super::parse_aliases("aliases", &texts);
            prop_assert_eq!(parsed.ok(), Some(suggested.clone()));
            // With the suggestions added, there are no more of those.
            let more = suggested_aliases(&name, &suggested, Some(&format!("{label}.com")));
            prop_assert!(more.iter().all(|alias| !suggested.contains(alias)));
        }
    }
}
