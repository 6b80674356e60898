//! The messages of a queue, the SQS event of a batch, and the messages of a batch that failed.

use std::collections::HashSet;

use domain::time::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::aws::{ACCOUNT, REGION};

/// A message on the queue.
pub(super) struct Message {
    pub(super) id: String,
    pub(super) body: String,
    /// When it was sent, in service time.
    pub(super) sent: Timestamp,
    /// When it was first received, in service time.
    pub(super) first_received: Timestamp,
    pub(super) receives: u32,
}

impl Message {
    pub(super) fn new(body: String, sent: Timestamp) -> Self {
        Self {
            id: Uuid::new_v4().to_string(),
            body,
            sent,
            first_received: sent,
            receives: 0,
        }
    }

    /// Counts a receipt.
    pub(super) fn receive(&mut self, now: Timestamp) {
        if self.receives == 0 {
            self.first_received = now;
        }
        self.receives = self.receives.saturating_add(1);
    }
}

/// Returns the event that delivers a batch to a function. `md5OfBody` is a placeholder of the right length.
pub(super) fn sqs_event(queue: &str, batch: &[Message]) -> Value {
    let records: Vec<Value> = batch.iter().map(|message| record(queue, message)).collect();
    json!({ "Records": records })
}

fn record(queue: &str, message: &Message) -> Value {
    json!({
        "messageId": message.id,
        "receiptHandle": Uuid::new_v4().to_string(),
        "body": message.body,
        "attributes": {
            "ApproximateReceiveCount": message.receives.to_string(),
            "SentTimestamp": message.sent.as_millis().to_string(),
            "SenderId": ACCOUNT,
            "ApproximateFirstReceiveTimestamp": message.first_received.as_millis().to_string(),
        },
        "messageAttributes": {},
        "md5OfBody": "0".repeat(32),
        "eventSource": "aws:sqs",
        "eventSourceARN": format!("arn:aws:sqs:{REGION}:{ACCOUNT}:{queue}"),
        "awsRegion": REGION,
    })
}

/// The messages of a batch that failed.
pub(super) enum BatchFailures {
    None,
    /// The ids of the messages.
    Some(HashSet<String>),
    /// The handler failed, or named a message that was not in the batch.
    All(String),
}

impl BatchFailures {
    /// Reads a handler's result as Lambda does. Without `batchItemFailures`, or with null or an empty list,
    /// the batch succeeded. An item without an identifier, or with one that is not in the batch, fails the
    /// batch.
    pub(super) fn parse(result: Result<Value, String>, batch: &[Message]) -> Self {
        let response = match result {
            Ok(response) => response,
            Err(reason) => return Self::All(reason),
        };
        let items = match response.get("batchItemFailures") {
            None | Some(Value::Null) => return Self::None,
            Some(Value::Array(items)) => items,
            Some(_) => return Self::All("batchItemFailures is not a list".to_owned()),
        };
        let mut failed = HashSet::new();
        for item in items {
            match item.get("itemIdentifier").and_then(Value::as_str) {
                Some(id) if batch.iter().any(|message| message.id == id) => failed.insert(id.to_owned()),
                _ => {
                    return Self::All(
                        "batchItemFailures names a message that is not in the batch".to_owned(),
                    );
                }
            };
        }
        if failed.is_empty() {
            Self::None
        } else {
            Self::Some(failed)
        }
    }

    /// Returns why the message failed, or `None` if it succeeded.
    pub(super) fn reason(&self, message: &Message) -> Option<&str> {
        match self {
            Self::None => None,
            Self::Some(ids) => ids
                .contains(&message.id)
                .then_some("reported in batchItemFailures"),
            Self::All(reason) => Some(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch() -> Vec<Message> {
        ["a", "b"]
            .map(|body| Message::new(body.to_owned(), Timestamp::from_millis(0)))
            .into()
    }

    fn failed(result: Result<Value, String>, batch: &[Message]) -> Vec<bool> {
        let failed = BatchFailures::parse(result, batch);
        batch
            .iter()
            .map(|message| failed.reason(message).is_some())
            .collect()
    }

    #[test]
    fn a_result_without_failures_is_success() {
        for result in [
            Value::Null,
            json!({}),
            json!("done"),
            json!({"batchItemFailures": null}),
            json!({"batchItemFailures": []}),
        ] {
            assert_eq!(failed(Ok(result), &batch()), [false, false]);
        }
    }

    #[test]
    fn only_the_named_messages_fail() {
        let batch = batch();
        let result = json!({"batchItemFailures": [{"itemIdentifier": batch[1].id}]});
        assert_eq!(failed(Ok(result), &batch), [false, true]);
    }

    #[test]
    fn an_error_or_an_unreadable_list_fails_the_batch() {
        let batch = batch();
        let known = json!({"itemIdentifier": batch[0].id});
        for result in [
            Err("broken".to_owned()),
            Ok(json!({"batchItemFailures": {}})),
            Ok(json!({"batchItemFailures": [known, {"itemIdentifier": "other"}]})),
            Ok(json!({"batchItemFailures": [known, {"itemIdentifier": ""}]})),
            Ok(json!({"batchItemFailures": [known, {}]})),
        ] {
            assert_eq!(failed(result, &batch), [true, true]);
        }
    }
}
