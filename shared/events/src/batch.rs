//! Batches of messages from a queue.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use runtime::metrics::FAILED_STEPS;
use serde_json::{Value, json};

use crate::Unreadable;

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
    let batch: SqsEvent =
        serde_json::from_value(batch).map_err(|_| Unreadable("it is no batch of messages"))?;
    let mut response = SqsBatchResponse::default();
    for message in batch.records {
        let id = message.message_id.ok_or(Unreadable("a message has no id"))?;
        let body = message.body.as_deref().ok_or(Unreadable("it has no body"));
        let is_done = match body.and_then(&decode) {
            Ok(event) => handle(id.clone(), event).await,
            Err(error) => {
                tracing::error!(message.id = id, %error, { FAILED_STEPS } = 1, "a message returns to the queue");
                false
            }
        };
        if !is_done {
            response.add_failure(id);
        }
    }
    Ok(json!(response))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_messages_that_cannot_be_read_or_handled_return_to_the_queue() {
        let batch = json!({"Records": [
            {"messageId": "handled", "body": "1"},
            {"messageId": "empty"},
            {"messageId": "null", "body": null},
            {"messageId": "unreadable", "body": "x"},
            {"messageId": "failed", "body": "0"},
        ]});
        let decode = |body: &str| body.parse::<u8>().map_err(|_| Unreadable("it is no number"));
        let handle = |_, number| std::future::ready(number > 0);
        let response = run_batch(batch, decode, handle).await.unwrap();
        let failed = ["empty", "null", "unreadable", "failed"].map(|id| json!({"itemIdentifier": id}));
        assert_eq!(response, json!({ "batchItemFailures": failed }));
        for no_batch in [
            json!({}),
            json!({"Records": 1}),
            json!({"Records": [{"body": "1"}]}),
        ] {
            assert!(run_batch(no_batch, decode, handle).await.is_err());
        }
    }
}
