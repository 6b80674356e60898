//! An SQS standard queue in memory, with the function that it invokes.

mod settings;
mod state;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::clock::Clock;
use futures::future::select_all;
use serde_json::Value;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::handler::{EventHandler, invoke};
use super::message::{BatchFailures, Message, sqs_event};
use super::time::MAX_WAIT;
pub use settings::{DeadLetter, Depth, QueueFull, Settings};
use state::QueueState;

/// A running queue. Clones share the queue.
#[derive(Clone)]
pub struct Queue {
    inner: Arc<Inner>,
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
    pub fn send(&self, body: String) -> Result<String, QueueFull> {
        let message = Message::new(body, self.inner.clock.now());
        let id = message.id.clone();
        {
            let mut state = self.inner.lock();
            if state.visible.len() + state.delayed.len() >= self.inner.settings.capacity {
                return Err(QueueFull);
            }
            state.visible.push_back(message);
        }
        self.inner.may_receive.notify_one();
        Ok(id)
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
        let is_idle = |state: &QueueState| state.is_idle() || (state.is_closing && state.running == 0);
        Self::wait_until(queues, is_idle).await;
    }

    /// Returns the dead letters, oldest first.
    pub fn dead_letters(&self) -> Vec<DeadLetter> {
        self.inner.lock().dead_letters.iter().cloned().collect()
    }

    /// Stops receiving messages and waits for running invocations for at most `grace`. Returns the numbers of
    /// messages that are left.
    pub async fn shutdown(&self, grace: Duration) -> Depth {
        self.inner.lock().is_closing = true;
        self.inner.may_receive.notify_one();
        let queues = [self];
        let ended = Self::wait_until(&queues, |state| state.running == 0);
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

    /// Waits until the condition holds for all queues at one moment.
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

    /// Returns whether the condition holds for all queues at one moment.
    fn hold(queues: &[&Self], condition: impl Fn(&QueueState) -> bool) -> bool {
        // All locks are held at once. Otherwise an invocation of a queue that is checked later could send a
        // message to one that was checked before, and end. A message is in flight until its invocation has
        // sent what it sends.
        let states: Vec<_> = queues.iter().map(|queue| queue.inner.lock()).collect();
        states.iter().all(|state| condition(state))
    }
}

/// Delivers messages until the queue is shut down.
async fn receive(inner: Arc<Inner>) {
    loop {
        let (batches, next) = {
            let mut state = inner.lock();
            if state.is_closing {
                break;
            }
            state.return_delayed(Instant::now());
            let batches = inner.next_batches(&mut state);
            (batches, state.delayed.front().map(|(at, _)| *at))
        };
        for batch in batches {
            tokio::spawn(process(Arc::clone(&inner), batch));
        }
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

async fn process(inner: Arc<Inner>, batch: Vec<Message>) {
    let event = sqs_event(&inner.settings.name, &batch);
    let result = invoke(&inner.handler, event).await;
    inner.finish(batch, result);
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, QueueState> {
        // No critical section panics between two related changes, so the state behind a poisoned lock is
        // consistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the batches that can be processed now from the visible messages, and counts them as running.
    fn next_batches(&self, state: &mut QueueState) -> Vec<Vec<Message>> {
        let now = self.clock.now();
        let mut batches = Vec::new();
        while state.running < self.settings.concurrency.max(1) && !state.visible.is_empty() {
            let size = self.settings.batch_size.clamp(1, state.visible.len());
            let mut batch: Vec<Message> = state.visible.drain(..size).collect();
            for message in &mut batch {
                message.receive(now);
            }
            state.running += 1;
            state.in_flight += size;
            batches.push(batch);
        }
        batches
    }

    /// Ends an invocation. Messages that failed are retried later or become dead letters.
    fn finish(&self, batch: Vec<Message>, result: Result<Value, String>) {
        let failures = BatchFailures::parse(result, &batch);
        let retry_at = Instant::now() + self.settings.retry_delay.min(MAX_WAIT);
        let mut dropped = Vec::new();
        {
            let mut state = self.lock();
            state.running -= 1;
            state.in_flight -= batch.len();
            for message in batch {
                let Some(reason) = failures.reason(&message) else {
                    continue;
                };
                if message.receives < self.settings.max_receives {
                    tracing::warn!(
                        message.id,
                        message.receives,
                        reason,
                        "a message failed and will be retried"
                    );
                    state.delayed.push_back((retry_at, message));
                } else {
                    tracing::error!(
                        message.id,
                        message.receives,
                        reason,
                        "a message failed too often and is now a dead letter"
                    );
                    state.add_dead_letter(message, reason);
                }
            }
            while state.dead_letters.len() > self.settings.max_dead_letters {
                dropped.extend(state.dead_letters.pop_front());
            }
        }
        for letter in dropped {
            tracing::error!(
                message.id = letter.message_id,
                reason = letter.reason,
                "the oldest dead letter was dropped to make room for another"
            );
        }
        self.may_receive.notify_one();
        self.invocation_ended.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::mpsc;

    use domain::time::Timestamp;

    use super::*;
    use crate::clock::FixedClock;

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
                std::thread::spawn(move || sent.send(first.send("m".to_owned()).is_ok()));
                let early = is_sent.recv_timeout(Duration::from_millis(50));
                assert_eq!(early, Err(mpsc::RecvTimeoutError::Timeout));
            }
            state.is_idle()
        });
        assert!(held);
        assert_eq!(is_sent.recv(), Ok(true));
    }
}
