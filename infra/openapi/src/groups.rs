//! `/domain-groups`.

use api::Method::{Delete, Get, Patch, Post};
use domain::limits::{MAX_GROUP_MEMBERS, MAX_NAME_CHARS, MAX_SCOPED_GROUP_ITEMS, MIN_GROUP_MEMBERS};
use serde_json::{Value, json};

use crate::examples::{BRAND, ENTITY, GROUP, NOW, OTHER, RIVAL};
use crate::operation::{Group, Operation};
use crate::parameters::{optional as parameter, required};
use crate::schema::{
    any_text, count, field, flag, given_id, id, line, list, millis, nullable, object, optional, reference,
    some_of, text, uuid, with,
};

pub(crate) fn group() -> Group {
    Group {
        tag: "Domain groups",
        description: "Several entities of one brand, whose analytics are merged",
        operations: vec![all(), create(), change(), delete()],
    }
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    vec![("DomainGroup", domain_group()), ("GroupMember", member())]
}

fn domain_group() -> Value {
    let scope = id(
        "",
        "The only tracking whose analytics the group changes; null: all of the workspace",
    );
    object([
        field("id", id("", "The group's id")),
        field("name", text("As given, or the primary entity's name")),
        field(
            "primaryEntityUuid",
            uuid("The member whose name and favicon represent the group"),
        ),
        field("entityTrackingId", nullable(scope)),
        field(
            "entities",
            list(
                reference("GroupMember"),
                "The members, in the order in which they were given",
            ),
        ),
        field("createdAt", millis("When it was made")),
        field("updatedAt", millis("When it was last changed")),
    ])
}

fn member() -> Value {
    let favicon = text("Favicon of the target's host; null for an individual without a domain");
    object([
        field(
            "entityId",
            nullable(id(
                "",
                "The brand's oldest tracking in this workspace; null where there is none",
            )),
        ),
        field(
            "entityUuid",
            uuid("The brand's uuid, the same in every workspace"),
        ),
        field(
            "name",
            text("Display name; the domain of a brand that is not tracked here"),
        ),
        field("target", text("The tracked domain or URL")),
        field("faviconUrl", nullable(favicon)),
        field("isPrimary", flag("It represents the group")),
        field("inWorkspace", flag("It is tracked in this workspace")),
    ])
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

/// The members that a request gives.
fn entities() -> Value {
    let reference = given_id("An entity's id, or an entityUuid that this workspace tracks or was shown");
    let what = format!(
        "{MIN_GROUP_MEMBERS} to {MAX_GROUP_MEMBERS} different ones, the primary among them; two of one \
         brand are one \
         member. None may be in another group"
    );
    with(list(reference, &what), json!({"minItems": MIN_GROUP_MEMBERS}))
}

fn written(operation: Operation, message: &str) -> Operation {
    operation
        .response_fields(
            [
                field("data", reference("DomainGroup")),
                field("message", text("What was done")),
            ],
            json!({"data": example(), "message": message}),
        )
        .error(400, "entities must be 2 to 45 different entities")
        .error(400, "primaryEntity must be one of entities")
        .error(403, "The workspace's limit of 25 entities would be exceeded")
        .error(
            403,
            format!(
                "The domain groups of one entity may be at most {MAX_SCOPED_GROUP_ITEMS} groups and \
         members together"
            ),
        )
        .error(404, "Entity not found")
        .error(409, "entities[1] is a member of another domain group")
        .link("listDomainGroups", json!({"groupId": "$response.body#/data/id"}))
        .link("deleteDomainGroup", json!({"groupId": "$response.body#/data/id"}))
}

fn all() -> Operation {
    // An empty parameter counts as absent.
    let group = any_text("The one group with this id");
    let entity = any_text("Only groups that are scoped to this entity, or to none");
    Operation::new(
        Get,
        "/domain-groups",
        "listDomainGroups",
        "The workspace's domain groups, oldest first",
    )
    .parameters([
        parameter("groupId", group, "Only the group with this id"),
        parameter(
            "entityId",
            entity,
            "Only groups that are scoped to this entity, and those without a scope",
        ),
    ])
    .response_fields(
        [
            field("data", list(reference("DomainGroup"), "The groups")),
            field("count", count("How many are in `data`")),
        ],
        json!({"data": [example()], "count": 1}),
    )
    .error(400, "groupId must be given only once")
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
        field(
            "primaryEntity",
            given_id("The member that represents the group; it must be in `entities`"),
        ),
        field("entities", entities()),
        optional(
            "name",
            line(
                MAX_NAME_CHARS,
                "Without one the group is called as its primary entity",
            ),
        ),
        optional(
            "entityId",
            given_id("The scope: only this entity's analytics are merged"),
        ),
    ]);
    let operation = Operation::new(
        Post,
        "/domain-groups",
        "createDomainGroup",
        "Groups several entities of one brand",
    )
    .description(
        "Members other than the primary that are not tracked in the workspace count towards its \
         entity limit.",
    )
    .request_body(
        body,
        json!({"primaryEntity": ENTITY, "entities": [ENTITY, OTHER], "name": "Velumora"}),
    )
    .error(400, "primaryEntity is required")
    .link(
        "updateDomainGroup",
        json!({"groupId": "$response.body#/data/id",
        "name": "Velumora Group"}),
    );
    written(operation, "Domain group created")
}

fn change() -> Operation {
    let fields = object([
        field("groupId", given_id("The group")),
        optional("name", line(MAX_NAME_CHARS, "Its new name")),
        optional(
            "primaryEntity",
            given_id("Its new primary entity, one of its members"),
        ),
        optional("entities", entities()),
    ]);
    let body = with(fields, some_of(&["name", "primaryEntity", "entities"]));
    let operation = Operation::new(
        Patch,
        "/domain-groups",
        "updateDomainGroup",
        "Changes a domain group",
    )
    .description("Only what is given changes; `entities` is the whole new set. The scope is fixed.")
    .request_body(body, json!({"groupId": GROUP, "name": "Velumora"}))
    .error(400, "groupId is required")
    .error(404, "Domain group not found");
    written(operation, "Domain group updated")
}

fn delete() -> Operation {
    let gone = object([field("groupId", id("", "The group's id"))]);
    Operation::new(
        Delete,
        "/domain-groups",
        "deleteDomainGroup",
        "Deletes a domain group; its members stay",
    )
    .extension()
    .parameters([required("groupId", given_id("The group's id"), GROUP)])
    .response_fields([field("data", gone)], json!({"data": {"groupId": GROUP}}))
    .error(400, "groupId is required")
    .error(404, "Domain group not found")
}
