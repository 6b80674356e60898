//! `/workspace`, `/workspace/members`, `/models`.

use api::Method::Get;
use domain::member::{MemberStatus, Role};
use domain::workspace::Status;
use serde_json::{Value, json};

use crate::examples::{MODEL, USER};
use crate::operation::{Group, Operation};
use crate::schema::{count, field, id, list, nullable, object, reference, text, uuid, variant};

pub(crate) fn group() -> Group {
    Group {
        tag: "Workspace",
        description: "The workspace: plan, usage, members, and the models that can be asked",
        operations: vec![show(), members(), models()],
    }
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    vec![("Usage", used()), ("Member", member()), ("Model", model())]
}

fn used() -> Value {
    object([
        field("used", count("How many there are")),
        field("limit", count("How many there may be")),
    ])
}

fn show() -> Operation {
    let named = object([
        field("id", id("", "The workspace's id")),
        field("name", text("The workspace's name")),
    ]);
    let expires = json!({"type": "integer", "format": "int64",
    "description": "When it ends, in Unix milliseconds; null without an end"});
    let subscription = object([
        field("planName", text("The plan's name")),
        field(
            "status",
            variant::<Status>("`canceled`: writes are refused and nothing is checked; reads work"),
        ),
        field("expiresAt", nullable(expires)),
    ]);
    let credits = object([
        field(
            "balance",
            count("What can be spent: credits that a running check has set aside are not in it"),
        ),
        field("totalUsed", count("What answers have cost")),
    ]);
    let usage = object([
        field("entities", reference("Usage")),
        field("prompts", reference("Usage")),
        field("teamMembers", reference("Usage")),
        field("credits", credits),
    ]);
    let data = object([
        field("workspace", named),
        field("subscription", subscription),
        field("usage", usage),
    ]);
    Operation::new(
        Get,
        "/workspace",
        "getWorkspace",
        "Subscription, usage and credits",
    )
    .answers(
        [field("data", data)],
        json!({"data": {
            "workspace": {"id": "p98Vm3oJiEZ945GD", "name": "Demo workspace"},
            "subscription": {"planName": "demo", "status": "active", "expiresAt": null},
            "usage": {
                "entities": {"used": 4, "limit": 25}, "prompts": {"used": 26, "limit": 500},
                "teamMembers": {"used": 1, "limit": 5}, "credits": {"balance": 97861, "totalUsed": 2139},
            },
        }}),
    )
}

fn member() -> Value {
    object([
        field("id", id("", "The membership's id")),
        field(
            "userId",
            uuid("The person, the same in every workspace; what `assignees` holds"),
        ),
        field("email", text("E-mail address")),
        field("name", text("Name")),
        field("role", variant::<Role>("What the member may do")),
        field(
            "status",
            variant::<MemberStatus>("Only active members can be assignees"),
        ),
    ])
}

fn members() -> Operation {
    Operation::new(
        Get,
        "/workspace/members",
        "listMembers",
        "The workspace's members, in the order in which they came",
    )
    .answers(
        [
            field("data", list(reference("Member"), "The members")),
            field("count", count("How many are in `data`")),
        ],
        json!({"data": [{
                "id": "c7PqW2eXs0RmB4Ty", "userId": USER, "email": "ann@velumora.example", "name": "Ann",
                "role": "owner", "status": "active",
            }], "count": 1}),
    )
    .leads_to(
        "createTask",
        json!({"actionableId": crate::examples::ACTIONABLE, "assignees": ["$response.body#/data/0/userId"]}),
    )
}

fn model() -> Value {
    object([
        field("id", text("The model's slug")),
        field(
            "uuid",
            uuid("What `models` takes: of the filters, and of an entity"),
        ),
        field("name", text("Display name")),
        field("description", text("What kind of model it is")),
    ])
}

fn models() -> Operation {
    Operation::new(
        Get,
        "/models",
        "listModels",
        "The models of the configured providers",
    )
    .answers(
        [
            field(
                "data",
                list(reference("Model"), "The models, in the catalogue's order"),
            ),
            field("total", count("How many are in `data`")),
        ],
        json!({"data": [{
                "id": "demo-atlas", "uuid": MODEL, "name": "Atlas (demo)",
                "description": "A made-up model of the demo provider",
            }], "total": 1}),
    )
    .leads_to(
        "createEntity",
        json!({
            "name": "Velumora", "domain": "velumora.example", "models": ["$response.body#/data/0/uuid"],
            "prompts": ["What is the best trail running shoe?"],
        }),
    )
}
