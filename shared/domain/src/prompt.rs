//! Prompts, and the rules for adding them.

mod change;
mod naming;

use std::fmt;

pub use change::{PromptChange, PromptUpdate};
pub use naming::names_brand;
use serde::{Deserialize, Serialize};

use crate::error::InvalidField;
use crate::id::TagId;
use crate::limits::{
    MAX_PROMPT_BYTES_PER_REQUEST, MAX_PROMPT_CHARS, MAX_PROMPTS_PER_REQUEST, MAX_TAGS_PER_PROMPT,
};
use crate::locale::{Geolocation, Language};
use crate::ordinal::PromptOrdinal;
use crate::tag::Tag;
use crate::text::validate_text;
use crate::time::Timestamp;

/// The text of a prompt. It is trimmed, and has 1 to 1,000 characters and no control characters except line
/// breaks and tabs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PromptText(String);

impl PromptText {
    pub fn parse(field: &str, text: &str) -> Result<Self, InvalidField> {
        validate_text(field, text, MAX_PROMPT_CHARS, true).map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PromptText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<PromptText> for String {
    fn from(text: PromptText) -> Self {
        text.0
    }
}

impl TryFrom<String> for PromptText {
    type Error = InvalidField;
    fn try_from(text: String) -> Result<Self, InvalidField> {
        Self::parse("prompt", &text)
    }
}

/// A prompt of an entity. A deleted prompt remains stored, because its responses refer to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    pub ordinal: PromptOrdinal,
    pub text: PromptText,
    /// The language of the prompt, or `None` for that of the entity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub geolocation: Option<Geolocation>,
    pub created_at: Timestamp,
    pub is_active: bool,
    pub is_deleted: bool,
    /// The tags of the prompt. They can include tags that no longer exist.
    pub tags: Vec<TagId>,
}

impl Prompt {
    /// Returns whether checks ask the prompt, which is neither paused nor deleted.
    pub fn is_asked(&self) -> bool {
        self.is_active && !self.is_deleted
    }

    /// Removes the tags that are not in `existing`.
    pub fn drop_deleted_tags(&mut self, existing: &[Tag]) {
        self.tags.retain(|id| existing.iter().any(|tag| tag.id == *id));
    }
}

/// A prompt that a request adds. `None` stands for the language or geolocation of the entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPrompt {
    pub text: PromptText,
    pub language: Option<Language>,
    pub geolocation: Option<Geolocation>,
    pub tags: Vec<TagId>,
}

/// Removes duplicates from the prompts of a request. The first of them remains, with the tags of all.
///
/// Duplicates have exactly the same text and the same language and geolocation. Fails if the request exceeds
/// 90 prompts or 200 KiB of text, including duplicates, or if a prompt has more than 20 tags.
pub fn deduplicate_prompts(prompts: Vec<NewPrompt>) -> Result<Vec<NewPrompt>, InvalidField> {
    if prompts.len() > MAX_PROMPTS_PER_REQUEST {
        let rule = format!("must be at most {MAX_PROMPTS_PER_REQUEST} in one request");
        return Err(InvalidField::new("prompts", rule));
    }
    validate_total_text_size("prompts", prompts.iter().map(|prompt| &prompt.text))?;
    merge_duplicates(prompts, |prompt| (prompt.language, prompt.geolocation))
}

/// Removes duplicates from the prompts of an entity with this language and geolocation. The first of them
/// remains, with the tags of all.
///
/// A prompt that names the entity's own language or geolocation is a duplicate of one that names none. Fails
/// if a prompt has more than 20 tags.
pub fn deduplicate_for_entity(
    prompts: Vec<NewPrompt>,
    language: Language,
    geolocation: Geolocation,
) -> Result<Vec<NewPrompt>, InvalidField> {
    merge_duplicates(prompts, |prompt| {
        (
            prompt.language.unwrap_or(language),
            prompt.geolocation.unwrap_or(geolocation),
        )
    })
}

/// Merges the prompts that have the same text and the same `locale`.
fn merge_duplicates<L: PartialEq>(
    prompts: Vec<NewPrompt>,
    locale: impl Fn(&NewPrompt) -> L,
) -> Result<Vec<NewPrompt>, InvalidField> {
    let mut kept: Vec<NewPrompt> = Vec::new();
    for prompt in prompts {
        let is_duplicate =
            |first: &&mut NewPrompt| first.text == prompt.text && locale(first) == locale(&prompt);
        match kept.iter_mut().find(is_duplicate) {
            Some(first) => {
                let more = prompt.tags.into_iter().filter(|tag| !first.tags.contains(tag));
                let more: Vec<TagId> = more.collect();
                first.tags.extend(more);
            }
            None => kept.push(prompt),
        }
    }
    if kept.iter().any(|prompt| prompt.tags.len() > MAX_TAGS_PER_PROMPT) {
        let rule = format!("must have at most {MAX_TAGS_PER_PROMPT} tags each, those of duplicates together");
        return Err(InvalidField::new("prompts", rule));
    }
    Ok(kept)
}

/// Checks that the texts of a request have at most 200 KiB together.
pub fn validate_total_text_size<'a>(
    field: &str,
    texts: impl Iterator<Item = &'a PromptText>,
) -> Result<(), InvalidField> {
    let bytes: usize = texts.map(|text| text.0.len()).sum();
    if bytes > MAX_PROMPT_BYTES_PER_REQUEST {
        let rule = format!(
            "must have at most {} KiB of text in one request",
            MAX_PROMPT_BYTES_PER_REQUEST / 1024
        );
        return Err(InvalidField::new(field, rule));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn new_prompt(text: &str, country: Option<&str>) -> NewPrompt {
        NewPrompt {
            text: PromptText::parse("prompt", text).unwrap(),
            language: None,
            geolocation: country.map(|code| Geolocation::parse("geolocation", code).unwrap()),
            tags: Vec::new(),
        }
    }

    fn tagged(text: &str, tags: Range<u128>) -> NewPrompt {
        NewPrompt {
            tags: tags.map(|n| TagId::from_random(Uuid::from_u128(n))).collect(),
            ..new_prompt(text, None)
        }
    }

    #[test]
    fn a_text_is_trimmed_and_bounded_in_characters() {
        let text = |text: &str| PromptText::parse("prompts[0]", text);
        assert_eq!(text(" Which\nCRM? ").unwrap().as_str(), "Which\nCRM?");
        assert!(text(&"字".repeat(1_000)).is_ok());
        assert_eq!(
            text(&"字".repeat(1_001)).unwrap_err().to_string(),
            "prompts[0] must be 1 to 1000 characters"
        );
        assert!(text(" \n ").is_err());
        assert_eq!(
            text("a\u{7}b").unwrap_err().to_string(),
            "prompts[0] must not contain control characters"
        );
    }

    #[test]
    fn a_stored_text_is_validated() {
        let text = PromptText::parse("prompt", "Which CRM?").unwrap();
        let written = serde_json::to_string(&text).unwrap();
        assert_eq!(written, r#""Which CRM?""#);
        assert_eq!(serde_json::from_str::<PromptText>(&written).unwrap(), text);
        assert!(serde_json::from_str::<PromptText>(r#""""#).is_err());
    }

    #[test]
    fn the_first_of_equal_prompts_is_kept() {
        let given = vec![
            new_prompt("b", None),
            new_prompt("a", None),
            new_prompt(" b ", None),
            new_prompt("B", None),
            new_prompt("b", Some("us")),
            new_prompt("b", Some("US")),
        ];
        let kept = deduplicate_prompts(given).unwrap();
        assert_eq!(
            kept,
            [
                new_prompt("b", None),
                new_prompt("a", None),
                new_prompt("B", None),
                new_prompt("b", Some("us"))
            ]
        );
    }

    #[test]
    fn the_entitys_own_language_and_geolocation_are_the_same_as_none() {
        let (language, geolocation) = (
            Language::default(),
            Geolocation::parse("geolocation", "us").unwrap(),
        );
        let of_entity = NewPrompt {
            language: Some(language),
            ..tagged("a", 0..2)
        };
        let given = vec![
            of_entity.clone(),
            tagged("a", 2..3),
            new_prompt("a", Some("us")),
            new_prompt("a", Some("gb")),
        ];
        let kept = [
            NewPrompt {
                tags: tagged("a", 0..3).tags,
                ..of_entity
            },
            new_prompt("a", Some("gb")),
        ];
        assert_eq!(
            deduplicate_for_entity(given, language, geolocation).unwrap(),
            kept
        );
        let too_many = vec![
            tagged("a", 0..15),
            NewPrompt {
                language: Some(language),
                ..tagged("a", 15..21)
            },
        ];
        assert!(deduplicate_for_entity(too_many, language, geolocation).is_err());
    }

    #[test]
    fn duplicates_are_one_prompt_with_the_tags_of_all() {
        let given = vec![tagged("a", 0..2), tagged("b", 5..6), tagged("a", 1..4)];
        let kept = [tagged("a", 0..4), tagged("b", 5..6)];
        assert_eq!(deduplicate_prompts(given).unwrap(), kept);
        assert!(deduplicate_prompts(vec![tagged("a", 0..15), tagged("a", 5..20)]).is_ok());
        assert_eq!(
            deduplicate_prompts(vec![tagged("a", 0..15), tagged("a", 6..21)])
                .unwrap_err()
                .to_string(),
            "prompts must have at most 20 tags each, those of duplicates together"
        );
    }

    #[test]
    fn a_request_has_at_most_90_prompts_duplicates_included() {
        assert_eq!(
            deduplicate_prompts(vec![new_prompt("a", None); 90])
                .unwrap()
                .len(),
            1
        );
        assert_eq!(
            deduplicate_prompts(vec![new_prompt("a", None); 91])
                .unwrap_err()
                .to_string(),
            "prompts must be at most 90 in one request"
        );
    }

    #[test]
    fn a_request_has_at_most_200_kib_of_text() {
        // 4,000 bytes each: 51 fit, 52 do not.
        let long = new_prompt(&"𝒂".repeat(1_000), None);
        assert!(deduplicate_prompts(vec![long.clone(); 51]).is_ok());
        assert_eq!(
            deduplicate_prompts(vec![long; 52]).unwrap_err().to_string(),
            "prompts must have at most 200 KiB of text in one request"
        );
    }

    proptest! {
        #[test]
        fn each_prompt_is_kept_once_and_in_order(texts in prop::collection::vec("[ab]{1,2}", 0..20)) {
            let given: Vec<NewPrompt> = texts.iter().map(|text| new_prompt(text, None)).collect();
            let kept = deduplicate_prompts(given.clone()).unwrap();
            let mut expected: Vec<NewPrompt> = Vec::new();
            for prompt in given {
                if !expected.contains(&prompt) {
                    expected.push(prompt);
                }
            }
            prop_assert_eq!(kept, expected);
        }
    }
}
