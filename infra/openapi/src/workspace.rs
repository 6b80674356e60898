//! Describes the operations of `/workspace`, `/workspace/members`, `/keys/self` and `/models`.

use ::workspace::keys::KeyResponse;
use ::workspace::members::ListMembersResponse;
use ::workspace::models::ListModelsResponse;
use ::workspace::workspace::WorkspaceResponse;
use serde_json::json;

use crate::examples::{ACTIONABLE, ENTITY, MODEL, USER};
use crate::operation::{Operation, Tag};

pub(crate) fn tag() -> Tag {
    Tag {
        name: "Workspace",
        description: "The workspace's plan, usage and members, what a key may do, and the models that can be asked",
        operations: vec![workspace(), members(), key(), models()],
    }
}

fn workspace() -> Operation {
    Operation::new("getWorkspace", "Subscription, usage and credits").response::<WorkspaceResponse>(
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

fn members() -> Operation {
    Operation::new("listMembers", "The workspace's members, oldest first")
        .response::<ListMembersResponse<'_>>(json!({"data": [{
                "id": "c7PqW2eXs0RmB4Ty", "userId": USER, "email": "ann@velumora.example", "name": "Ann",
                "role": "owner", "status": "active",
            }], "count": 1}))
        .link("createTask", "actionableId", ACTIONABLE)
        .with("assignees", json!(["$response.body#/data/0/userId"]))
}

fn key() -> Operation {
    Operation::new("getKey", "What the key of the request may do")
        .extension()
        .description("A key that may only read gets 403 for each operation that changes something.")
        .response::<KeyResponse<'_>>(json!({"data": {"scope": "read", "entityIds": [ENTITY]}}))
}

fn models() -> Operation {
    Operation::new("listModels", "The models of the configured providers")
        .response::<ListModelsResponse<'_>>(json!({"data": [{
                "id": "demo-atlas", "uuid": MODEL, "name": "Atlas (demo)",
                "description": "A made-up model of the demo provider",
            }], "total": 1}))
        .link("createEntity", "name", "Velumora")
        .with("domain", "velumora.example")
        .with("models", json!(["$response.body#/data/0/uuid"]))
        .with("prompts", json!(["What is the best trail running shoe?"]))
}
