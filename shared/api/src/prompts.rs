//! Prompts as clients send and see them.

use domain::entity::Entity;
use domain::error::Invalid;
use domain::id::PromptId;
use domain::locale::{Geolocation, Language};
use domain::prompt::{NewPrompt, Prompt, PromptText, deduplicated};
use serde::Serialize;
use serde_json::Value;

use crate::Fields;

/// A prompt as every listing shows it.
#[derive(Debug, Serialize)]
pub struct PromptView {
    pub id: PromptId,
    pub prompt: String,
    pub language: Language,
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
pub fn language(fields: &Fields) -> Result<Option<Language>, Invalid> {
    fields
        .text("language")?
        .map(|text| Language::parse(&fields.name("language"), text))
        .transpose()
}

/// The field `geolocation`, if it is there.
pub fn geolocation(fields: &Fields) -> Result<Option<Geolocation>, Invalid> {
    fields
        .text("geolocation")?
        .map(|text| Geolocation::parse(&fields.name("geolocation"), text))
        .transpose()
}

/// The field `prompts`, if it is there: strings, or objects with `prompt` and their own language and
/// geolocation. Duplicates are one prompt.
pub fn prompts(fields: &Fields) -> Result<Option<Vec<NewPrompt>>, Invalid> {
    let Some(values) = fields.list("prompts")? else {
        return Ok(None);
    };
    let prompts = values
        .iter()
        .enumerate()
        .map(|(place, value)| match value {
            Value::String(text) => Ok(NewPrompt {
                text: PromptText::parse(&fields.name(&format!("prompts[{place}]")), text)?,
                language: None,
                geolocation: None,
            }),
            Value::Object(_) => prompt(&fields.item("prompts", place, value)?),
            _ => Err(Invalid::new(
                format!("prompts[{place}]"),
                "must be a string or an object",
            )),
        })
        .collect::<Result<Vec<_>, _>>()?;
    deduplicated(prompts).map(Some)
}

/// The fields `prompt`, `language` and `geolocation`.
pub fn prompt(fields: &Fields) -> Result<NewPrompt, Invalid> {
    Ok(NewPrompt {
        text: PromptText::parse(&fields.name("prompt"), fields.required_text("prompt")?)?,
        language: language(fields)?,
        geolocation: geolocation(fields)?,
    })
}
