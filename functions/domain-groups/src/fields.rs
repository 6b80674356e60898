//! The fields that requests to create and to update a group share.

use std::collections::BTreeSet;

use api::{ApiError, JsonBody};
use domain::brand;
use domain::error::InvalidField;
use domain::group::BrandReference;
use domain::limits::{MAX_GROUP_MEMBERS, MIN_GROUP_MEMBERS};

/// Parses the field `name`. Returns `None` if it is absent.
pub(crate) fn parse_name(body: &JsonBody) -> Result<Option<String>, InvalidField> {
    let name = body.text("name")?;
    name.map(|name| brand::parse_name("name", name)).transpose()
}

/// Parses an optional field that refers to a brand. Returns `None` if it is absent, and an error if it is
/// empty.
pub(crate) fn parse_reference(body: &JsonBody, field: &str) -> Result<Option<BrandReference>, InvalidField> {
    Ok(body.optional_id(field)?.map(BrandReference::parse))
}

/// Parses the field `entities`, the references to the members in their order. Returns `None` if it is absent,
/// and an error if the number of different references is out of range.
pub(crate) fn parse_members(body: &JsonBody) -> Result<Option<Vec<BrandReference>>, ApiError> {
    let Some(texts) = body.text_list("entities")? else {
        return Ok(None);
    };
    if let Some(index) = texts.iter().position(|text| text.trim().is_empty()) {
        return Err(InvalidField::new(format!("entities[{index}]"), "is required").into());
    }
    let distinct: BTreeSet<&str> = texts.iter().map(|text| text.trim()).collect();
    if !(MIN_GROUP_MEMBERS..=MAX_GROUP_MEMBERS).contains(&distinct.len()) {
        let rule = format!("must be {MIN_GROUP_MEMBERS} to {MAX_GROUP_MEMBERS} different entities");
        return Err(InvalidField::new("entities", rule).into());
    }
    Ok(Some(texts.into_iter().map(BrandReference::parse).collect()))
}
