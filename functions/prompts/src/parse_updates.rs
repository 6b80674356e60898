//! Parses the body of `PATCH /entities/updateprompt`.

use api::prompts::{parse_geolocation, parse_language, parse_tags};
use api::{ApiError, JsonBody, parse_id};
use domain::error::InvalidField;
use domain::key_scope::KeyScope;
use domain::limits::MAX_PROMPT_UPDATES_PER_REQUEST;
use domain::prompt::{PromptChange, PromptText, PromptUpdate, validate_total_text_size};
use domain::tag::Tag;

/// The fields of a prompt that a client can change.
const FIELDS: [&str; 5] = ["prompt", "language", "geolocation", "isActive", "tags"];

/// The updates of a request.
pub(crate) struct PromptUpdates {
    pub(crate) updates: Vec<PromptUpdate>,
    /// Whether the body itself is the only update, without the list `updates`.
    pub(crate) is_single: bool,
}

/// An update whose prompt id is not parsed yet.
struct UpdateFields {
    prompt_id: String,
    change: PromptChange,
}

/// Parses the list `updates` or, without it, the body as a single update. `tags` are the workspace's tags.
///
/// Returns 400 if a field is invalid, and 404 if all fields are valid but an id is malformed.
pub(crate) fn parse_updates(
    body: &JsonBody,
    tags: &[Tag],
    scope: &KeyScope,
) -> Result<PromptUpdates, ApiError> {
    let list = body.list("updates")?;
    let fields = match list {
        Some(values) => {
            check_update_list(body, values.len())?;
            let items = values.iter().enumerate();
            let entries = items.map(|(index, value)| body.item("updates", index, value));
            parse_update_list(&entries.collect::<Result<Vec<_>, _>>()?, tags)?
        }
        None => vec![parse_update("body", body, tags)?],
    };
    let updates = fields.into_iter().enumerate().map(|(index, update)| {
        let in_list = list.map(|_| format!("updates[{index}].promptId"));
        update.with_parsed_id(scope, in_list)
    });
    Ok(PromptUpdates {
        updates: updates.collect::<Result<_, _>>()?,
        is_single: list.is_none(),
    })
}

fn parse_update_list(entries: &[JsonBody], tags: &[Tag]) -> Result<Vec<UpdateFields>, InvalidField> {
    let mut parsed: Vec<UpdateFields> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let update = parse_update(&format!("updates[{index}]"), entry, tags)?;
        if parsed.iter().any(|other| other.prompt_id == update.prompt_id) {
            return Err(InvalidField::new(
                entry.full_name("promptId"),
                "must be given only once",
            ));
        }
        parsed.push(update);
    }
    let texts = parsed.iter().filter_map(|update| update.change.text.as_ref());
    validate_total_text_size("updates", texts)?;
    Ok(parsed)
}

/// Checks the number of updates, and that the body has no fields of a single update beside them.
fn check_update_list(body: &JsonBody, count: usize) -> Result<(), InvalidField> {
    let single_field = std::iter::once("promptId")
        .chain(FIELDS)
        .find(|field| is_effective(body, field));
    if let Some(field) = single_field {
        let rule = format!("must not be given together with {field}");
        return Err(InvalidField::new("updates", rule));
    }
    if !(1..=MAX_PROMPT_UPDATES_PER_REQUEST).contains(&count) {
        let rule = format!("must be 1 to {MAX_PROMPT_UPDATES_PER_REQUEST} updates");
        return Err(InvalidField::new("updates", rule));
    }
    Ok(())
}

/// Parses one update. `name` identifies the update in errors.
fn parse_update(name: &str, fields: &JsonBody, tags: &[Tag]) -> Result<UpdateFields, InvalidField> {
    let prompt_id = fields.required_text("promptId")?.trim().to_owned();
    let text = fields.text("prompt")?;
    let change = PromptChange {
        text: text
            .map(|text| PromptText::parse(&fields.full_name("prompt"), text))
            .transpose()?,
        // `null` removes the prompt's own language or geolocation, so that the entity's applies.
        language: fields
            .has("language")
            .then(|| parse_language(fields))
            .transpose()?,
        geolocation: fields
            .has("geolocation")
            .then(|| parse_geolocation(fields))
            .transpose()?,
        is_active: fields.flag("isActive")?,
        tags: parse_tags(fields, tags)?,
    };
    if change.is_empty() {
        let rule = format!("must have at least one of {}", FIELDS.join(", "));
        return Err(InvalidField::new(name, rule));
    }
    Ok(UpdateFields { prompt_id, change })
}

/// Returns whether a field has an effect. `null` has an effect only for `language` and `geolocation`.
fn is_effective(body: &JsonBody, field: &str) -> bool {
    body.is_given(field) || ["language", "geolocation"].contains(&field) && body.has(field)
}

impl UpdateFields {
    /// Parses the prompt's id. `in_list` names the field in errors if it is one of several.
    fn with_parsed_id(self, scope: &KeyScope, in_list: Option<String>) -> Result<PromptUpdate, ApiError> {
        let id = parse_id(scope, &self.prompt_id);
        Ok(PromptUpdate {
            id: id.map_err(|error| match in_list {
                Some(field) => ApiError::not_found_at("Prompt", &field),
                None => error,
            })?,
            change: self.change,
        })
    }
}
