//! Prepares the spellings of brands for matching.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use crate::bare_url::is_domain;
use crate::fold::{Folded, GAP, ZERO_WIDTH_SPACED};
use crate::language::Language;
use crate::script::{is_unspaced, is_word};

/// The minimum number of letters of a name that is inflected. Shorter ones would become other words.
pub(crate) const MIN_INFLECTED_LETTERS: usize = 4;

/// The endings of names that inflection replaces in some language, folded.
static REPLACED_ENDINGS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let endings = Language::all().flat_map(Language::replaced_endings);
    endings
        .map(|ending| Folded::of(ending).text)
        .filter(|ending| !ending.is_empty())
        .collect()
});

static WORDS_FOR_AND: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let words = Language::all().flat_map(Language::words_for_and);
    words
        .filter(|word| word.chars().all(char::is_alphabetic))
        .collect()
});

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
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Name {
    /// The bytes of the spelling before which a separator may occur.
    pub word_breaks: Vec<usize>,
    /// The bytes at which a capital follows a small letter (`HubSpot`). A separator may occur there too.
    pub case_changes: Vec<usize>,
    /// The number of letters and digits.
    pub letter_count: usize,
    /// The name as the brand writes it.
    pub written: String,
    /// The name in lower case.
    pub lower: String,
    /// The word that stands for the `&` of the name. It counts in its language only.
    pub word_for_and: Option<String>,
    /// Whether the sign at the end of the name is left out.
    pub lacks_sign: bool,
    /// The ending of the name that an inflected form replaces. The spelling lacks it.
    pub replaced_ending: Option<String>,
}

/// Returns the distinct spellings of `brands`.
pub(crate) fn spellings(brands: &[BrandNames]) -> Vec<Spelling> {
    let mut all: Vec<Spelling> = Vec::new();
    let mut known: HashMap<(String, SpellingKind), usize> = HashMap::new();
    for brand in brands {
        let names = std::iter::once(&brand.name).chain(&brand.aliases);
        let names = names.flat_map(|name| name_spellings(name));
        let domains = brand.domain.iter().flat_map(|domain| domain_spellings(domain));
        for (text, kind) in names.chain(domains) {
            let spelling = *known.entry((text.clone(), kind.clone())).or_insert_with(|| {
                all.push(Spelling {
                    brands: Vec::new(),
                    text,
                    kind,
                });
                all.len() - 1
            });
            if all[spelling].brands.last() != Some(&brand.brand) {
                all[spelling].brands.push(brand.brand);
            }
        }
    }
    all
}

/// Returns the usual spellings of a name, or none if it has no letter or digit.
fn name_spellings(name: &str) -> Vec<(String, SpellingKind)> {
    let one_line = name.replace(char::is_control, " ");
    let source = one_line.trim();
    let Some(written) = name_spelling(source) else {
        return Vec::new();
    };
    let mut all = vec![written];
    let unquoted = source.replace(['"', '“', '”', '„', '«', '»', '「', '」'], " ");
    all.extend((unquoted != source).then(|| name_spelling(&unquoted)).flatten());
    all.extend(without_inner_signs(source));
    all.extend(without_sign(source));
    all.extend(with_merged_article(source));
    all.extend(
        source
            .contains(". ")
            .then(|| name_spelling(&source.replace(". ", " ")))
            .flatten(),
    );
    all.extend(with_and(source));
    all.extend(
        other_spellings(source)
            .iter()
            .filter_map(|other| name_spelling(other)),
    );
    all.extend(initials(source).and_then(|other| name_spelling(&other)));
    let inflected: Vec<(String, Name)> = all
        .iter()
        .flat_map(|(text, name)| without_ending(text, name))
        .collect();
    all.extend(inflected);
    all.into_iter()
        .map(|(text, name)| (text, SpellingKind::Name(name)))
        .collect()
}

/// Returns the folded text of `source` and the ways to write it, or `None` if it has no letter or digit.
fn name_spelling(source: &str) -> Option<(String, Name)> {
    let folded = Folded::of(source);
    if !folded.text.chars().any(char::is_alphanumeric) {
        return None;
    }
    let is_joint = |c: char| matches!(c, '&' | '"');
    let (mut word_breaks, mut case_changes) = (Vec::new(), Vec::new());
    for (i, c) in folded.text.char_indices().skip(1) {
        let before = folded.char_before(i);
        let is_separated = folded.flags_at(i) & (GAP | ZERO_WIDTH_SPACED) != 0;
        let is_at_sign = is_joint(c) || before.is_some_and(|c| is_joint(c) || c == '.');
        if is_separated || is_at_sign || is_number_edge(&folded.text, i) || is_script_edge(before, c) {
            word_breaks.push(i);
        } else if before.is_some_and(is_word) && is_case_change(source, &folded, i) {
            case_changes.push(i);
        }
    }
    let letter_count = folded.text.chars().filter(|&c| is_word(c)).count();
    let name = Name {
        word_breaks,
        case_changes,
        letter_count,
        written: source.to_owned(),
        lower: source.to_lowercase(),
        ..Name::default()
    };
    Some((folded.text, name))
}

/// Returns whether a number and letters meet at byte `i`, one of them with at least three characters:
/// `37signals`, `A101`. In `3M`, the unit of `3 m` would count.
fn is_number_edge(text: &str, i: usize) -> bool {
    let (before, after) = text.split_at(i);
    let is_letter = |c: &char| c.is_alphabetic();
    let starts_with_digit = after.starts_with(|c: char| c.is_ascii_digit());
    let ends_with_digit = before.ends_with(|c: char| c.is_ascii_digit());
    let is_digit = |c: &char| c.is_ascii_digit();
    let has_long_number = (starts_with_digit
        && before.ends_with(char::is_alphabetic)
        && after.chars().take_while(is_digit).count() >= 3)
        || (ends_with_digit
            && after.starts_with(char::is_alphabetic)
            && before.chars().rev().take_while(is_digit).count() >= 3);
    has_long_number
        || (ends_with_digit && after.chars().take_while(is_letter).count() >= 3)
        || (starts_with_digit && before.chars().rev().take_while(is_letter).count() >= 3)
}

/// Returns the spelling of an Arabic name with an article after the preposition `ل`, which merges with it:
/// `للبيك` for `البيك`.
fn with_merged_article(source: &str) -> Option<(String, Name)> {
    name_spelling(&format!("لل{}", source.strip_prefix("ال")?))
}

/// Returns whether Latin letters or digits meet a script without capitals: `58同城`, `G마켓`.
fn is_script_edge(before: Option<char>, after: char) -> bool {
    before.is_some_and(|before| {
        (before.is_ascii_alphanumeric() && is_unspaced(after))
            || (is_unspaced(before) && after.is_ascii_alphanumeric())
    })
}

/// Returns the spelling without the signs inside the name: `De Longhi` for `De'Longhi`, `McDonalds` for
/// `McDonald's`.
fn without_inner_signs(source: &str) -> Option<(String, Name)> {
    let is_sign = |c: char| matches!(c, '!' | '?' | '\'' | '’' | '–' | '—' | ':' | '！' | '？');
    let rest = source.trim_end_matches(is_sign);
    let plain = rest.replace(is_sign, " ");
    (plain != rest).then(|| name_spelling(&plain)).flatten()
}

/// Returns the spelling without the sign at the end of the name: `Yahoo` for `Yahoo!`.
fn without_sign(source: &str) -> Option<(String, Name)> {
    let rest = source.trim_end_matches(['!', '?', '.']);
    let (text, name) = (rest != source).then(|| name_spelling(rest.trim_end()))??;
    let lacks_sign = true;
    Some((text, Name { lacks_sign, ..name }))
}

/// Returns the spellings in which a word of some language stands for the sign `&`, and the sign for the word.
fn with_and(source: &str) -> Vec<(String, Name)> {
    let Some((left, right)) = source.split_once('&') else {
        let with_sign = |word: &&str| {
            let (left, right) = source.split_once(&format!(" {word} "))?;
            name_spelling(&format!("{left} & {right}"))
        };
        return WORDS_FOR_AND.iter().filter_map(with_sign).take(1).collect();
    };
    // `Vitamin C and A` is no clothes shop.
    let is_short = [left, right].iter().any(|side| side.trim().chars().count() < 2);
    WORDS_FOR_AND
        .iter()
        .filter(|&&word| !(is_short && word == "and"))
        .filter_map(|word| {
            let (text, name) = name_spelling(&format!("{} {word} {}", left.trim(), right.trim()))?;
            let word_for_and = Some((*word).to_owned());
            Some((text, Name { word_for_and, ..name }))
        })
        .collect()
}

/// Returns spellings that differ in a sign, a letter or a word that people leave out or write otherwise.
fn other_spellings(source: &str) -> Vec<String> {
    let mut all = Vec::new();
    // The service `Acme+` is also called `Acme Plus`.
    if let Some(rest) = source.strip_suffix('+') {
        all.push(format!("{rest} Plus"));
    } else if let Some(rest) = source.strip_suffix(" Plus") {
        all.push(format!("{rest}+"));
    }
    // `Node.js` and `NodeJS`, but not the brand of a domain.
    if let Some((left, right)) = source.split_once('.')
        && left.chars().count() > 1
        && right.chars().all(char::is_alphabetic)
        && !is_domain(&source.to_lowercase())
    {
        all.push(format!("{left}{right}"));
    }
    let transcribed: String = source.chars().map(transcription).collect();
    all.extend((transcribed != source).then_some(transcribed));
    let words: Vec<&str> = source.split(' ').collect();
    match words[..] {
        // `Bed, Bath & Beyond`.
        [first, second, sign, third] if matches!(sign, "&" | "and" | "und" | "et") => {
            all.push(format!("{first}, {second} {sign} {third}"));
        }
        // `Toys “R” Us`.
        [first, letter, last] if letter.chars().count() == 1 && letter.chars().all(char::is_alphabetic) => {
            all.push(format!("{first} \"{letter}\" {last}"));
        }
        // The adjective of `Deutsche Bank` is inflected.
        [adjective, noun]
            if adjective.ends_with('e') && adjective.chars().count() >= MIN_INFLECTED_LETTERS =>
        {
            all.push(format!("{adjective}n {noun}"));
        }
        [adjective, noun] => all.extend(slavic_forms(adjective, noun)),
        _ => {}
    }
    all
}

/// Returns what stands for an umlaut or ligature where keyboards lack it.
fn transcription(c: char) -> String {
    let ascii = match c {
        'ä' | 'æ' => "ae",
        'ö' | 'ø' | 'œ' => "oe",
        'ü' => "ue",
        'å' => "aa",
        'Ä' | 'Æ' => "Ae",
        'Ö' | 'Ø' | 'Œ' => "Oe",
        'Ü' => "Ue",
        'Å' => "Aa",
        other => return other.to_string(),
    };
    ascii.to_owned()
}

/// Returns the cases of a Ukrainian, Russian or Polish name of a feminine adjective and a noun: `Нової пошти`
/// for `Нова пошта`.
fn slavic_forms(adjective: &str, noun: &str) -> Vec<String> {
    const ENDINGS: [(&str, &[&str], &str, &[&str]); 3] = [
        ("а", &["ої", "ій", "у", "ою"], "а", &["и", "і", "у", "ою"]),
        ("ая", &["ой", "ой", "ую", "ой"], "а", &["ы", "е", "у", "ой"]),
        ("a", &["ej", "ej", "ą", "ą"], "a", &["y", "ie", "ę", "ą"]),
    ];
    let forms = ENDINGS
        .iter()
        .find_map(|(of_adjective, adjectives, of_noun, nouns)| {
            let (adjective, noun) = (adjective.strip_suffix(of_adjective)?, noun.strip_suffix(of_noun)?);
            let is_cyrillic = |c: char| ('а'..='я').contains(&c) || ('А'..='Я').contains(&c);
            let is_long = adjective.chars().count() >= 2 && noun.chars().count() >= 3;
            (is_long && (adjective.contains(is_cyrillic) == of_noun.contains(is_cyrillic))).then(|| {
                let pairs = adjectives.iter().zip(*nouns);
                pairs.map(|(a, n)| format!("{adjective}{a} {noun}{n}")).collect()
            })
        });
    forms.unwrap_or_default() // Another language has none.
}

/// Returns initials with dots for a name without dots, and without dots for a name with them: `H.P.` and
/// `HP`.
fn initials(source: &str) -> Option<String> {
    let is_initial = |word: &str| word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    let parts: Vec<&str> = source.split('.').map(str::trim).collect();
    if parts.len() > 1 && is_initial(parts[0]) && parts[..parts.len() - 1].iter().all(|part| is_initial(part))
    {
        let last = parts[parts.len() - 1];
        let space = if last.chars().count() > 1 { " " } else { "" };
        return Some(parts[..parts.len() - 1].concat() + space + last);
    }
    let is_abbreviation = (2..=4).contains(&source.chars().count()) && source.chars().all(char::is_uppercase);
    is_abbreviation.then(|| {
        let letters: Vec<String> = source.chars().map(String::from).collect();
        letters.join(".")
    })
}

/// Returns the spellings without an ending that inflection replaces: `Tesl` for `Tesla`.
fn without_ending(text: &str, name: &Name) -> Vec<(String, Name)> {
    if name.letter_count < MIN_INFLECTED_LETTERS || name.replaced_ending.is_some() {
        return Vec::new();
    }
    let ends = |ending: &&String| text.ends_with(ending.as_str());
    REPLACED_ENDINGS
        .iter()
        .filter(ends)
        .map(|ending| {
            let stem = text[..text.len() - ending.len()].to_owned();
            let replaced_ending = Some(ending.clone());
            let mut name = Name {
                replaced_ending,
                ..name.clone()
            };
            name.word_breaks.retain(|&i| i < stem.len());
            name.case_changes.retain(|&i| i < stem.len());
            (stem, name)
        })
        .filter(|(stem, _)| stem.chars().count() + 1 >= MIN_INFLECTED_LETTERS)
        .collect()
}

/// Returns whether a capital follows a small letter at byte `i`: `HubSpot`, `OpenAI`.
fn is_case_change(source: &str, folded: &Folded, i: usize) -> bool {
    let (before, after) = source.split_at(folded.source_offset(i));
    before.chars().next_back().is_some_and(char::is_lowercase)
        && after.chars().next().is_some_and(char::is_uppercase)
}

/// Returns the domain in ASCII, and in Unicode if that differs. Returns nothing if `domain` is no full
/// domain.
fn domain_spellings(domain: &str) -> Vec<(String, SpellingKind)> {
    let lower = domain.trim().to_lowercase();
    let rest = lower.split_once("://").map_or(lower.as_str(), |(_, rest)| rest);
    let host = rest
        .split_once(['/', '?', '#', ':'])
        .map_or(rest, |(host, _)| host);
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
        name_spelling(name).unwrap().1
    }

    fn texts(name: &str) -> Vec<String> {
        name_spellings(name).into_iter().map(|(text, _)| text).collect()
    }

    #[test]
    fn usual_spellings_are_searched_for() {
        for (name, text) in [
            ("Yahoo!", "yahoo"),
            ("\"Zendo\" Cloud", "zendocloud"),
            ("Marks & Spencer", "marksundspencer"),
            ("Marks and Spencer", "marks&spencer"),
            ("H.P.", "hp"),
            ("HP", "h.p"),
            ("J. Crew", "jcrew"),
            ("Tesla", "tesl"),
            ("De'Longhi", "delonghi"),
            ("いきなり！ステーキ", "いきなりステーキ"),
            ("Вкусно — и точка", "вкусноиточка"),
        ] {
            assert!(
                texts(name).iter().any(|known| known == text),
                "{name}: {:?}",
                texts(name)
            );
        }
        assert_eq!(texts("Zendix"), ["zendix"]);
    }

    #[test]
    fn words_may_be_apart_at_breaks_and_case_changes() {
        assert_eq!(name("Demand IQ").word_breaks, [6]);
        assert_eq!(name("Coca-Cola Zero").word_breaks, [4, 8]);
        assert_eq!(name("DemandIQ").case_changes, [6]);
        assert_eq!(name("Office365").word_breaks, [6]);
        assert_eq!(name("23andMe").word_breaks, [2]);
        assert_eq!(name("3M").word_breaks, [0_usize; 0]);
        assert_eq!(name("58同城").word_breaks, [2]);
        assert_eq!(name("G마켓").word_breaks, [1]);
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
            assert!(name_spellings(none).is_empty(), "{none}");
        }
    }
}
