//! Ordinals: the numbers of prompts, models, brands, checks, shards, recommendations and tasks in keys, plans
//! and facts.
//!
//! Each kind has its own type, so that the ordinal of a prompt cannot be passed as that of a model. Ordinals
//! are stored as plain numbers.

use crate::number::{to_u32, to_usize};
use std::fmt;
use std::hash::Hash;

use serde::{Deserialize, Serialize};

/// A type of ordinals.
pub trait Ordinal: Copy + Ord + Hash + fmt::Debug + From<u32> + Into<u32> {}

/// Indexes that a single file uses have no type of their own.
impl Ordinal for u32 {}

macro_rules! ordinals {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(u32);

        impl $name {
            pub const fn new(number: u32) -> Self {
                Self(number)
            }

            pub const fn get(self) -> u32 {
                self.0
            }

            /// Returns the ordinal after this one.
            pub const fn next(self) -> Self {
                Self(self.0.saturating_add(1))
            }

            /// Returns the ordinal of the element at `index` of a list that is in the order of the ordinals.
            pub fn from_index(index: usize) -> Self {
                Self(to_u32(index))
            }

            /// Returns the index of the element with this ordinal in a list that is in the order of the
            /// ordinals.
            pub fn index(self) -> usize {
                to_usize(self.0)
            }
        }

        impl Ordinal for $name {}

        impl From<u32> for $name {
            fn from(number: u32) -> Self {
                Self(number)
            }
        }

        impl From<$name> for u32 {
            fn from(ordinal: $name) -> Self {
                ordinal.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

ordinals! {
    /// The number of a prompt in its entity. It counts from 1 and is never reused.
    PromptOrdinal
    /// The number of a model in its entity, which is its index in the list of all models that the entity ever
    /// asked.
    ModelOrdinal
    /// The number of a brand in its workspace, counted from 1. Facts store it, so it never changes.
    BrandOrdinal
    /// The number of a check in its entity, counted from 1.
    CheckNumber
    /// The number of a shard in its check, counted from 0.
    ShardNumber
    /// The number of a recommendation on its entity's board, counted from 1.
    ActionableOrdinal
    /// The number of a task on its entity's board, counted from 1.
    TaskOrdinal
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn an_ordinal_is_stored_as_a_plain_number_also_as_a_key() {
        let asks = BTreeMap::from([(PromptOrdinal::new(7), CheckNumber::new(2))]);
        let json = serde_json::to_string(&asks).unwrap();
        assert_eq!(json, r#"{"7":2}"#);
        assert_eq!(
            serde_json::from_str::<BTreeMap<PromptOrdinal, CheckNumber>>(&json).unwrap(),
            asks
        );
    }

    #[test]
    fn an_ordinal_is_displayed_as_its_number_with_the_format_of_a_number() {
        assert_eq!(format!("{:07}", PromptOrdinal::new(12)), "0000012");
    }
}
