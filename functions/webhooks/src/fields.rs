//! The fields that requests to create and to update a webhook share.

use api::{ApiError, JsonBody, parse_id};
use domain::error::InvalidField;
use domain::id::EntityId;
use domain::key_scope::KeyScope;
use domain::limits::MAX_WEBHOOK_ENTITIES;
use domain::webhook::{EventKind, Format, Targets, WebhookUrl};

use crate::requests::FORMAT;

/// Parses the field `url`. Returns `None` if it is absent.
pub(crate) fn parse_url(body: &JsonBody, targets: Targets) -> Result<Option<WebhookUrl>, InvalidField> {
    let url = body.text("url")?.map(|url| WebhookUrl::parse(url, targets));
    url.transpose().map_err(|rule| InvalidField::new("url", rule))
}

/// Parses the field `format`. Returns `None` if it is absent.
pub(crate) fn parse_format(body: &JsonBody) -> Result<Option<Format>, InvalidField> {
    FORMAT.word(body.text("format")?)
}

/// Parses the field `events`. Returns the distinct kinds in their order, or `None` if the field is absent.
pub(crate) fn parse_events(body: &JsonBody) -> Result<Option<Vec<EventKind>>, InvalidField> {
    let Some(texts) = body.text_list("events")? else {
        return Ok(None);
    };
    let parse = |(index, text): (usize, &&str)| {
        let kind = EventKind::selectable().find(|kind| kind.into_str() == text.trim());
        kind.ok_or_else(|| {
            let kinds: Vec<&str> = EventKind::selectable().map(|kind| kind.into_str()).collect();
            InvalidField::new(
                format!("events[{index}]"),
                format!("must be one of {}", kinds.join(", ")),
            )
        })
    };
    let mut kinds: Vec<EventKind> = texts.iter().enumerate().map(parse).collect::<Result<_, _>>()?;
    kinds.sort_unstable();
    kinds.dedup();
    if kinds.is_empty() {
        return Err(InvalidField::new(
            "events",
            "must have at least one kind of event",
        ));
    }
    Ok(Some(kinds))
}

/// The texts of the field `entityIds`.
pub(crate) struct EntityIds<'a>(Option<Vec<&'a str>>);

impl<'a> EntityIds<'a> {
    /// Reads the field. The ids are parsed after all other input is validated.
    pub(crate) fn read(body: &'a JsonBody) -> Result<Self, InvalidField> {
        let texts = body.text_list("entityIds")?;
        if texts
            .as_ref()
            .is_some_and(|texts| texts.len() > MAX_WEBHOOK_ENTITIES)
        {
            let rule = format!("must be at most {MAX_WEBHOOK_ENTITIES} entities");
            return Err(InvalidField::new("entityIds", rule));
        }
        let blank = texts
            .as_ref()
            .and_then(|texts| texts.iter().position(|text| text.trim().is_empty()));
        if let Some(index) = blank {
            return Err(InvalidField::new(format!("entityIds[{index}]"), "is required"));
        }
        Ok(Self(texts))
    }

    /// Parses the ids. An empty list stands for all entities, which is `Some(None)`. Returns `None` if the
    /// field is absent.
    pub(crate) fn parse(self, scope: &KeyScope) -> Result<Option<Option<Vec<EntityId>>>, ApiError> {
        let Some(texts) = self.0 else {
            return Ok(None);
        };
        let parse = |(index, text): (usize, &str)| {
            let id: Result<EntityId, ApiError> = parse_id(scope, text.trim());
            id.map_err(|_| ApiError::not_found_at("Entity", &format!("entityIds[{index}]")))
        };
        let mut ids: Vec<EntityId> = Vec::new();
        for id in texts.into_iter().enumerate().map(parse) {
            let id = id?;
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        Ok(Some((!ids.is_empty()).then_some(ids)))
    }
}
