//! An SQS standard queue in memory, with the function that it invokes.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::clock::Clock;
use domain::time::Timestamp;
use futures::future::select_all;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::Instant;
use uuid::Uuid;

use super::handler::{EventHandler, invoke};
use super::{ACCOUNT, MAX_WAIT, REGION};

/// The settings of a queue.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The queue's name in its ARN.
    pub name: String,
    /// The maximum number of concurrent invocations.
    pub concurrency: usize,
    /// How long a message is delayed after it failed.
    pub retry_delay: Duration,
    /// The number of receipts after which a message that fails becomes a dead letter.
    pub max_receives: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            name: "checks".to_owned(),
            concurrency: 8,
            retry_delay: Duration::from_secs(2),
            max_receives: 5,
        }
    }
}

/// The number of messages in a queue, by state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Depth {
    /// Ready to be received.
    pub visible: usize,
    /// Waiting for a retry.
    pub delayed: usize,
    /// Being processed by an invocation.
    pub in_flight: usize,
    pub dead_letters: usize,
}

/// A message that failed too often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    pub message_id: String,
    pub body: String,
    pub receives: u32,
    /// Why the last invocation failed.
    pub reason: String,
}

/// A running queue. Clones share the queue.
#[derive(Clone)]
pub struct Queue {
    inner: Arc<Inner>,
}

struct Message {
    id: String,
    body: String,
    /// When it was sent, and when it was first received, in service time.
    sent: Timestamp,
    first_received: Timestamp,
    receives: u32,
}

impl Message {
    /// Returns the event that delivers the message to a function. `md5OfBody` is a placeholder of the right
    /// length.
    fn event(&self, queue: &str) -> Value {
        json!({"Records": [{
            "messageId": self.id,
            "receiptHandle": Uuid::new_v4().to_string(),
            "body": self.body,
            "attributes": {
                "ApproximateReceiveCount": self.receives.to_string(),
                "SentTimestamp": self.sent.as_millis().to_string(),
                "SenderId": ACCOUNT,
                "ApproximateFirstReceiveTimestamp": self.first_received.as_millis().to_string(),
            },
            "messageAttributes": {},
            "md5OfBody": "0".repeat(32),
            "eventSource": "aws:sqs",
            "eventSourceARN": format!("arn:aws:sqs:{REGION}:{ACCOUNT}:{queue}"),
            "awsRegion": REGION,
        }]})
    }
}

/// The messages of a queue. Each message is in exactly one of the states.
#[derive(Default)]
struct QueueState {
    visible: VecDeque<Message>,
    /// Failed messages, each with the instant at which it becomes visible again, in that order.
    delayed: VecDeque<(Instant, Message)>,
    in_flight: usize,
    dead_letters: Vec<DeadLetter>,
    is_closing: bool,
}

impl QueueState {
    fn is_idle(&self) -> bool {
        self.visible.is_empty() && self.delayed.is_empty() && self.in_flight == 0
    }

    fn depth(&self) -> Depth {
        Depth {
            visible: self.visible.len(),
            delayed: self.delayed.len(),
            in_flight: self.in_flight,
            dead_letters: self.dead_letters.len(),
        }
    }

    fn return_delayed(&mut self, now: Instant) {
        while self.delayed.front().is_some_and(|(at, _)| *at <= now) {
            self.visible
                .extend(self.delayed.pop_front().map(|(_, message)| message));
        }
    }
}

struct Inner {
    handler: EventHandler,
    clock: Arc<dyn Clock>,
    settings: Settings,
    state: Mutex<QueueState>,
    /// Notified when a message may be ready to be received, and when the queue is shut down.
    may_receive: Notify,
    /// Notified when an invocation has ended.
    invocation_ended: Notify,
}

impl Queue {
    /// Starts a queue that invokes `handler`. Must be called in a Tokio runtime.
    pub fn start(handler: EventHandler, clock: Arc<dyn Clock>, settings: Settings) -> Self {
        let inner = Arc::new(Inner {
            handler,
            clock,
            settings,
            state: Mutex::default(),
            may_receive: Notify::new(),
            invocation_ended: Notify::new(),
        });
        tokio::spawn(receive(Arc::clone(&inner)));
        Self { inner }
    }

    /// Puts a message on the queue and returns its id.
    pub fn send(&self, body: String) -> String {
        let (id, sent) = (Uuid::new_v4().to_string(), self.inner.clock.now());
        self.inner.lock().visible.push_back(Message {
            id: id.clone(),
            body,
            sent,
            first_received: sent,
            receives: 0,
        });
        self.inner.may_receive.notify_one();
        id
    }

    /// Returns the numbers of messages by state.
    pub fn depth(&self) -> Depth {
        self.inner.lock().depth()
    }

    /// Returns whether no message is visible, delayed or in flight.
    pub fn is_idle(&self) -> bool {
        Self::are_idle(&[self])
    }

    /// Returns whether all queues are idle at one moment.
    pub fn are_idle(queues: &[&Self]) -> bool {
        Self::hold(queues, QueueState::is_idle)
    }

    /// Waits until the queue is idle, or until it is shut down and its invocations have ended.
    pub async fn wait_until_idle(&self) {
        Self::wait_until_all_idle(&[self]).await;
    }

    /// Waits until all queues are idle at one moment. Queues that are shut down need not be idle once their
    /// invocations have ended.
    pub async fn wait_until_all_idle(queues: &[&Self]) {
        let is_idle = |state: &QueueState| state.is_idle() || (state.is_closing && state.in_flight == 0);
        Self::wait_until(queues, is_idle).await;
    }

    /// Returns the dead letters, oldest first.
    pub fn dead_letters(&self) -> Vec<DeadLetter> {
        self.inner.lock().dead_letters.clone()
    }

    /// Stops receiving messages and waits for running invocations for at most `grace`. Returns the numbers of
    /// messages that are left.
    pub async fn shutdown(&self, grace: Duration) -> Depth {
        self.inner.lock().is_closing = true;
        self.inner.may_receive.notify_one();
        let queues = [self];
        let ended = Self::wait_until(&queues, |state| state.in_flight == 0);
        let is_overdue = tokio::time::timeout(grace, ended).await.is_err();
        let left = self.depth();
        if is_overdue || left.visible + left.delayed > 0 {
            tracing::warn!(
                queue.name = self.inner.settings.name,
                queue.visible = left.visible,
                queue.delayed = left.delayed,
                queue.in_flight = left.in_flight,
                "the queue was stopped while it held messages"
            );
        }
        left
    }

    async fn wait_until(queues: &[&Self], condition: impl Fn(&QueueState) -> bool) {
        loop {
            // Subscribes before the check, so that an invocation that ends in between is not missed.
            let mut ended = Vec::new();
            for queue in queues {
                let mut one = Box::pin(queue.inner.invocation_ended.notified());
                one.as_mut().enable();
                ended.push(one);
            }
            if Self::hold(queues, &condition) {
                return;
            }
            select_all(ended).await;
        }
    }

    fn hold(queues: &[&Self], condition: impl Fn(&QueueState) -> bool) -> bool {
        // All locks are held at once. Otherwise an invocation of a queue that is checked later could send a
        // message to one that was checked before, and end. A message is in flight until its invocation has
        // sent what it sends.
        let states: Vec<_> = queues.iter().map(|queue| queue.inner.lock()).collect();
        states.iter().all(|state| condition(state))
    }
}

async fn receive(inner: Arc<Inner>) {
    loop {
        let next = {
            let mut state = inner.lock();
            if state.is_closing {
                break;
            }
            state.return_delayed(Instant::now());
            while state.in_flight < inner.settings.concurrency.max(1)
                && let Some(message) = state.visible.pop_front()
            {
                state.in_flight += 1;
                tokio::spawn(process(Arc::clone(&inner), message));
            }
            state.delayed.front().map(|(at, _)| *at)
        };
        let notified = inner.may_receive.notified();
        match next {
            // A notification and the end of the wait both lead to another attempt to receive.
            Some(at) => drop(tokio::time::timeout_at(at, notified).await),
            None => notified.await,
        }
    }
    // If no invocation is running, none would notify the waiting tasks.
    inner.invocation_ended.notify_waiters();
}

async fn process(inner: Arc<Inner>, mut message: Message) {
    if message.receives == 0 {
        message.first_received = inner.clock.now();
    }
    message.receives += 1;
    let result = invoke(&inner.handler, message.event(&inner.settings.name)).await;
    inner.finish(message, result);
}

/// Returns why the message of an invocation failed, if it did, as Lambda reads a function's result.
fn failure(result: Result<Value, String>) -> Option<String> {
    match result {
        Err(reason) => Some(reason),
        Ok(response) => match &response["batchItemFailures"] {
            Value::Null => None,
            Value::Array(failures) if failures.is_empty() => None,
            _ => Some("reported in batchItemFailures".to_owned()),
        },
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, QueueState> {
        // No critical section panics between two related changes, so the state behind a poisoned lock is
        // consistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends an invocation. A message that failed is retried later or becomes a dead letter.
    fn finish(&self, message: Message, result: Result<Value, String>) {
        let mut state = self.lock();
        state.in_flight -= 1;
        match failure(result) {
            None => {}
            Some(reason) if message.receives < self.settings.max_receives => {
                tracing::warn!(
                    message.id,
                    message.receives,
                    reason,
                    "a message failed and will be retried"
                );
                let retry_at = Instant::now() + self.settings.retry_delay.min(MAX_WAIT);
                state.delayed.push_back((retry_at, message));
            }
            Some(reason) => {
                tracing::error!(
                    message.id,
                    message.receives,
                    reason,
                    "a message failed too often and is now a dead letter"
                );
                state.dead_letters.push(DeadLetter {
                    message_id: message.id,
                    body: message.body,
                    receives: message.receives,
                    reason,
                });
            }
        }
        drop(state);
        self.may_receive.notify_one();
        self.invocation_ended.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::mpsc;

    use super::*;
    use crate::testing::FixedClock;

    fn idle_queue() -> Queue {
        let handler: EventHandler = Arc::new(|_| Box::pin(std::future::ready(Ok(Value::Null))));
        let clock = Arc::new(FixedClock::frozen(Timestamp::from_millis(0)));
        Queue::start(handler, clock, Settings::default())
    }

    #[tokio::test]
    async fn no_queue_changes_while_queues_are_checked_together() {
        let queues = [idle_queue(), idle_queue()];
        let (sent, is_sent) = mpsc::channel();
        let checked = Cell::new(0);
        let held = Queue::hold(&queues.each_ref(), |state| {
            checked.set(checked.get() + 1);
            if checked.get() == queues.len() {
                let (first, sent) = (queues[0].clone(), sent.clone());
                std::thread::spawn(move || {
                    first.send("m".to_owned());
                    sent.send(())
                });
                let early = is_sent.recv_timeout(Duration::from_millis(50));
                assert_eq!(early, Err(mpsc::RecvTimeoutError::Timeout));
            }
            state.is_idle()
        });
        assert!(held);
        assert_eq!(is_sent.recv(), Ok(()));
    }

    #[test]
    fn a_message_fails_with_its_invocation_or_if_the_result_names_one() {
        for result in [
            Value::Null,
            json!({}),
            json!("done"),
            json!({"batchItemFailures": null}),
            json!({"batchItemFailures": []}),
        ] {
            assert_eq!(failure(Ok(result)), None);
        }
        assert_eq!(failure(Err("broken".to_owned())), Some("broken".to_owned()));
        for failures in [json!([{"itemIdentifier": "m"}]), json!([{}]), json!({})] {
            assert!(failure(Ok(json!({ "batchItemFailures": failures }))).is_some());
        }
    }
}
