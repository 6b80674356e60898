//! Prompts as clients send and see them.

use domain::entity::Entity;
use domain::error::InvalidField;
use domain::id::{PromptId, TagId};
use domain::locale::{Geolocation, Language};
use domain::prompt::{NewPrompt, Prompt, PromptText, deduplicated};
use domain::tag::{Tag, chosen};
use serde::Serialize;
use serde_json::Value;

use crate::JsonBody;

/// A prompt as every listing shows it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Prompt"))]
pub struct PromptView {
    /// The prompt's id.
    pub id: PromptId,
    /// The prompt's text.
    pub prompt: String,
    /// The prompt's own language, or else the entity's: ISO 639-1, with a region if one was given.
    pub language: Language,
    /// The prompt's own geolocation, or else the entity's: `global` or ISO 3166-1 alpha-2 in lower case.
    pub geolocation: Geolocation,
}

impl PromptView {
    /// The prompt with its own language and geolocation, or the entity's.
    pub fn new(entity: &Entity, prompt: &Prompt) -> Self {
        Self {
            id: PromptId {
                entity: entity.id.clone(),
                ordinal: prompt.ordinal,
            },
            prompt: prompt.text.as_str().to_owned(),
            language: *prompt.language.as_ref().unwrap_or(&entity.language),
            geolocation: *prompt.geolocation.as_ref().unwrap_or(&entity.geolocation),
        }
    }
}

/// The field `language`, if it is there.
pub fn language(fields: &JsonBody) -> Result<Option<Language>, InvalidField> {
    fields
        .text("language")?
        .map(|text| Language::parse(&fields.name("language"), text))
        .transpose()
}

/// The field `geolocation`, if it is there.
pub fn geolocation(fields: &JsonBody) -> Result<Option<Geolocation>, InvalidField> {
    fields
        .text("geolocation")?
        .map(|text| Geolocation::parse(&fields.name("geolocation"), text))
        .transpose()
}

/// The field `tags`, if it is there: a prompt's tags, all among `known`.
pub fn tags(fields: &JsonBody, known: &[Tag]) -> Result<Option<Vec<TagId>>, InvalidField> {
    fields
        .texts("tags")?
        .map(|ids| chosen(&fields.name("tags"), &ids, known))
        .transpose()
}

/// What the prompts of a request have that say nothing of their own.
#[derive(Debug, Clone, Default)]
pub struct Defaults<'a> {
    language: Option<Language>,
    geolocation: Option<Geolocation>,
    tags: Vec<TagId>,
    /// The tags that a prompt may name; `None` where prompts take no tags.
    known: Option<&'a [Tag]>,
}

impl<'a> Defaults<'a> {
    /// The fields `language`, `geolocation` and `tags` of the request itself.
    pub fn of(body: &JsonBody, known: &'a [Tag]) -> Result<Self, InvalidField> {
        Ok(Self {
            language: language(body)?,
            geolocation: geolocation(body)?,
            tags: tags(body, known)?.unwrap_or_default(),
            known: Some(known),
        })
    }

    /// A prompt without anything of its own.
    pub fn prompt(&self, text: PromptText) -> NewPrompt {
        NewPrompt {
            text,
            language: self.language,
            geolocation: self.geolocation,
            tags: self.tags.clone(),
        }
    }

    /// A prompt with the fields `prompt`, `language`, `geolocation` and `tags` of its own.
    fn own(&self, fields: &JsonBody) -> Result<NewPrompt, InvalidField> {
        let tags = self.known.map(|known| tags(fields, known)).transpose()?.flatten();
        Ok(NewPrompt {
            text: text(fields)?,
            language: language(fields)?.or(self.language),
            geolocation: geolocation(fields)?.or(self.geolocation),
            tags: tags.unwrap_or_else(|| self.tags.clone()),
        })
    }
}

/// The field `prompt`, which must be there.
pub fn text(fields: &JsonBody) -> Result<PromptText, InvalidField> {
    PromptText::parse(&fields.name("prompt"), fields.required_text("prompt")?)
}

/// The field `prompts`, if it is there: strings, or objects with `prompt` and their own language, geolocation and
/// tags. Duplicates are one prompt.
pub fn prompts(fields: &JsonBody, defaults: &Defaults<'_>) -> Result<Option<Vec<NewPrompt>>, InvalidField> {
    let Some(values) = fields.list("prompts")? else {
        return Ok(None);
    };
    let prompts = values
        .iter()
        .enumerate()
        .map(|(place, value)| match value {
            Value::String(text) => {
                let name = fields.name(&format!("prompts[{place}]"));
                PromptText::parse(&name, text).map(|text| defaults.prompt(text))
            }
            Value::Object(_) => defaults.own(&fields.item("prompts", place, value)?),
            _ => Err(InvalidField::new(
                format!("prompts[{place}]"),
                "must be a string or an object",
            )),
        })
        .collect::<Result<Vec<_>, _>>()?;
    deduplicated(prompts).map(Some)
}
