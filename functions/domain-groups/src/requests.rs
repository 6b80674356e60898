//! What requests take.

use api::{Body, Input, Kind, List, Resource};
use domain::limits::{MAX_GROUP_MEMBERS, MAX_NAME_CHARS, MIN_GROUP_MEMBERS};

/// The parameters of `GET /domain-groups`.
pub(crate) const GROUP_ID: Input =
    Input::optional("groupId", Kind::Subject(Resource::Group), "Only the group with this id");
pub(crate) const ENTITY_ID: Input = Input::optional("entityId", Kind::Subject(Resource::Entity),
    "Only groups that are scoped to this entity, and groups without a scope");

const ENTITIES: Input = Input::optional("entities",
    Kind::List(&List {
        least: MIN_GROUP_MEMBERS, most: MAX_GROUP_MEMBERS, counts_distinct: true,
        ..List::of(Kind::Subject(Resource::Brand),
            "An entity's id, or an `entityUuid` that this workspace tracks or has seen, such as that of a row of \
             `/entities/competitors` or `/entities/citations`")
    }),
    "The members: 2 to 45 different entities, including the primary one. Two entities of one brand are one member. None can be in \
     another group.");

/// The body of `POST /domain-groups`.
pub(crate) const CREATE: Body = Body::Fields(&[
    Input::id("primaryEntity", Resource::Brand, "The member that represents the group. It must be in `entities`."),
    Input { is_required: true, ..ENTITIES },
    Input::optional("name", Kind::Name(MAX_NAME_CHARS),
        "The group's name. Without one the group has the name of its primary entity."),
    Input::optional("entityId", Kind::Subject(Resource::Entity), "The scope: only the analytics of this entity are merged"),
]);

/// The body of `PATCH /domain-groups`.
pub(crate) const UPDATE: Body = Body::Fields(&[
    Input::id("groupId", Resource::Group, "The group"),
    Input::optional("name", Kind::Name(MAX_NAME_CHARS), "Its new name"),
    Input::optional("primaryEntity", Kind::Subject(Resource::Brand), "Its new primary entity, which is one of its members"),
    ENTITIES,
]);
