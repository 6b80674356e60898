//! A list of texts.

use domain::number::{to_u32, to_usize};

/// Texts one after the other, so that a text needs no allocation of its own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextList {
    all: String,
    /// The index in `all` at which each text ends.
    ends: Vec<u32>,
}

impl TextList {
    pub fn with_capacity(texts: usize) -> Self {
        Self {
            all: String::new(),
            ends: Vec::with_capacity(texts),
        }
    }

    pub fn push(&mut self, text: &str) {
        self.all.push_str(text);
        self.ends.push(to_u32(self.all.len()));
    }

    /// Returns the text with this index, or an empty one if there is none.
    pub fn get(&self, index: usize) -> &str {
        let Some(end) = self.ends.get(index) else {
            return "";
        };
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[to_usize(start)..to_usize(*end)]
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        (0..self.len()).map(|index| self.get(index))
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}
