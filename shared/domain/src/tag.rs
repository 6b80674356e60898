//! Tags, with which a workspace organises its prompts.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::brand::fold_name;
use crate::error::InvalidField;
use crate::id::TagId;
use crate::limits::{MAX_TAG_CHARS, MAX_TAGS_PER_PROMPT};
use crate::text::validate_text;
use crate::time::Timestamp;

/// The name of a tag. It is trimmed, and has 1 to 60 characters, at least one visible character and no
/// control characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(inline)]
#[serde(try_from = "String", into = "String")]
pub struct TagName(String);

impl TagName {
    pub fn parse(field: &str, text: &str) -> Result<Self, InvalidField> {
        let name = validate_text(field, text, MAX_TAG_CHARS, false)?;
        if fold_name(&name).is_empty() {
            return Err(InvalidField::new(field, "must contain a visible character"));
        }
        Ok(Self(name))
    }

    /// Returns the key that is unique in a workspace: the SHA-256 of the folded name, in hexadecimal.
    pub fn uniqueness_key(&self) -> String {
        hex::encode(Sha256::digest(fold_name(&self.0)))
    }
}

impl From<TagName> for String {
    fn from(name: TagName) -> Self {
        name.0
    }
}

impl TryFrom<String> for TagName {
    type Error = InvalidField;
    fn try_from(text: String) -> Result<Self, InvalidField> {
        Self::parse("name", &text)
    }
}

/// A tag as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tag {
    pub id: TagId,
    pub name: TagName,
    pub created_at: Timestamp,
}

/// Parses the ids of a prompt's tags and removes duplicates. Fails if an id is not in `known`, or if there
/// are more than 20.
pub fn parse_tag_ids(field: &str, ids: &[&str], known: &[Tag]) -> Result<Vec<TagId>, InvalidField> {
    let mut tags = Vec::new();
    for (index, text) in ids.iter().enumerate() {
        let tag = known.iter().find(|tag| tag.id.as_str() == text.trim());
        let rule = "must be the id of a tag from GET /tags";
        let tag = tag.ok_or_else(|| InvalidField::new(format!("{field}[{index}]"), rule))?;
        if !tags.contains(&tag.id) {
            tags.push(tag.id);
        }
    }
    if tags.len() > MAX_TAGS_PER_PROMPT {
        return Err(InvalidField::new(
            field,
            format!("must be at most {MAX_TAGS_PER_PROMPT}"),
        ));
    }
    Ok(tags)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn tags(count: u128) -> Vec<Tag> {
        let tag = |n| Tag {
            id: TagId::from_random(Uuid::from_u128(n)),
            name: TagName::parse("name", &format!("Tag {n}")).unwrap(),
            created_at: Timestamp::from_millis(0),
        };
        (1..=count).map(tag).collect()
    }

    #[test]
    fn a_name_is_trimmed_and_has_a_visible_character() {
        let name = |text: &str| TagName::parse("name", text);
        assert_eq!(String::from(name("  Q3  Launch ").unwrap()), "Q3  Launch");
        let key = |text: &str| name(text).unwrap().uniqueness_key();
        assert_eq!(key("  Q3  LAUNCH "), key("q3 launch"));
        assert_ne!(key("Q3 launch"), key("Q4 launch"));
        assert_eq!(key(&"\u{fdfa}".repeat(60)).len(), 64);
        assert!(name(&"字".repeat(60)).is_ok());
        for (text, error) in [
            ("", "name must be 1 to 60 characters"),
            (&"a".repeat(61), "name must be 1 to 60 characters"),
            ("\u{200b}", "name must contain a visible character"),
            ("a\nb", "name must not contain control characters"),
        ] {
            assert_eq!(name(text).unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn a_prompt_gets_each_tag_once_in_the_order_given() {
        let known = tags(3);
        let id = |n: usize| known[n].id.as_str();
        let given = [id(2), id(0), id(2)];
        let ids = [known[2].id, known[0].id];
        assert_eq!(parse_tag_ids("tags", &given, &known).unwrap(), ids);
        assert_eq!(parse_tag_ids("tags", &[], &known).unwrap(), []);
    }

    #[test]
    fn an_unknown_tag_is_named_by_its_index() {
        let known = tags(2);
        let unknown = TagId::from_random(Uuid::from_u128(9));
        for text in [unknown.as_str(), "", "Tag 1", "é"] {
            let given = [known[0].id.as_str(), text];
            assert_eq!(
                parse_tag_ids("updates[3].tags", &given, &known)
                    .unwrap_err()
                    .to_string(),
                "updates[3].tags[1] must be the id of a tag from GET /tags"
            );
        }
    }

    #[test]
    fn a_prompt_has_at_most_20_different_tags() {
        let known = tags(21);
        let mut given: Vec<&str> = known[..20].iter().map(|tag| tag.id.as_str()).collect();
        given.push(given[0]);
        assert_eq!(parse_tag_ids("tags", &given, &known).unwrap().len(), 20);
        given.push(known[20].id.as_str());
        assert_eq!(
            parse_tag_ids("tags", &given, &known).unwrap_err().to_string(),
            "tags must be at most 20"
        );
    }
}
