//! The bus and the queue, which deliver events late, twice, in any order, or never.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::schedule::Schedule;

/// The number of deliveries after which the queue drops a message.
const MAX_RECEIVES: u32 = 5;

#[derive(Clone)]
pub(super) struct Message {
    pub(super) body: String,
    due: Instant,
    receives: u32,
}

#[derive(Default)]
pub(super) struct Queue {
    messages: Vec<Message>,
    published: u64,
    returned: u64,
    is_reliable: bool,
}

impl Queue {
    /// Handles a `PutEvents` request and returns its response.
    pub(super) fn publish(&mut self, request: &Value, schedule: &Schedule) -> Value {
        let entries = request["Entries"].as_array().unwrap();
        let results: Vec<Value> = entries.iter().map(|entry| self.put(entry, schedule)).collect();
        let failed = results.iter().filter(|r| r.get("ErrorCode").is_some()).count();
        json!({"FailedEntryCount": failed, "Entries": results})
    }

    fn put(&mut self, entry: &Value, schedule: &Schedule) -> Value {
        self.published += 1;
        let accepted = json!({"EventId": self.published.to_string()});
        let mut rng = schedule.rng("event", self.published);
        let mut happens = |per_mille: u32| rng.below(1_000) < per_mille;
        let fault_rates = &schedule.fault_rates;
        let (is_refused, is_lost) = (happens(fault_rates.lost), happens(fault_rates.lost / 2));
        let (is_repeated, is_late) = (happens(fault_rates.repeated), happens(fault_rates.late));
        let body = json!({
            "version": "0", "id": self.published.to_string(), "source": entry["Source"],
            "detail-type": entry["DetailType"],
            "detail": serde_json::from_str::<Value>(entry["Detail"].as_str().unwrap()).unwrap(),
        });
        let mut copies = vec![if is_late { 30 * 60_000 } else { 2_000 }];
        if !self.is_reliable {
            if is_refused {
                return json!({"ErrorCode": "InternalFailure", "ErrorMessage": "refused"});
            }
            if is_lost {
                return accepted;
            }
            if is_repeated {
                copies.push(*rng.choose(&[1, 100, 60_000, 200_000]));
            }
        }
        for within in copies {
            let wait = if self.is_reliable { 0 } else { rng.below(within) };
            self.messages.push(Message {
                body: body.to_string(),
                due: Instant::now() + Duration::from_millis(wait.into()),
                receives: 0,
            });
        }
        accepted
    }

    /// Removes and returns a message that is due.
    pub(super) fn receive(&mut self) -> Option<Message> {
        let now = Instant::now();
        let index = self.messages.iter().position(|message| message.due <= now)?;
        let mut message = self.messages.swap_remove(index);
        message.receives += 1;
        Some(message)
    }

    /// Returns an unhandled message to the queue, which delivers it again later.
    pub(super) fn return_message(&mut self, mut message: Message, schedule: &Schedule) {
        self.returned += 1;
        let wait = *schedule.rng("again", self.returned).choose(&[1, 60, 200, 5_400]);
        if message.receives < MAX_RECEIVES {
            message.due = Instant::now() + Duration::from_secs(wait);
            self.messages.push(message);
        }
    }

    /// Returns the time at which the next message is due.
    pub(super) fn next_due(&self) -> Option<Instant> {
        self.messages.iter().map(|message| message.due).min()
    }

    /// Stops losing and delaying messages. Half of the undelivered messages are lost first.
    pub(super) fn become_reliable(&mut self) {
        self.is_reliable = true;
        let mut count = 0;
        self.messages.retain(|_| {
            count += 1;
            count % 2 == 0
        });
        for message in &mut self.messages {
            message.due = Instant::now();
        }
    }
}
