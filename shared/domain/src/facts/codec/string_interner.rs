//! Interned texts: domains, URLs or queries that occur in many segments.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Distinct texts with ids, which count from 0 in the order in which the texts were interned.
#[derive(Debug, Clone, Default)]
pub struct StringInterner {
    /// One after the other, so that a text costs no allocation of its own.
    all: String,
    /// Where each text ends in `all`.
    ends: Vec<u32>,
    numbers: HashTable<Known>,
    hasher: DefaultHashBuilder,
    /// What [`StringInterner::lower_case`] gave, by number.
    lowercase: Vec<u32>,
}

/// A text that has a number. With its hash the table grows without a look at the texts.
#[derive(Debug, Clone, Copy)]
struct Known {
    hash: u64,
    number: u32,
}

/// No text's number.
const UNKNOWN: u32 = u32::MAX;

impl StringInterner {
    /// Returns the id of a text, which is the next free one if the text is new.
    pub fn intern(&mut self, text: &str) -> u32 {
        self.intern_hashed(self.hasher.hash_one(text), text)
    }

    /// The number of each text, as [`StringInterner::number`] gives it, and faster where there are many.
    pub fn intern_all<'a>(&mut self, texts: impl Iterator<Item = &'a str> + Clone) -> Vec<u32> {
        // Looking into the table waits for memory. Without anything else to do in between, the processor waits
        // for several looks at once; whether a text of the same hash is the right one is seen afterwards.
        let likely = |text| {
            let hash = self.hasher.hash_one(text);
            let known = self.numbers.find(hash, |known| known.hash == hash);
            (hash, known.map_or(UNKNOWN, |known| known.number))
        };
        let likely: Vec<(u64, u32)> = texts.clone().map(likely).collect();
        let numbers = texts.zip(likely).map(|(text, (hash, number))| {
            if number != UNKNOWN && self.get(number) == text {
                number
            } else {
                self.intern_hashed(hash, text)
            }
        });
        numbers.collect()
    }

    fn intern_hashed(&mut self, hash: u64, text: &str) -> u32 {
        let Self {
            all, ends, numbers, ..
        } = self;
        let is_it = |known: &Known| known.hash == hash && slice(all, ends, known.number) == text;
        if let Some(known) = numbers.find(hash, is_it) {
            return known.number;
        }
        let number = u32::try_from(ends.len()).unwrap_or(UNKNOWN);
        all.push_str(text);
        ends.push(u32::try_from(all.len()).unwrap_or(u32::MAX));
        numbers.insert_unique(hash, Known { hash, number }, |known| known.hash);
        number
    }

    /// Returns the id of the text with its ASCII letters in lower case. It is computed once for each text.
    pub fn intern_ascii_lowercase(&mut self, number: u32) -> u32 {
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        if index >= self.len() {
            return number;
        }
        if self.lowercase.len() < self.len() {
            self.lowercase.resize(self.len(), UNKNOWN);
        }
        if let Some(lower) = self.lowercase.get(index).filter(|lower| **lower != UNKNOWN) {
            return *lower;
        }
        let text = self.get(number);
        let lower = if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            let text = text.to_ascii_lowercase();
            self.intern(&text)
        } else {
            number
        };
        if let Some(slot) = self.lowercase.get_mut(index) {
            *slot = lower;
        }
        lower
    }

    /// Returns the id of a text if it was interned.
    pub fn find(&self, text: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(text);
        let is_it = |known: &Known| known.hash == hash && self.get(known.number) == text;
        self.numbers.find(hash, is_it).map(|known| known.number)
    }

    /// Returns the text with that id, or an empty one if there is none.
    pub fn get(&self, number: u32) -> &str {
        slice(&self.all, &self.ends, number)
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the approximate size in memory in bytes.
    pub fn bytes(&self) -> usize {
        self.all.capacity()
            + 4 * (self.ends.capacity() + self.lowercase.capacity())
            + (1 + size_of::<Known>()) * self.numbers.capacity()
    }
}

fn slice<'a>(all: &'a str, ends: &[u32], number: u32) -> &'a str {
    let index = usize::try_from(number).unwrap_or(usize::MAX);
    let end = |index: usize| ends.get(index).and_then(|end| usize::try_from(*end).ok());
    let start = index.checked_sub(1).map_or(Some(0), end);
    match (start, end(index)) {
        (Some(start), Some(end)) => all.get(start..end).unwrap_or_default(),
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equal_texts_have_one_number_and_numbers_give_them_back(given in vec("[aé字]{0,3}", 0..60)) {
            let mut texts = StringInterner::default();
            let mut distinct: Vec<&String> = Vec::new();
            for text in &given {
                if !distinct.contains(&text) {
                    distinct.push(text);
                }
                let number = texts.intern(text);
                prop_assert_eq!(distinct[number as usize], text);
            }
            prop_assert_eq!(texts.len(), distinct.len());
            for (number, text) in (0u32..).zip(&distinct) {
                prop_assert_eq!(texts.get(number), text.as_str());
                prop_assert_eq!(texts.find(text), Some(number));
            }
            prop_assert_eq!(texts.find("none of them"), None);
            prop_assert_eq!(texts.get(1_000), "");
        }

        #[test]
        fn many_texts_get_the_numbers_that_each_alone_gets(days in vec(vec("[aB字]{0,3}", 0..40), 0..4)) {
            let (mut one, mut other) = (StringInterner::default(), StringInterner::default());
            for day in days {
                let each: Vec<u32> = day.iter().map(|text| one.intern(text)).collect();
                prop_assert_eq!(other.intern_all(day.iter().map(String::as_str)), each);
            }
            prop_assert_eq!(one.len(), other.len());
        }

        #[test]
        fn a_text_in_lower_case_is_a_text_like_any_other(given in vec("[aBbß]{0,3}", 0..40)) {
            let mut texts = StringInterner::default();
            for text in given.iter().chain(&given) {
                let number = texts.intern(text);
                let lower = texts.intern_ascii_lowercase(number);
                prop_assert_eq!(texts.get(lower), text.to_ascii_lowercase());
                prop_assert_eq!(texts.intern(&text.to_ascii_lowercase()), lower);
            }
            prop_assert_eq!(texts.intern_ascii_lowercase(1_000), 1_000);
        }
    }
}
