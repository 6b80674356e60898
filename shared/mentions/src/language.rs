//! The languages whose answers are read with data of their own.

mod detect;
mod lexicon;

use std::sync::OnceLock;

use crate::word_list::WordList;
pub(crate) use detect::detect;
pub(crate) use lexicon::{Lexicon, Roles};

/// A language with data of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Language(usize);

/// The data of a language as they are compiled in.
struct Source {
    /// The ISO 639-1 code.
    code: &'static str,
    /// The file in `languages/`. Its README describes the format.
    terms: &'static str,
    /// The list in `common_words/`, compressed by `build.rs`.
    common_words: &'static [u8],
}

/// The data of a language that has been used.
#[derive(Default)]
struct Loaded {
    lexicon: OnceLock<Lexicon>,
    common_words: OnceLock<WordList>,
}

macro_rules! sources {
    ($($code:literal)*) => {
        &[$(Source {
            code: $code,
            terms: include_str!(concat!("../languages/", $code, ".txt")),
            common_words: include_bytes!(concat!(env!("OUT_DIR"), "/", $code, ".words")),
        }),*]
    };
}

static SOURCES: &[Source] = sources! {
    "en" "ar" "cs" "da" "de" "el" "es" "fi" "fr" "he" "hi" "hu" "id" "it" "ja" "ko" "nl" "no" "pl" "pt" "ro" "ru" "sv" "th"
    "tr" "uk" "vi" "zh"
};

static LOADED: [Loaded; 28] = [const {
    Loaded {
        lexicon: OnceLock::new(),
        common_words: OnceLock::new(),
    }
}; 28];

impl Language {
    pub(crate) const ENGLISH: Self = Self(0);

    /// Returns all languages.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..SOURCES.len()).map(Self)
    }

    /// Returns the language with an ISO 639-1 code.
    pub(crate) fn of_code(code: &str) -> Option<Self> {
        SOURCES.iter().position(|source| source.code == code).map(Self)
    }

    /// Returns the ISO 639-1 code.
    pub(crate) fn code(self) -> &'static str {
        SOURCES[self.0].code
    }

    /// Returns the terms of the language. They are parsed when they are used first.
    pub(crate) fn lexicon(self) -> &'static Lexicon {
        LOADED[self.0]
            .lexicon
            .get_or_init(|| Lexicon::parse(SOURCES[self.0].terms, self.is_unspaced()))
    }

    /// Returns the common words of the language that are short enough for a list (`word_list`). They are
    /// decoded when they are used first.
    pub(crate) fn common_words(self) -> &'static WordList {
        LOADED[self.0]
            .common_words
            .get_or_init(|| WordList::decode(SOURCES[self.0].common_words))
    }

    /// Returns whether `word` is a common word, in small letters or as a German noun.
    pub(crate) fn has_common_word(self, word: &str) -> bool {
        self.common_words().contains(&word.to_lowercase()) || self.has_common_noun(word)
    }

    /// Returns whether `word` is a common word that is always written with a capital, as German nouns are.
    pub(crate) fn has_common_noun(self, word: &str) -> bool {
        let mut letters = word.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        let capitalized: String = first.chain(letters.flat_map(char::to_lowercase)).collect();
        self.common_words().contains(&capitalized)
    }

    /// Returns whether the language is written without spaces between words.
    pub(crate) fn is_unspaced(self) -> bool {
        ["ja", "th", "zh"].contains(&self.code())
    }

    /// Returns the lines of the file that start with `key`, without it.
    fn values(self, key: &str) -> impl Iterator<Item = &'static str> {
        lexicon::values(SOURCES[self.0].terms, key)
    }

    /// Returns the words for "and", as they are written.
    pub(crate) fn words_for_and(self) -> impl Iterator<Item = &'static str> {
        self.values("and")
    }

    /// Returns the endings of names that inflection replaces, such as the `a` of `Tesla`, as they are
    /// written.
    pub(crate) fn replaced_endings(self) -> impl Iterator<Item = &'static str> {
        self.values("ending")
            .filter_map(|ending| Some(ending.strip_prefix('-')?.split_once(':')?.0))
    }
}

/// Returns the common English words of at most eleven letters, and longer names of brands, in lower case,
/// sorted by byte.
pub fn common_words() -> impl Iterator<Item = &'static str> {
    Language::ENGLISH.common_words().iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_every_list_is_found_and_the_lists_are_sorted() {
        for language in Language::all() {
            let (list, mut last) = (language.common_words(), "");
            for word in list.iter() {
                assert!(last < word, "{last} before {word}");
                assert!(list.contains(word), "{word}");
                last = word;
            }
            let count = list.iter().count();
            assert!(
                (4_000..60_000).contains(&count),
                "{} has {count} words",
                language.code()
            );
        }
    }

    #[test]
    fn what_is_not_listed_is_not_common() {
        let english = Language::ENGLISH.common_words();
        for word in [
            "", "aaaa", "zzzzz", "hubspot", "notio", "notions!", "Notion", "best buy", "über", "\n",
        ] {
            assert!(!english.contains(word), "{word}");
        }
        for word in ["notion", "best", "buy", "apple", "monday"] {
            assert!(english.contains(word), "{word}");
        }
    }
}
