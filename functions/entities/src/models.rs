//! The models in requests.

use api::JsonBody;
use domain::catalogue::Catalogue;
use domain::error::InvalidField;
use uuid::Uuid;

/// Parses the field `models`, the UUIDs of models in the catalogue. Returns `None` if it is absent.
///
/// The models keep their order, and repeated ones count once. The list must not be empty.
pub(crate) fn parse_models(
    body: &JsonBody,
    catalogue: &Catalogue,
) -> Result<Option<Vec<Uuid>>, InvalidField> {
    let Some(texts) = body.text_list("models")? else {
        return Ok(None);
    };
    let mut models = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let model = Uuid::try_parse(text)
            .ok()
            .filter(|uuid| catalogue.get(*uuid).is_some());
        let uuid =
            model.ok_or_else(|| InvalidField::new(format!("models[{index}]"), Catalogue::MODEL_RULE))?;
        if !models.contains(&uuid) {
            models.push(uuid);
        }
    }
    if models.is_empty() {
        return Err(InvalidField::new("models", "must name at least one model"));
    }
    Ok(Some(models))
}
