//! Describes the operations of `/domain-groups`.

use ::domain_groups::delete::DeleteGroupResponse;
use ::domain_groups::list::ListGroupsResponse;
use ::domain_groups::view::GroupResponse;
use domain::limits::{MAX_SCOPED_GROUP_ITEMS, PLAN_ENTITIES};
use serde_json::{Value, json};
use store::GroupError;

use crate::examples::{BRAND, ENTITY, GROUP, NOW, OTHER_ENTITY, RIVAL};
use crate::operation::{Operation, Tag};

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

/// Adds the response, errors and links that creating and updating a group have in common.
fn with_group_response(operation: Operation, message: &str) -> Operation {
    operation
        .response::<GroupResponse<'_>>(json!({"data": example(), "message": message}))
        .error(400, "entities must be 2 to 45 different entities")
        .error(400, "primaryEntity must be one of entities")
        .refusal(GroupError::EntityLimit { limit: PLAN_ENTITIES })
        .refusal(GroupError::ScopeLimit {
            limit: MAX_SCOPED_GROUP_ITEMS,
        })
        .error(404, "Entity not found: entities[1]")
        .refusal(GroupError::InOtherGroup { index: 1 })
        .link("listDomainGroups", "groupId", "$response.body#/data/id")
        .link("deleteDomainGroup", "groupId", "$response.body#/data/id")
}

fn list() -> Operation {
    Operation::new("listDomainGroups", "The workspace's domain groups, oldest first")
        .response::<ListGroupsResponse<'_>>(json!({"data": [example()], "count": 1}))
        .error(400, "groupId must be given only once")
        .error(400, "entityId must not be empty")
        .link("updateDomainGroup", "groupId", "$response.body#/data/0/id")
        .with("name", "Velumora")
        .link("deleteDomainGroup", "groupId", "$response.body#/data/0/id")
}

fn create() -> Operation {
    let operation = Operation::new("createDomainGroup", "Groups several entities of one brand")
    .description(
        "Members that the workspace does not track count towards its entity limit, except the primary one.",
    )
    .request_body(json!({"primaryEntity": ENTITY, "entities": [ENTITY, OTHER_ENTITY], "name": "Velumora"}))
    .error(400, "primaryEntity is required")
    .link("updateDomainGroup", "groupId", "$response.body#/data/id")
    .with("name", "Velumora Group");
    with_group_response(operation, "Domain group created")
}

fn update() -> Operation {
    let operation = Operation::new("updateDomainGroup", "Changes a domain group")
        .description(
            "Only the given fields change. `entities` replaces all members. The scope cannot change.",
        )
        .request_body(json!({"groupId": GROUP, "name": "Velumora"}))
        .error(400, "groupId is required");
    with_group_response(operation, "Domain group updated")
}

fn delete() -> Operation {
    Operation::new("deleteDomainGroup", "Deletes a domain group but not its members")
        .extension()
        .response::<DeleteGroupResponse<'_>>(json!({"data": {"groupId": GROUP}}))
}
