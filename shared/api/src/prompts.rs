//! The prompts in requests and responses.

use std::collections::BTreeSet;

use domain::entity::Entity;
use domain::error::InvalidField;
use domain::id::{PromptId, TagId};
use domain::key_scope::KeyScope;
use domain::limits::{MAX_PROMPT_CHARS, MAX_PROMPTS_PER_REQUEST, MAX_TAGS_PER_PROMPT};
use domain::locale::{Geolocation, Language};
use domain::prompt::{NewPrompt, Prompt, PromptText, deduplicate_prompts};
use domain::tag::{Tag, parse_tag_ids};
use futures::future::try_join_all;
use serde::Serialize;
use serde_json::Value;
use store::{Store, StoreError, Tenant};

use crate::{ApiError, ApiRequest, Input, JsonBody, Kind, List, Resource};

/// The tags of a prompt in a request.
#[rustfmt::skip]
pub const TAGS: Input = Input::optional("tags",
    Kind::List(&List {
        most: MAX_TAGS_PER_PROMPT, counts_distinct: true,
        ..List::of(Kind::Choice(Resource::Tag), "The id of a tag from GET /tags")
    }),
    "All tags of the prompt, at most 20 different ones").extension();

/// The prompts in a request.
#[rustfmt::skip] // A line per field.
pub const PROMPTS: List = List {
    most: MAX_PROMPTS_PER_REQUEST,
    ..List::of(Kind::TextOrObject("NewPrompt", &[
        Input::required("prompt", Kind::Text(MAX_PROMPT_CHARS), PROMPT_TEXT),
        Input::optional("language", Kind::Language, "The prompt's own language."),
        Input::optional("geolocation", Kind::Geolocation, "The prompt's own geolocation."),
        TAGS,
    ]), PROMPT_TEXT)
};

/// Describes the text of a prompt.
pub const PROMPT_TEXT: &str = "The question, which is sent to the models unchanged";

/// The part of a prompt that every response with prompts shows.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "CreatedPrompt")]
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
    /// Creates the view of one of the entity's prompts.
    pub fn new(entity: &Entity, prompt: &Prompt) -> Self {
        Self {
            id: PromptId {
                entity: entity.id,
                ordinal: prompt.ordinal,
            },
            prompt: prompt.text.as_str().to_owned(),
            language: *prompt.language.as_ref().unwrap_or(&entity.language),
            geolocation: *prompt.geolocation.as_ref().unwrap_or(&entity.geolocation),
        }
    }
}

/// Parses the field `language`. Returns `None` if it is absent.
pub fn parse_language(fields: &JsonBody) -> Result<Option<Language>, InvalidField> {
    fields
        .text("language")?
        .map(|text| Language::parse(&fields.full_name("language"), text))
        .transpose()
}

/// Parses the field `geolocation`. Returns `None` if it is absent.
pub fn parse_geolocation(fields: &JsonBody) -> Result<Option<Geolocation>, InvalidField> {
    fields
        .text("geolocation")?
        .map(|text| Geolocation::parse(&fields.full_name("geolocation"), text))
        .transpose()
}

/// Parses the field `tags`, the ids of a prompt's tags. Returns `None` if it is absent, and an error if an id
/// is not among the workspace's tags `known`.
pub fn parse_tags(fields: &JsonBody, known: &[Tag]) -> Result<Option<Vec<TagId>>, InvalidField> {
    fields
        .text_list("tags")?
        .map(|ids| parse_tag_ids(&fields.full_name("tags"), &ids, known))
        .transpose()
}

/// Reads the tags that exist for a key: the workspace's, or those of the prompts that a bound key reaches.
pub async fn visible_tags(store: &Store, tenant: &Tenant, scope: &KeyScope) -> Result<Vec<Tag>, StoreError> {
    let mut tags = store.tags(tenant).await?;
    if let Some(entities) = &scope.entities {
        let prompts = entities.iter().map(|id| store.prompts(tenant, id));
        let prompts = try_join_all(prompts).await?;
        let prompts = prompts.iter().flatten().filter(|prompt| !prompt.is_deleted);
        let used: BTreeSet<&TagId> = prompts.flat_map(|prompt| &prompt.tags).collect();
        tags.retain(|tag| used.contains(&tag.id));
    }
    Ok(tags)
}

/// Reads the tags that exist for the request's key if the body has a field `tags` at any level. Otherwise
/// returns an empty list without a read of the table.
pub async fn known_tags<S>(
    request: &ApiRequest<S>,
    store: &Store,
    body: &JsonBody,
) -> Result<Vec<Tag>, ApiError> {
    if !body.is_given_at_any_level("tags") {
        return Ok(Vec::new());
    }
    Ok(visible_tags(store, &request.tenant, &request.key_scope).await?)
}

/// The language, geolocation and tags of the prompts in a request that do not have their own.
#[derive(Debug, Clone)]
pub struct PromptDefaults<'a> {
    language: Option<Language>,
    geolocation: Option<Geolocation>,
    tags: Vec<TagId>,
    /// The workspace's tags.
    known: &'a [Tag],
}

impl<'a> PromptDefaults<'a> {
    /// Creates the defaults of a request whose prompts follow the entity. `known` are the workspace's tags.
    pub fn of_entity(known: &'a [Tag]) -> Self {
        Self {
            language: None,
            geolocation: None,
            tags: Vec::new(),
            known,
        }
    }

    /// Parses the fields `language`, `geolocation` and `tags` of the body. `known` are the workspace's tags.
    pub fn parse(body: &JsonBody, known: &'a [Tag]) -> Result<Self, InvalidField> {
        Ok(Self {
            language: parse_language(body)?,
            geolocation: parse_geolocation(body)?,
            tags: parse_tags(body, known)?.into_iter().flatten().collect(),
            known,
        })
    }

    /// Creates a prompt that has all defaults.
    pub fn prompt(&self, text: PromptText) -> NewPrompt {
        NewPrompt {
            text,
            language: self.language,
            geolocation: self.geolocation,
            tags: self.tags.clone(),
        }
    }

    /// Parses a prompt with the field `prompt` and optional `language`, `geolocation` and `tags`.
    fn parse_prompt(&self, fields: &JsonBody) -> Result<NewPrompt, InvalidField> {
        Ok(NewPrompt {
            text: parse_prompt_text(fields)?,
            language: parse_language(fields)?.or(self.language),
            geolocation: parse_geolocation(fields)?.or(self.geolocation),
            tags: parse_tags(fields, self.known)?.unwrap_or_else(|| self.tags.clone()),
        })
    }
}

/// Parses the required field `prompt`, the text of a prompt.
pub fn parse_prompt_text(fields: &JsonBody) -> Result<PromptText, InvalidField> {
    PromptText::parse(&fields.full_name("prompt"), fields.required_text("prompt")?)
}

/// Parses the field `prompts`, a list of strings and of objects with `prompt` and optional `language`,
/// `geolocation` and `tags`.
///
/// Returns `None` if the field is absent. Duplicates become one prompt.
pub fn parse_prompts(
    fields: &JsonBody,
    defaults: &PromptDefaults<'_>,
) -> Result<Option<Vec<NewPrompt>>, InvalidField> {
    let Some(values) = fields.list("prompts")? else {
        return Ok(None);
    };
    let prompts = values
        .iter()
        .enumerate()
        .map(|(index, value)| match value {
            Value::String(text) => {
                let name = fields.full_name(&format!("prompts[{index}]"));
                PromptText::parse(&name, text).map(|text| defaults.prompt(text))
            }
            Value::Object(_) => defaults.parse_prompt(&fields.item("prompts", index, value)?),
            _ => Err(InvalidField::new(
                format!("prompts[{index}]"),
                "must be a string or an object",
            )),
        })
        .collect::<Result<Vec<_>, _>>()?;
    deduplicate_prompts(prompts).map(Some)
}
