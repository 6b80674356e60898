//! Texts by number: domains, URLs or queries that many segments name.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Distinct texts, numbered from 0 in the order in which they came.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    /// One after the other, so that a text costs no allocation of its own.
    all: String,
    /// Where each text ends in `all`.
    ends: Vec<u32>,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Texts {
    /// The text's number; a new one gets the next.
    pub fn number(&mut self, text: &str) -> u32 {
        let hash = self.hasher.hash_one(text);
        let Self {
            all,
            ends,
            numbers,
            hasher,
        } = self;
        let known = numbers.find(hash, |number| slice(all, ends, *number) == text);
        if let Some(number) = known {
            return *number;
        }
        let number = u32::try_from(ends.len()).unwrap_or(u32::MAX);
        all.push_str(text);
        ends.push(u32::try_from(all.len()).unwrap_or(u32::MAX));
        numbers.insert_unique(hash, number, |number| hasher.hash_one(slice(all, ends, *number)));
        number
    }

    /// The number of a text that is there.
    pub fn find(&self, text: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(text);
        let is_it = |number: &u32| slice(&self.all, &self.ends, *number) == text;
        self.numbers.find(hash, is_it).copied()
    }

    /// The text of that number; empty if there is none.
    pub fn get(&self, number: u32) -> &str {
        slice(&self.all, &self.ends, number)
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes of memory, about.
    pub fn bytes(&self) -> usize {
        self.all.capacity() + 4 * self.ends.capacity() + 5 * self.numbers.capacity()
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
            let mut texts = Texts::default();
            let mut distinct: Vec<&String> = Vec::new();
            for text in &given {
                if !distinct.contains(&text) {
                    distinct.push(text);
                }
                let number = texts.number(text);
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
    }
}
