//! The names of an enum's variants, as serde reads and writes them: a list that cannot lack one.

use serde::de::value::Error;
use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;

/// The names of `T`'s variants; none if `T` is no enum.
pub(crate) fn names<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // Nothing is read: the derived code says which names it knows, and that is all that is wanted.
    let _ = T::deserialize(Asked(&mut names));
    names
}

struct Asked<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("no value"))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        *self.0 = variants;
        Err(Error::custom("no value"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use domain::board::{SourceType, TaskType};

    use super::*;

    #[test]
    fn the_names_are_those_that_are_shown() {
        assert_eq!(names::<SourceType>(), SourceType::ALL.map(SourceType::name));
        assert_eq!(names::<TaskType>(), ["off-page", "on-page", "technical"]);
        assert_eq!(names::<u32>(), [""; 0]);
    }
}
