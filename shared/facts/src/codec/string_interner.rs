//! Interning of texts, such as domains, URLs and queries, that occur in many segments.

use std::hash::BuildHasher;

use domain::number::to_usize;
use hashbrown::{DefaultHashBuilder, HashTable};

use super::text_list::TextList;

/// The id of a text in its [`StringInterner`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StringId(u32);

impl StringId {
    /// Returns the id of the text that was interned as the `index`th, counted from 0.
    pub fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX)) // `UNKNOWN`, the id of no text
    }

    /// Returns the number of texts that were interned before this one.
    pub fn index(self) -> usize {
        to_usize(self.0)
    }
}

/// Distinct texts with ids, which count from 0 in the order in which the texts were interned.
#[derive(Debug, Clone, Default)]
pub struct StringInterner {
    texts: TextList,
    known: HashTable<Known>,
    hasher: DefaultHashBuilder,
    /// The cached results of [`StringInterner::intern_ascii_lowercase`], by text.
    lowercase: Vec<StringId>,
}

/// An interned text. Its hash is stored so that the table can grow without hashing the texts again.
#[derive(Debug, Clone, Copy)]
struct Known {
    hash: u64,
    id: StringId,
}

/// The id of no text.
const UNKNOWN: StringId = StringId(u32::MAX);

impl StringInterner {
    /// Returns the id of a text, which is the next free one if the text is new.
    pub fn intern(&mut self, text: &str) -> StringId {
        self.intern_hashed(self.hasher.hash_one(text), text)
    }

    /// Returns the id of each text. For many texts this is faster than [`StringInterner::intern`] for each.
    pub fn intern_all<'a>(&mut self, texts: impl Iterator<Item = &'a str> + Clone) -> Vec<StringId> {
        // The first pass compares only hashes, so that the processor can overlap the memory accesses of
        // several lookups. The second pass compares the texts themselves.
        let likely = |text| {
            let hash = self.hasher.hash_one(text);
            let known = self.known.find(hash, |known| known.hash == hash);
            (hash, known.map_or(UNKNOWN, |known| known.id))
        };
        let likely: Vec<(u64, StringId)> = texts.clone().map(likely).collect();
        let ids = texts.zip(likely).map(|(text, (hash, id))| {
            if id != UNKNOWN && self.get(id) == text {
                id
            } else {
                self.intern_hashed(hash, text)
            }
        });
        ids.collect()
    }

    fn intern_hashed(&mut self, hash: u64, text: &str) -> StringId {
        let Self { texts, known, .. } = self;
        let is_text = |known: &Known| known.hash == hash && texts.get(known.id.index()) == text;
        if let Some(found) = known.find(hash, is_text) {
            return found.id;
        }
        let id = StringId::from_index(texts.len());
        texts.push(text);
        known.insert_unique(hash, Known { hash, id }, |known| known.hash);
        id
    }

    /// Returns the id of the text with its ASCII letters in lower case. It is computed once for each text.
    pub fn intern_ascii_lowercase(&mut self, id: StringId) -> StringId {
        let index = id.index();
        if index >= self.len() {
            return id;
        }
        if self.lowercase.len() < self.len() {
            self.lowercase.resize(self.len(), UNKNOWN);
        }
        if let Some(lower) = self.lowercase.get(index).filter(|lower| **lower != UNKNOWN) {
            return *lower;
        }
        let text = self.get(id);
        let lower = if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            let text = text.to_ascii_lowercase();
            self.intern(&text)
        } else {
            id
        };
        if let Some(slot) = self.lowercase.get_mut(index) {
            *slot = lower;
        }
        lower
    }

    /// Returns the id of a text if it was interned.
    pub fn find(&self, text: &str) -> Option<StringId> {
        let hash = self.hasher.hash_one(text);
        let is_text = |known: &Known| known.hash == hash && self.get(known.id) == text;
        self.known.find(hash, is_text).map(|known| known.id)
    }

    /// Returns the text with that id, or an empty one if there is none.
    pub fn get(&self, id: StringId) -> &str {
        self.texts.get(id.index())
    }

    pub fn len(&self) -> usize {
        self.texts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equal_texts_have_one_id_and_ids_return_their_texts(given in vec("[aé字]{0,3}", 0..60)) {
            let mut texts = StringInterner::default();
            let mut distinct: Vec<&String> = Vec::new();
            for text in &given {
                if !distinct.contains(&text) {
                    distinct.push(text);
                }
                let id = texts.intern(text);
                prop_assert_eq!(distinct[id.index()], text);
            }
            prop_assert_eq!(texts.len(), distinct.len());
            for (id, text) in (0..).map(StringId::from_index).zip(&distinct) {
                prop_assert_eq!(texts.get(id), text.as_str());
                prop_assert_eq!(texts.find(text), Some(id));
            }
            prop_assert_eq!(texts.find("none of them"), None);
            prop_assert_eq!(texts.get(StringId::from_index(1_000)), "");
        }

        #[test]
        fn interning_many_texts_gives_the_ids_of_interning_each(days in vec(vec("[aB字]{0,3}", 0..40), 0..4)) {
            let (mut one, mut other) = (StringInterner::default(), StringInterner::default());
            for day in days {
                let each: Vec<StringId> = day.iter().map(|text| one.intern(text)).collect();
                prop_assert_eq!(other.intern_all(day.iter().map(String::as_str)), each);
            }
            prop_assert_eq!(one.len(), other.len());
        }

        #[test]
        fn lower_case_texts_are_interned_like_other_texts(given in vec("[aBbß]{0,3}", 0..40)) {
            let mut texts = StringInterner::default();
            for text in given.iter().chain(&given) {
                let id = texts.intern(text);
                let lower = texts.intern_ascii_lowercase(id);
                prop_assert_eq!(texts.get(lower), text.to_ascii_lowercase());
                prop_assert_eq!(texts.intern(&text.to_ascii_lowercase()), lower);
            }
            let beyond = StringId::from_index(1_000);
            prop_assert_eq!(texts.intern_ascii_lowercase(beyond), beyond);
        }
    }
}
