//! The fields that creation and change have in common.

use std::collections::BTreeSet;

use api::{ApiError, JsonBody};
use domain::brand;
use domain::error::InvalidField;
use domain::group::BrandReference;
use domain::limits::{MAX_GROUP_MEMBERS, MIN_GROUP_MEMBERS};

/// The field `name`, if it is there.
pub(crate) fn name(body: &JsonBody) -> Result<Option<String>, InvalidField> {
    let name = body.text("name")?;
    name.map(|name| brand::name("name", name)).transpose()
}

/// A reference in an optional field: there is none, or it is not empty.
pub(crate) fn reference(body: &JsonBody, field: &str) -> Result<Option<BrandReference>, InvalidField> {
    match body.text(field)? {
        Some(_) => Ok(Some(BrandReference::parse(body.required_text(field)?))),
        None => Ok(None),
    }
}

/// The field `entities`, if it is there: 2 to 45 different references in the order given.
pub(crate) fn entities(body: &JsonBody) -> Result<Option<Vec<BrandReference>>, ApiError> {
    let Some(texts) = body.text_list("entities")? else {
        return Ok(None);
    };
    if let Some(place) = texts.iter().position(|text| text.trim().is_empty()) {
        return Err(InvalidField::new(format!("entities[{place}]"), "is required").into());
    }
    let distinct: BTreeSet<&str> = texts.iter().map(|text| text.trim()).collect();
    if !(MIN_GROUP_MEMBERS..=MAX_GROUP_MEMBERS).contains(&distinct.len()) {
        let rule = format!("must be {MIN_GROUP_MEMBERS} to {MAX_GROUP_MEMBERS} different entities");
        return Err(InvalidField::new("entities", rule).into());
    }
    Ok(Some(texts.into_iter().map(BrandReference::parse).collect()))
}
