//! Describes the operations of `/domain-groups`.

use ::domain_groups::delete::DeleteGroupResponse;
use ::domain_groups::list::ListGroupsResponse;
use ::domain_groups::view::GroupResponse;
use api::Method::{Delete, Get, Patch, Post};
use domain::limits::{MAX_GROUP_MEMBERS, MAX_NAME_CHARS, MAX_SCOPED_GROUP_ITEMS, MIN_GROUP_MEMBERS};
use serde_json::{Value, json};

use crate::examples::{BRAND, ENTITY, GROUP, NOW, OTHER_ENTITY, RIVAL};
use crate::operation::{Operation, Tag};
use crate::parameters;
use crate::request_schemas::{
    array, at_least_one_of, extend, id, non_empty_string, object, optional, required, single_line,
};

pub(crate) fn tag() -> Tag {
    Tag {
        name: "Domain groups",
        description: "Several entities of one brand, whose analytics are merged",
        operations: vec![list(), create(), update(), delete()],
    }
}

fn example() -> Value {
    let member = |id: Value, uuid: &str, name: &str, domain: &str| {
        json!({
            "entityId": id, "entityUuid": uuid, "name": name, "target": domain,
            "faviconUrl": format!("https://{domain}/favicon.ico"), "isPrimary": uuid == BRAND,
            "inWorkspace": !id.is_null(),
        })
    };
    json!({
        "id": GROUP, "name": "Velumora", "primaryEntityUuid": BRAND, "entityTrackingId": null,
        "entities": [
            member(json!(ENTITY), BRAND, "Velumora", "velumora.example"),
            member(Value::Null, RIVAL, "example.com", "example.com"),
        ],
        "createdAt": NOW, "updatedAt": NOW,
    })
}

/// Returns the schema of a group's members in a request.
fn entities() -> Value {
    let entity = id(
        "An entity's id, or an `entityUuid` that this workspace tracks or has seen, such as that of a row of \
         `/entities/competitors` or `/entities/citations`",
    );
    let description = format!(
        "The members: {MIN_GROUP_MEMBERS} to {MAX_GROUP_MEMBERS} different entities, including the primary one. \
         Two entities of one brand are one member. None can be in another group."
    );
    extend(
        array(entity, &description),
        json!({"minItems": MIN_GROUP_MEMBERS}),
    )
}

/// Adds the response, errors and links that creating and updating a group have in common.
fn with_group_response(operation: Operation, message: &str) -> Operation {
    let limit = format!(
        "The domain groups of one entity may be at most {MAX_SCOPED_GROUP_ITEMS} groups and members together"
    );
    operation
        .response::<GroupResponse<'_>>(json!({"data": example(), "message": message}))
        .error(400, "entities must be 2 to 45 different entities")
        .error(400, "primaryEntity must be one of entities")
        .error(403, "The workspace's limit of 25 entities would be exceeded")
        .error(403, limit)
        .error(404, "Entity not found: entities[1]")
        .error(409, "entities[1] is a member of another domain group")
        .link("listDomainGroups", json!({"groupId": "$response.body#/data/id"}))
        .link("deleteDomainGroup", json!({"groupId": "$response.body#/data/id"}))
}

fn list() -> Operation {
    let group = non_empty_string("The id of a group");
    let entity = non_empty_string("The id of an entity");
    Operation::new(
        Get,
        "/domain-groups",
        "listDomainGroups",
        "The workspace's domain groups, oldest first",
    )
    .parameters([
        parameters::optional("groupId", group, "Only the group with this id"),
        parameters::optional(
            "entityId",
            entity,
            "Only groups that are scoped to this entity, and groups without a scope",
        ),
    ])
    .response::<ListGroupsResponse<'_>>(json!({"data": [example()], "count": 1}))
    .error(400, "groupId must be given only once")
    .error(400, "entityId must not be empty")
    .error(404, "Domain group not found")
    .error(404, "Entity not found")
    .link(
        "updateDomainGroup",
        json!({"groupId": "$response.body#/data/0/id", "name": "Velumora"}),
    )
    .link(
        "deleteDomainGroup",
        json!({"groupId": "$response.body#/data/0/id"}),
    )
}

fn create() -> Operation {
    let body = object([
        required(
            "primaryEntity",
            id("The member that represents the group. It must be in `entities`."),
        ),
        required("entities", entities()),
        optional(
            "name",
            single_line(
                MAX_NAME_CHARS,
                "The group's name. Without one the group has the name of its primary entity.",
            ),
        ),
        optional(
            "entityId",
            id("The scope: only the analytics of this entity are merged"),
        ),
    ]);
    let operation = Operation::new(
        Post,
        "/domain-groups",
        "createDomainGroup",
        "Groups several entities of one brand",
    )
    .description(
        "Members that the workspace does not track count towards its entity limit, except the primary one.",
    )
    .request_body(
        body,
        json!({"primaryEntity": ENTITY, "entities": [ENTITY, OTHER_ENTITY], "name": "Velumora"}),
    )
    .error(400, "primaryEntity is required")
    .link(
        "updateDomainGroup",
        json!({"groupId": "$response.body#/data/id", "name": "Velumora Group"}),
    );
    with_group_response(operation, "Domain group created")
}

fn update() -> Operation {
    let fields = object([
        required("groupId", id("The group")),
        optional("name", single_line(MAX_NAME_CHARS, "Its new name")),
        optional(
            "primaryEntity",
            id("Its new primary entity, which is one of its members"),
        ),
        optional("entities", entities()),
    ]);
    let body = extend(fields, at_least_one_of(&["name", "primaryEntity", "entities"]));
    let operation = Operation::new(
        Patch,
        "/domain-groups",
        "updateDomainGroup",
        "Changes a domain group",
    )
    .description("Only the given fields change. `entities` replaces all members. The scope cannot change.")
    .request_body(body, json!({"groupId": GROUP, "name": "Velumora"}))
    .error(400, "groupId is required")
    .error(404, "Domain group not found");
    with_group_response(operation, "Domain group updated")
}

fn delete() -> Operation {
    Operation::new(
        Delete,
        "/domain-groups",
        "deleteDomainGroup",
        "Deletes a domain group but not its members",
    )
    .extension()
    .parameters([parameters::required("groupId", id("The group's id"), GROUP)])
    .response::<DeleteGroupResponse<'_>>(json!({"data": {"groupId": GROUP}}))
    .error(400, "groupId is required")
    .error(404, "Domain group not found")
}
