//! Invocations of the checker: a tick, or a batch of messages that contain EventBridge envelopes.

use domain::id::{EntityId, WorkspaceId};
use domain::time::HOUR;
use events::BusEvent as _;
use events::{CheckEvent, CheckRef, SOURCE};
use serde_json::{Value, json};

use crate::world::{NOW, World};
use crate::{samples, told};

pub(crate) fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let readable = envelope(&text);
    let Ok(event) = serde_json::from_str::<Value>(&text) else {
        return;
    };
    // The failures of a batch are messages of that batch, and include every message that cannot be parsed.
    let bodies: Vec<(Option<&str>, bool)> = event["Records"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|record| {
            // A record is read from an array too, by the order of its fields.
            let field = |name: &str, place: usize| record[name].as_str().or_else(|| record[place].as_str());
            let body = field("body", 2).unwrap_or_default();
            (field("messageId", 0), envelope(body))
        })
        .collect();
    let is_tick = event.get("Records").is_none() && event["source"] == "aws.events";
    let handled = World::with(|world| {
        let ends = NOW + HOUR;
        world.runtime.block_on(world.checker.handle(event.clone(), ends))
    });
    let response = match handled {
        Ok(response) => response,
        Err(error) => {
            assert!(!is_tick, "{error}");
            return told::nothing_of(&text, &error.to_string());
        }
    };
    if is_tick {
        return assert_eq!(response, Value::Null);
    }
    let failed = response["batchItemFailures"].as_array().unwrap();
    let failed: Vec<&str> = failed
        .iter()
        .map(|one| one["itemIdentifier"].as_str().unwrap())
        .collect();
    assert!(
        failed
            .iter()
            .all(|id| bodies.iter().any(|(of, _)| of.unwrap_or_default() == *id))
    );
    for (id, readable) in &bodies {
        assert!(
            *readable || failed.contains(&id.unwrap_or_default()),
            "an unreadable message is taken"
        );
    }
    // A bare envelope is not an invocation.
    assert!(!readable);
}

/// Returns whether the text is an event of a check. Asserts that such an event is written as it was read,
/// with valid ids.
fn envelope(text: &str) -> bool {
    let event = match CheckEvent::from_envelope(text) {
        Ok(event) => event,
        Err(error) => {
            told::nothing_of(text, &error.to_string());
            return false;
        }
    };
    let detail: Value = serde_json::from_str(&event.detail().unwrap()).unwrap();
    let again = json!({"source": SOURCE, "detail-type": event.detail_type(), "detail": detail});
    assert_eq!(CheckEvent::from_envelope(&again.to_string()).as_ref(), Ok(&event));
    let (workspace, entity) = match &event {
        CheckEvent::CheckClaimed(at)
        | CheckEvent::CheckAnswered(at)
        | CheckEvent::FoldDue(at)
        | CheckEvent::CheckWanted(at)
        | CheckEvent::ShardReady(at, _) => ids(at),
        CheckEvent::EntityDeleted(at) | CheckEvent::RereadingDue(at) => (&at.workspace_id, &at.entity_id),
    };
    assert_eq!(workspace.as_str().parse().as_ref(), Ok(workspace));
    assert_eq!(entity.as_str().parse().as_ref(), Ok(entity));
    // As the only message of a batch it succeeds, because there is nothing to do on an empty table.
    true
}

fn ids(at: &CheckRef) -> (&WorkspaceId, &EntityId) {
    (&at.workspace_id, &at.entity_id)
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = samples::CHECK_EVENTS
        .map(|event| event.as_bytes().to_vec())
        .into();
    let batches: Vec<Value> = samples::CHECK_EVENTS[1..]
        .iter()
        .map(|event| serde_json::from_str(event).unwrap())
        .collect();
    let record = |batch: &Value| batch["Records"][0].clone();
    seeds.extend(
        batches
            .iter()
            .map(|batch| record(batch)["body"].as_str().unwrap().into()),
    );
    let mut records: Vec<Value> = batches.iter().map(record).collect();
    records.push(json!({"messageId": "none", "body": "{}"}));
    seeds.push(json!({ "Records": records }).to_string().into());
    seeds.push(
        json!({"source": "aws.events", "detail": {"lookAtAll": true}})
            .to_string()
            .into(),
    );
    seeds.push(br#"{"Records":[["the first field is the id"]]}"#.to_vec());
    seeds.push(br#"{"Records":[{"body":"A-Secret-Of-More-Than-24-Characters"},{}]}"#.to_vec());
    seeds
}
