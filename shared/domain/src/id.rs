//! Typed identifiers. The ids of prompts, recommendations, tasks and responses contain the id of their
//! entity.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

use crate::ordinal::{ActionableOrdinal, CheckNumber, ModelOrdinal, PromptOrdinal, TaskOrdinal};
use crate::time::Day;

/// An id that may be that of an entity, or of an item of one.
pub trait OfEntity {
    /// What the id identifies, as errors call it.
    const ITEM: &'static str;

    /// Returns the entity. `None` if the id belongs to the workspace.
    fn of_entity(&self) -> Option<&EntityId>;
}

/// The error of a text that is not an id of the expected kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an id of this kind")]
pub struct ParseIdError;

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The number of digits of a random id.
const DIGITS: usize = 16;

/// Returns the lowest base62 digits of a random UUID, lowest first.
fn base62_digits(random: Uuid) -> [u8; DIGITS] {
    let mut rest = random.as_u128();
    [(); DIGITS].map(|()| {
        let digit = BASE62[(rest % 62) as usize];
        rest /= 62;
        digit
    })
}

fn parse_base62(text: &str) -> Result<[u8; DIGITS], ParseIdError> {
    let digits = text.as_bytes().try_into().map_err(|_| ParseIdError)?;
    let is_valid = text.bytes().all(|b| b.is_ascii_alphanumeric());
    is_valid.then_some(digits).ok_or(ParseIdError)
}

/// Parses an ordinal in base 36 with at most 7 digits. Leading zeros and upper-case digits are invalid.
fn parse_ordinal(text: &str) -> Result<u32, ParseIdError> {
    let is_canonical = !text.is_empty()
        && text.len() <= 7
        && (text.len() == 1 || !text.starts_with('0'))
        && text.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase());
    if !is_canonical {
        return Err(ParseIdError);
    }
    u32::from_str_radix(text, 36).map_err(|_| ParseIdError)
}

/// Formats a number in base 36 with lower-case digits.
fn base36(mut n: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit(n % 36, 36));
        n /= 36;
        if n == 0 {
            return digits.iter().rev().collect();
        }
    }
}

/// Implements serde for an id as its text, and its JSON Schema.
macro_rules! text_serde {
    ($name:ident, $pattern:expr) => {
        crate::schema::inline_schema!($name, {"type": "string", "pattern": $pattern});

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let text = String::deserialize(d)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

macro_rules! random_ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; DIGITS]);

        impl $name {
            /// Creates an id from a random UUID.
            pub fn from_random(random: Uuid) -> Self {
                Self(base62_digits(random))
            }

            pub fn as_str(&self) -> &str {
                std::str::from_utf8(&self.0).expect("ASCII is UTF-8")
            }
        }

        impl FromStr for $name {
            type Err = ParseIdError;
            fn from_str(text: &str) -> Result<Self, ParseIdError> {
                parse_base62(text).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($name)).field(&self.as_str()).finish()
            }
        }

        text_serde!($name, "^[0-9A-Za-z]{16}$");
    )*};
}

random_ids! {
    /// The id of a workspace.
    WorkspaceId
    /// The id of an entity.
    EntityId
    /// The id of a member of a workspace.
    MemberId
    /// The id of an API key. It is not secret, unlike the key itself.
    KeyId
    /// The id of a request to rename an entity.
    NameRequestId
    /// The id of a domain group.
    GroupId
    /// The id of a tag of prompts.
    TagId
    /// The id of a webhook.
    WebhookId
}

impl OfEntity for EntityId {
    const ITEM: &'static str = "Entity";

    fn of_entity(&self) -> Option<&EntityId> {
        Some(self)
    }
}

/// Implements [`OfEntity`] for the ids of items that belong to the workspace.
macro_rules! id_of_workspace {
    ($($name:ident: $item:literal),*) => {
        $(impl OfEntity for $name {
            const ITEM: &'static str = $item;

            fn of_entity(&self) -> Option<&EntityId> {
                None
            }
        })*
    };
}

id_of_workspace!(GroupId: "Domain group", TagId: "Tag", WebhookId: "Webhook");

macro_rules! child_id {
    ($(#[$doc:meta])* $name:ident, $ordinal:ident, $mark:literal, $item:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name {
            pub entity: EntityId,
            pub ordinal: $ordinal,
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}{}", self.entity, $mark, base36(self.ordinal.get()))
            }
        }

        impl FromStr for $name {
            type Err = ParseIdError;
            fn from_str(text: &str) -> Result<Self, ParseIdError> {
                let (entity, ordinal) = text.split_once($mark).ok_or(ParseIdError)?;
                Ok(Self {
                    entity: entity.parse()?,
                    ordinal: $ordinal::new(parse_ordinal(ordinal)?),
                })
            }
        }

        impl OfEntity for $name {
            const ITEM: &'static str = $item;

            fn of_entity(&self) -> Option<&EntityId> {
                Some(&self.entity)
            }
        }

        text_serde!($name, concat!("^[0-9A-Za-z]{16}", $mark, "[0-9a-z]{1,7}$"));
    };
}

child_id!(
    /// The id of a prompt, which consists of its entity and its ordinal, for example `0123456789abcdef-p7`.
    PromptId, PromptOrdinal, "-p", "Prompt"
);
child_id!(
    /// The id of a recommendation, which consists of its entity and its ordinal.
    ActionableId, ActionableOrdinal, "-a", "Actionable"
);
child_id!(
    /// The id of a task, which consists of its entity and its ordinal.
    TaskId, TaskOrdinal, "-t", "Task"
);

/// The id of a response. It identifies the entity, the check, the prompt and the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResponseId {
    pub entity: EntityId,
    /// The UTC day on which the check was claimed.
    pub day: Day,
    pub check: CheckNumber,
    pub prompt: PromptOrdinal,
    pub model: ModelOrdinal,
}

impl fmt::Display for ResponseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let day = self.day.0.max(0).unsigned_abs(); // There are no days before 1970.
        write!(f, "{}-r{}", self.entity, base36(day))?;
        write!(
            f,
            "-{}-{}-{}",
            base36(self.check.get()),
            base36(self.prompt.get()),
            base36(self.model.get())
        )
    }
}

impl FromStr for ResponseId {
    type Err = ParseIdError;
    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        let (entity, rest) = text.split_once("-r").ok_or(ParseIdError)?;
        let numbers = rest
            .split('-')
            .map(parse_ordinal)
            .collect::<Result<Vec<_>, _>>()?;
        let [day, check, prompt, model] = numbers[..] else {
            return Err(ParseIdError);
        };
        let day = Day(i32::try_from(day).map_err(|_| ParseIdError)?);
        Ok(Self {
            entity: entity.parse()?,
            day,
            check: check.into(),
            prompt: prompt.into(),
            model: model.into(),
        })
    }
}

impl OfEntity for ResponseId {
    const ITEM: &'static str = "Response";

    fn of_entity(&self) -> Option<&EntityId> {
        Some(&self.entity)
    }
}

text_serde!(ResponseId, "^[0-9A-Za-z]{16}-r[0-9a-z]{1,7}(-[0-9a-z]{1,7}){3}$");

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entity() -> EntityId {
        EntityId::from_random(Uuid::from_u128(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef))
    }

    proptest! {
        #[test]
        fn ids_round_trip_through_their_text(
            n in any::<u128>(), ordinal in any::<u32>(), day in 0..100_000i32, check in 0..1_000_000u32, model in 0..1000u32,
        ) {
            let entity = EntityId::from_random(Uuid::from_u128(n));
            prop_assert_eq!(entity.to_string().parse::<EntityId>().unwrap(), entity);
            let prompt = PromptId { entity, ordinal: ordinal.into() };
            prop_assert_eq!(prompt.to_string().parse::<PromptId>().unwrap(), prompt);
            let response = ResponseId {
                entity,
                day: Day(day),
                check: check.into(),
                prompt: ordinal.into(),
                model: model.into(),
            };
            prop_assert_eq!(response.to_string().parse::<ResponseId>().unwrap(), response);
        }

        #[test]
        fn no_text_makes_id_parsing_panic(text in ".{0,60}") {
            let _ = text.parse::<EntityId>();
            let _ = text.parse::<PromptId>();
            let _ = text.parse::<ResponseId>();
        }

        #[test]
        fn a_parsed_id_formats_as_the_parsed_text(text in "[0-9A-Za-z]{16}-(p[0-9a-z]{1,7}|r[0-9a-z]{1,4}(-[0-9a-z]{1,3}){3})") {
            if let Ok(id) = text.parse::<PromptId>() {
                prop_assert_eq!(id.to_string(), text.clone());
            }
            if let Ok(id) = text.parse::<ResponseId>() {
                prop_assert_eq!(id.to_string(), text);
            }
        }
    }

    #[test]
    fn response_ids_of_a_hundred_years_have_at_most_36_characters() {
        // 100 years of hourly checks, 40,000 prompts, 1,000 models.
        let response = ResponseId {
            entity: entity(),
            day: Day(60_000),
            check: 876_000.into(),
            prompt: 40_000.into(),
            model: 999.into(),
        };
        assert!(response.to_string().len() <= 36, "{response}");
    }

    #[test]
    fn an_id_of_another_kind_is_an_error() {
        let prompt = PromptId {
            entity: entity(),
            ordinal: 7.into(),
        }
        .to_string();
        assert!(prompt.parse::<EntityId>().is_err());
        assert!(prompt.parse::<ResponseId>().is_err());
        assert!(format!("{}-p007", entity()).parse::<PromptId>().is_err());
    }
}
