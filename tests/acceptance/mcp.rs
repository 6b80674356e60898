//! The tools of the Model Context Protocol.

mod calls;
mod descriptions;
mod keys;
mod protocol;
mod results;
mod server;

use mcp::Tool;
use serde_json::{Value, json};

use crate::contract::Fixture;

/// Returns arguments with which every tool succeeds on the fixture. `add_prompts` and the other changes come
/// last.
pub(crate) fn arguments(tool: &Tool, fixture: &Fixture) -> Value {
    let entity = json!({"entityId": fixture.other});
    match tool.name {
        "whoami" | "list_entities" | "list_models" | "list_tags" | "overview" => json!({}),
        "cited_urls" => json!({"entityId": fixture.other, "citedEntityUuid": cited(), "limit": 5}),
        "read_answer" => json!({"responseId": fixture.response}),
        "recommendations" => json!({"entityId": fixture.entity, "status": "active"}),
        "create_task" => json!({"actionableId": fixture.actionable, "assignees": [fixture.member]}),
        "move_task" => json!({"taskId": fixture.task, "status": "in_progress"}),
        "add_prompts" => {
            json!({"entityId": fixture.entity, "prompts": ["Which one?", "Which, two?"], "tags": [fixture.tag]})
        }
        _ => entity,
    }
}

/// The uuid of the domain that the fixture's answers cite.
fn cited() -> String {
    domain::brand::uuid_of_domain("example.com").to_string()
}
