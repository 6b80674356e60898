//! The models that clients choose.

use api::JsonBody;
use domain::catalogue::Catalogue;
use domain::error::InvalidField;
use uuid::Uuid;

/// The field `models`, if it is there: each once, in the order given, at least one, all from `GET /models`.
pub(crate) fn models(body: &JsonBody, catalogue: &Catalogue) -> Result<Option<Vec<Uuid>>, InvalidField> {
    let Some(given) = body.text_list("models")? else {
        return Ok(None);
    };
    let mut models = Vec::new();
    for (place, text) in given.iter().enumerate() {
        let known = Uuid::try_parse(text)
            .ok()
            .filter(|uuid| catalogue.get(*uuid).is_some());
        let rule = "must be the uuid of a model from GET /models";
        let uuid = known.ok_or_else(|| InvalidField::new(format!("models[{place}]"), rule))?;
        if !models.contains(&uuid) {
            models.push(uuid);
        }
    }
    if models.is_empty() {
        return Err(InvalidField::new("models", "must name at least one model"));
    }
    Ok(Some(models))
}
