//! Batches of messages from a queue.

use runtime::metrics::FAILED_STEPS;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Unreadable;

/// A batch as SQS delivers it.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Batch {
    records: Vec<Message>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    message_id: String,
    body: String,
}

/// Handles the messages of a batch one after the other, and returns a response that names those that the
/// queue has to deliver again.
///
/// `decode` decodes the body of a message; one that cannot be decoded returns to the queue. `handle` gets the
/// id of a message and its event, and returns `false` if the queue has to deliver the message again.
pub async fn run_batch<E, F: Future<Output = bool>>(
    batch: Value,
    decode: impl Fn(&str) -> Result<E, Unreadable>,
    handle: impl Fn(String, E) -> F,
) -> Result<Value, Unreadable> {
    let batch: Batch = serde_json::from_value(batch).map_err(|_| Unreadable("it is no batch of messages"))?;
    let mut failures = Vec::new();
    for message in batch.records {
        let id = message.message_id;
        let is_done = match decode(&message.body) {
            Ok(event) => handle(id.clone(), event).await,
            Err(error) => {
                tracing::error!(message.id = id, %error, { FAILED_STEPS } = 1, "a message returns to the queue");
                false
            }
        };
        if !is_done {
            failures.push(json!({ "itemIdentifier": id }));
        }
    }
    Ok(json!({ "batchItemFailures": failures }))
}
