//! The fields that requests to create and to update a group share.

use std::collections::BTreeSet;

use api::{ApiError, Body, Input, JsonBody, Kind, List, Resource};
use domain::brand;
use domain::error::InvalidField;
use domain::group::BrandReference;
use domain::limits::{MAX_GROUP_MEMBERS, MAX_NAME_CHARS, MIN_GROUP_MEMBERS};

const ENTITIES: Input = Input::optional(
    "entities",
    Kind::List(&List {
        least: MIN_GROUP_MEMBERS,
        most: MAX_GROUP_MEMBERS,
        counts_distinct: true,
        ..List::of(
            Kind::Subject(Resource::Brand),
            "An entity's id, or an `entityUuid` that this workspace tracks or has seen, such as that of a row of \
             `/entities/competitors` or `/entities/citations`",
        )
    }),
    "The members: 2 to 45 different entities, including the primary one. Two entities of one brand are one member. None can be in \
     another group.",
);

/// The request to create a group.
pub(crate) const CREATE: Body = Body::Fields(&[
    Input::id(
        "primaryEntity",
        Resource::Brand,
        "The member that represents the group. It must be in `entities`.",
    ),
    Input {
        is_required: true,
        ..ENTITIES
    },
    Input::optional(
        "name",
        Kind::Name(MAX_NAME_CHARS),
        "The group's name. Without one the group has the name of its primary entity.",
    ),
    Input::optional(
        "entityId",
        Kind::Subject(Resource::Entity),
        "The scope: only the analytics of this entity are merged",
    ),
]);

/// The request to update a group.
pub(crate) const UPDATE: Body = Body::Fields(&[
    Input::id("groupId", Resource::Group, "The group"),
    Input::optional("name", Kind::Name(MAX_NAME_CHARS), "Its new name"),
    Input::optional(
        "primaryEntity",
        Kind::Subject(Resource::Brand),
        "Its new primary entity, which is one of its members",
    ),
    ENTITIES,
]);

/// Parses the field `name`. Returns `None` if it is absent.
pub(crate) fn parse_name(body: &JsonBody) -> Result<Option<String>, InvalidField> {
    let name = body.text("name")?;
    name.map(|name| brand::parse_name("name", name)).transpose()
}

/// Parses an optional field that refers to a brand. Returns `None` if it is absent, and an error if it is empty.
pub(crate) fn parse_reference(body: &JsonBody, field: &str) -> Result<Option<BrandReference>, InvalidField> {
    Ok(body.optional_id(field)?.map(BrandReference::parse))
}

/// Parses the field `entities`, the references to the members in their order. Returns `None` if it is absent, and an error if the
/// number of different references is out of range.
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
