//! What `PATCH /entities/updateprompt` is asked to change.

use api::prompts::{parse_geolocation, parse_language, parse_tags};
use api::{ApiError, JsonBody, parse_id};
use domain::error::InvalidField;
use domain::limits::MAX_PROMPT_UPDATES_PER_REQUEST;
use domain::prompt::{PromptChange, PromptText, PromptUpdate, fit_one_request};
use domain::tag::Tag;

const FIELDS: [&str; 5] = ["prompt", "language", "geolocation", "isActive", "tags"];

/// The updates of a request.
pub(crate) struct PromptUpdates {
    pub(crate) updates: Vec<PromptUpdate>,
    /// One prompt is named by the body itself, not by `updates`.
    pub(crate) is_single: bool,
}

/// Reads both modes. The ids come last: one that names nothing is 404, once all else is valid.
pub(crate) fn parse_updates(body: &JsonBody, known: &[Tag]) -> Result<PromptUpdates, ApiError> {
    let Some(updates) = body.list("updates")? else {
        let (id, change) = update("body", body, known)?;
        return Ok(PromptUpdates {
            updates: vec![identified(id, change)?],
            is_single: true,
        });
    };
    let single = std::iter::once("promptId")
        .chain(FIELDS)
        .find(|field| is_named(body, field));
    if let Some(field) = single {
        let rule = format!("must not be given together with {field}");
        return Err(InvalidField::new("updates", rule).into());
    }
    if !(1..=MAX_PROMPT_UPDATES_PER_REQUEST).contains(&updates.len()) {
        let rule = format!("must be 1 to {MAX_PROMPT_UPDATES_PER_REQUEST} updates");
        return Err(InvalidField::new("updates", rule).into());
    }
    let entries = updates
        .iter()
        .enumerate()
        .map(|(place, value)| body.item("updates", place, value))
        .collect::<Result<Vec<_>, _>>()?;
    let mut changes: Vec<(&str, PromptChange)> = Vec::new();
    for (place, entry) in entries.iter().enumerate() {
        let (id, change) = update(&format!("updates[{place}]"), entry, known)?;
        if changes.iter().any(|(other, _)| *other == id) {
            return Err(InvalidField::new(entry.full_name("promptId"), "must be given only once").into());
        }
        changes.push((id, change));
    }
    fit_one_request(
        "updates",
        changes.iter().filter_map(|(_, change)| change.text.as_ref()),
    )?;
    let updates = changes.into_iter().map(|(id, change)| identified(id, change));
    Ok(PromptUpdates {
        updates: updates.collect::<Result<_, _>>()?,
        is_single: false,
    })
}

/// One update: its `promptId` and what it changes.
fn update<'f>(
    name: &str,
    fields: &'f JsonBody,
    known: &[Tag],
) -> Result<(&'f str, PromptChange), InvalidField> {
    let id = fields.required_text("promptId")?.trim();
    let text = fields.text("prompt")?;
    let change = PromptChange {
        text: text
            .map(|text| PromptText::parse(&fields.full_name("prompt"), text))
            .transpose()?,
        // `null` follows the entity again.
        language: fields
            .has("language")
            .then(|| parse_language(fields))
            .transpose()?,
        geolocation: fields
            .has("geolocation")
            .then(|| parse_geolocation(fields))
            .transpose()?,
        is_active: fields.flag("isActive")?,
        tags: parse_tags(fields, known)?,
    };
    if change.is_empty() {
        let rule = format!("must have at least one of {}", FIELDS.join(", "));
        return Err(InvalidField::new(name, rule));
    }
    Ok((id, change))
}

/// The field is given: `null` counts where it says something.
fn is_named(body: &JsonBody, field: &str) -> bool {
    body.is_given(field) || ["language", "geolocation"].contains(&field) && body.has(field)
}

fn identified(id: &str, change: PromptChange) -> Result<PromptUpdate, ApiError> {
    Ok(PromptUpdate {
        id: parse_id(id, "Prompt")?,
        change,
    })
}
