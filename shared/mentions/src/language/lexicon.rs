//! The terms of a language and the roles that they have in a clause.

use aho_corasick::{AhoCorasick, MatchKind};
use hashbrown::{HashMap, HashSet};

use crate::fold::Folded;

/// The roles of a term, as a set. `languages/README.md` describes each role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Roles(u32);

macro_rules! roles {
    ($($name:ident $key:literal)*) => {
        roles!(@ 0; $($name $key)*);
        /// The keys of `languages/*.txt` that list terms.
        const KEYS: &[(&str, Roles)] = &[$(($key, Roles::$name)),*];
    };
    (@ $bit:expr; $name:ident $key:literal $($rest:tt)*) => {
        impl Roles { pub(crate) const $name: Self = Self(1 << $bit); }
        roles!(@ $bit + 1; $($rest)*);
    };
    (@ $bit:expr;) => {};
}

roles! {
    NO "no"
    NOTHING "nothing"
    NOT "not"
    INFORMATION "information"
    FIND "find"
    HOLD "hold"
    MISSING "missing"
    AVAILABLE "available"
    KNOW "know"
    ABOUT "about"
    ABOUT_AFTER "about_after"
    TOPIC "topic"
    PLACE "place"
    SOURCES "sources"
    SEARCH "search"
    PERSON "person"
    FUNCTION "function"
    GENERIC "generic"
    AND "and"
    OR "or"
    NEITHER "neither"
    BUT "but"
    PSEUDO "pseudo"
    NO_DATA "no_data"
    SUCH_AS "such_as"
    BRAND_WORD "brand_word"
    BRAND_VERB "brand_verb"
    AT "at"
    CAPITAL "capital"
}

impl Roles {
    pub(crate) const NONE: Self = Self(0);

    /// Returns whether the sets have a role in common.
    pub(crate) fn has(self, any_of: Self) -> bool {
        self.0 & any_of.0 != 0
    }

    /// Returns whether the set contains all of `roles`.
    pub(crate) fn contains(self, roles: Self) -> bool {
        roles.0 & !self.0 == 0
    }

    fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the indexes of the roles of the set.
    pub(crate) fn indexes(self) -> impl Iterator<Item = u8> {
        (0..u32::BITS as u8).filter(move |&i| self.0 & (1 << i) != 0)
    }

    /// Returns the union of the sets.
    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

struct Phrase {
    /// The words after the first one.
    rest: Vec<Part>,
    roles: Roles,
}

struct Part {
    text: String,
    /// Whether any ending may follow.
    is_stem: bool,
}

/// The terms of a language, folded.
#[derive(Default)]
pub(crate) struct Lexicon {
    words: HashMap<String, Roles>,
    stems: HashMap<String, Roles>,
    /// The lengths of all stems in bytes, as a set of bits.
    stem_lengths: u64,
    /// Endings of words that have the role whatever precedes them.
    suffixes: Vec<(String, Roles)>,
    /// Abbreviations with a sign inside, such as `n/a`.
    abbreviations: Vec<(String, Roles)>,
    /// By the first word.
    phrases: HashMap<String, Vec<Phrase>>,
    /// By the stem of the first word.
    stem_phrases: HashMap<String, Vec<Phrase>>,
    /// Of a language without spaces: all terms, and their roles.
    unspaced: Option<(AhoCorasick, Vec<Roles>)>,
    /// The endings that inflect a name.
    endings: HashSet<String>,
    /// The endings that replace another ending of a name, by the ending that they replace.
    replacements: HashMap<String, HashSet<String>>,
    /// What may be joined to the front of a name.
    prefixes: HashSet<String>,
    /// Suffixes that make another word of a name, in a script without spaces.
    derivations: Vec<String>,
}

/// Returns the terms of a key.
pub(super) fn values<'a>(file: &'a str, key: &str) -> impl Iterator<Item = &'a str> {
    file.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('='))
        .filter(move |(name, _)| name.trim() == key)
        .flat_map(|(_, terms)| terms.split_whitespace())
}

impl Lexicon {
    pub(super) fn parse(file: &str, is_unspaced: bool) -> Self {
        let mut lexicon = Self::default();
        let mut unspaced: HashMap<String, Roles> = HashMap::new();
        for &(key, role) in KEYS {
            for term in values(file, key) {
                let folded = Folded::of(&term.replace('_', " ")).text;
                if folded.contains(['/', '.']) {
                    let abbreviation = folded.trim_end_matches('.').to_owned();
                    lexicon.abbreviations.push((abbreviation, role));
                }
                if is_unspaced {
                    let roles = unspaced.entry(folded).or_default();
                    *roles = roles.union(role);
                } else {
                    lexicon.add(term, role);
                }
            }
        }
        for ending in values(file, "ending") {
            match ending.strip_prefix('-').and_then(|rule| rule.split_once(':')) {
                Some((replaced, endings)) => lexicon
                    .replacements
                    .entry(Folded::of(replaced).text)
                    .or_default()
                    .extend(endings.split(',').map(|ending| Folded::of(ending).text)),
                None => {
                    lexicon.endings.insert(Folded::of(ending).text);
                }
            }
        }
        lexicon.derivations = values(file, "derivation").map(str::to_owned).collect();
        lexicon.prefixes = values(file, "prefix")
            .map(|prefix| Folded::of(prefix).text)
            .collect();
        unspaced.remove("");
        if is_unspaced {
            // What only a cell says would hide the terms that it consists of.
            lexicon.words = unspaced.extract_if(|_, roles| *roles == Roles::NO_DATA).collect();
            add_roles_of_parts(&mut unspaced);
            let (terms, roles): (Vec<String>, Vec<Roles>) = unspaced.into_iter().unzip();
            lexicon.unspaced = AhoCorasick::builder()
                .match_kind(MatchKind::LeftmostLongest)
                .build(terms)
                .ok()
                .map(|automaton| (automaton, roles));
        }
        lexicon
    }

    fn add(&mut self, term: &str, role: Roles) {
        if let Some(suffix) = term.strip_prefix('*') {
            self.suffixes.push((Folded::of(suffix).text, role));
            return;
        }
        let mut parts = term.split(['_', '-']).filter_map(|word| {
            let is_stem = word.ends_with('*');
            let text = Folded::of(word.trim_end_matches('*')).text;
            (!text.is_empty()).then_some(Part { text, is_stem })
        });
        let Some(first) = parts.next() else { return };
        if first.is_stem {
            self.stem_lengths |= 1u64.checked_shl(first.text.len() as u32).unwrap_or(0); // No stem has 64 bytes.
        }
        let rest: Vec<Part> = parts.collect();
        if rest.is_empty() {
            let map = if first.is_stem {
                &mut self.stems
            } else {
                &mut self.words
            };
            let roles = map.entry(first.text).or_default();
            *roles = roles.union(role);
        } else {
            let map = if first.is_stem {
                &mut self.stem_phrases
            } else {
                &mut self.phrases
            };
            map.entry(first.text)
                .or_default()
                .push(Phrase { rest, roles: role });
        }
    }

    /// Returns the roles of a folded word.
    pub(crate) fn roles(&self, word: &str) -> Roles {
        let exact = self.words.get(word).copied().unwrap_or(Roles::NONE);
        self.stems_of(word)
            .filter_map(|stem| self.stems.get(stem))
            .fold(exact.union(self.suffix_roles(word)), |roles, &more| {
                roles.union(more)
            })
    }

    /// Returns the beginnings of a word that are as long as a stem is.
    fn stems_of<'a>(&self, word: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
        let lengths = self.stem_lengths;
        let is_length = move |length: &usize| {
            lengths
                .checked_shr(*length as u32)
                .is_some_and(|rest| rest & 1 == 1)
        };
        let longest = (u64::BITS - lengths.leading_zeros()) as usize;
        (1..=word.len().min(longest))
            .filter(is_length)
            .filter_map(|length| word.get(..length))
    }

    /// Returns the length of the abbreviation with a sign inside that `text` (folded) starts with, and its
    /// roles.
    pub(crate) fn abbreviation_at_start(&self, text: &str) -> Option<(usize, Roles)> {
        // All of them start with a single letter.
        text.chars().nth(1).filter(|c| matches!(c, '/' | '.'))?;
        self.abbreviations
            .iter()
            .filter(|(abbreviation, _)| {
                text.strip_prefix(abbreviation.as_str())
                    .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
            })
            .map(|(abbreviation, roles)| (abbreviation.len(), *roles))
            .max_by_key(|&(length, _)| length)
    }

    /// Returns the roles that the ending of a folded word gives it, such as the case that means "about".
    pub(crate) fn suffix_roles(&self, word: &str) -> Roles {
        let ends =
            |(suffix, _): &&(String, Roles)| word.len() > suffix.len() && word.ends_with(suffix.as_str());
        let roles = self.suffixes.iter().filter(ends).map(|&(_, roles)| roles);
        roles.fold(Roles::NONE, Roles::union)
    }

    /// Returns whether `ending` (folded) inflects a name that has lost its ending `replaced`.
    pub(crate) fn is_ending(&self, ending: &str, replaced: Option<&str>) -> bool {
        match replaced {
            None => self.endings.contains(ending),
            Some(replaced) => self
                .replacements
                .get(replaced)
                .is_some_and(|endings| endings.contains(ending)),
        }
    }

    /// Returns whether `rest`, the text after a name, starts with a suffix that makes another word of it.
    pub(crate) fn is_derivation(&self, rest: &str) -> bool {
        self.derivations
            .iter()
            .any(|suffix| rest.starts_with(suffix.as_str()))
    }

    /// Returns whether `prefix` (folded) may be joined to the front of a name.
    pub(crate) fn is_prefix(&self, prefix: &str) -> bool {
        self.prefixes.contains(prefix)
    }

    /// Returns how many words the longest phrase at the start of `words` has, and its roles.
    pub(crate) fn phrase<'a>(
        &self,
        first: &str,
        rest: &(impl Iterator<Item = &'a str> + Clone),
    ) -> Option<(usize, Roles)> {
        let by_stem = self
            .stems_of(first)
            .filter_map(|stem| self.stem_phrases.get(stem));
        let candidates = self.phrases.get(first).into_iter().chain(by_stem).flatten();
        let mut best: Option<(usize, Roles)> = None;
        for phrase in candidates {
            let mut words = rest.clone();
            let matches = phrase.rest.iter().all(|part| {
                words.next().is_some_and(|word| {
                    if part.is_stem {
                        word.starts_with(part.text.as_str())
                    } else {
                        word == part.text
                    }
                })
            });
            let length = phrase.rest.len() + 1;
            if matches {
                best = match best {
                    Some((longest, roles)) if longest == length => Some((length, roles.union(phrase.roles))),
                    Some((longest, roles)) if longest > length => Some((longest, roles)),
                    _ => Some((length, phrase.roles)),
                };
            }
        }
        best
    }

    /// Returns the terms of a language without spaces in `text`: their byte ranges and roles.
    pub(crate) fn find_unspaced<'a>(
        &'a self,
        text: &'a str,
    ) -> Option<impl Iterator<Item = (std::ops::Range<usize>, Roles)> + 'a> {
        let (automaton, roles) = self.unspaced.as_ref()?;
        Some(
            automaton
                .find_iter(text)
                .map(move |found| (found.range(), roles[found.pattern().as_usize()])),
        )
    }
}

/// Gives each term that denies by itself (`没有找到`) the roles of the terms that it consists of.
fn add_roles_of_parts(terms: &mut HashMap<String, Roles>) {
    let parts = Roles::NO
        .union(Roles::NOT)
        .union(Roles::NOTHING)
        .union(Roles::FIND)
        .union(Roles::KNOW)
        .union(Roles::INFORMATION);
    let known = terms.clone();
    for (term, roles) in terms.iter_mut().filter(|(_, roles)| roles.has(Roles::MISSING)) {
        let ends: Vec<usize> = term.char_indices().map(|(i, _)| i).chain([term.len()]).collect();
        for (i, &from) in ends.iter().enumerate() {
            for &to in ends.iter().skip(i + 1).filter(|&&to| to - from < term.len()) {
                let part = known.get(&term[from..to]).copied().unwrap_or(Roles::NONE);
                *roles = roles.union(part.intersection(parts));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    #[test]
    fn every_line_of_every_language_has_a_known_key() {
        for language in Language::all() {
            for line in super::super::SOURCES[language.0].terms.lines() {
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                let key = line
                    .split_once('=')
                    .map(|(key, _)| key.trim())
                    .unwrap_or_default();
                let is_known = ["frequent", "ending", "prefix", "derivation"].contains(&key)
                    || KEYS.iter().any(|known| known.0 == key);
                assert!(is_known, "{}: {line}", language.code());
            }
        }
    }

    #[test]
    fn words_stems_and_phrases_have_their_roles() {
        let lexicon = Lexicon::parse(
            "no = kein keine*\nabout = über in_Bezug_auf\ninformation = keine*",
            false,
        );
        assert_eq!(lexicon.roles("kein"), Roles::NO);
        assert_eq!(lexicon.roles("keinerlei"), Roles::NO.union(Roles::INFORMATION));
        assert_eq!(lexicon.roles("uber"), Roles::ABOUT);
        assert_eq!(lexicon.roles("in"), Roles::NONE);
        assert_eq!(
            lexicon.phrase("in", &["bezug", "auf", "x"].into_iter()),
            Some((3, Roles::ABOUT))
        );
        assert_eq!(lexicon.phrase("in", &["bezug", "zu"].into_iter()), None);
    }
}
