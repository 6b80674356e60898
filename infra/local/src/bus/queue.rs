//! An SQS standard queue with the function it invokes, in memory.

mod settings;
mod state;

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::clock::Clock;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::message::{Failed, Message, event};
use super::{EventHandler, LONGEST, invoke};
pub use settings::{DeadLetter, Depth, QueueFull, Settings};
use state::State;

/// A running queue; clones are the same queue.
#[derive(Clone)]
pub struct Queue {
    inner: Arc<Inner>,
}

struct Inner {
    handler: EventHandler,
    clock: Arc<dyn Clock>,
    settings: Settings,
    state: Mutex<State>,
    /// Something may be received now.
    wake: Notify,
    /// An invocation has ended.
    settled: Notify,
}

impl Queue {
    /// Starts a queue that invokes `handler`. Must be called in a tokio runtime.
    pub fn start(handler: EventHandler, clock: Arc<dyn Clock>, settings: Settings) -> Self {
        let inner = Arc::new(Inner {
            handler,
            clock,
            settings,
            state: Mutex::default(),
            wake: Notify::new(),
            settled: Notify::new(),
        });
        tokio::spawn(receive(Arc::clone(&inner)));
        Self { inner }
    }

    /// Puts a message on the queue and gives its id.
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
        self.inner.wake.notify_one();
        Ok(id)
    }

    /// What the queue holds.
    pub fn depth(&self) -> Depth {
        self.inner.lock().depth()
    }

    /// Nothing is waiting, out of sight or with an invocation.
    pub fn is_idle(&self) -> bool {
        self.inner.lock().is_idle()
    }

    /// Waits until the queue is idle, or was shut down and its invocations have ended.
    pub async fn wait_idle(&self) {
        self.wait(|state| state.is_idle() || (state.is_closing && state.running == 0))
            .await;
    }

    /// The messages given up, oldest first.
    pub fn dead_letters(&self) -> Vec<DeadLetter> {
        self.inner.lock().dead.iter().cloned().collect()
    }

    /// Receives no more and lets running invocations end, for at most `grace`. Gives what is left behind.
    pub async fn shutdown(&self, grace: Duration) -> Depth {
        self.inner.lock().is_closing = true;
        self.inner.wake.notify_one();
        let ended = self.wait(|state| state.running == 0);
        let is_overdue = tokio::time::timeout(grace, ended).await.is_err();
        let left = self.depth();
        if is_overdue || left.visible + left.delayed > 0 {
            tracing::warn!(
                queue.visible = left.visible,
                queue.delayed = left.delayed,
                queue.in_flight = left.in_flight,
                "the queue stops with messages left"
            );
        }
        left
    }

    async fn wait(&self, is_over: impl Fn(&State) -> bool) {
        loop {
            // Listening before looking: an invocation that ends between the two is not missed.
            let mut settled = pin!(self.inner.settled.notified());
            settled.as_mut().enable();
            if is_over(&self.inner.lock()) {
                return;
            }
            settled.await;
        }
    }
}

/// Hands out messages until the queue is shut down.
async fn receive(inner: Arc<Inner>) {
    loop {
        let (batches, next) = {
            let mut state = inner.lock();
            if state.is_closing {
                break;
            }
            state.show_again(Instant::now());
            let batches = inner.take(&mut state);
            (batches, state.delayed.front().map(|(at, _)| *at))
        };
        for batch in batches {
            tokio::spawn(run(Arc::clone(&inner), batch));
        }
        let woken = inner.wake.notified();
        match next {
            // Either way it looks again: whether it was woken or the time came makes no difference.
            Some(at) => drop(tokio::time::timeout_at(at, woken).await),
            None => woken.await,
        }
    }
    // Whoever waits for a queue that has nothing running would not hear of another end.
    inner.settled.notify_waiters();
}

async fn run(inner: Arc<Inner>, batch: Vec<Message>) {
    let event = event(&inner.settings.name, &batch);
    let result = invoke(&inner.handler, event).await;
    inner.retry_on_conflict(batch, result);
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, State> {
        // No section panics half way, so what a poisoned lock guards is whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The batches that may run now, already counted as running.
    fn take(&self, state: &mut State) -> Vec<Vec<Message>> {
        let now = self.clock.now();
        let mut batches = Vec::new();
        while state.running < self.settings.concurrency.max(1) && !state.visible.is_empty() {
            let size = self.settings.batch.clamp(1, state.visible.len());
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

    /// Ends an invocation: what failed is tried again later or given up.
    fn retry_on_conflict(&self, batch: Vec<Message>, result: Result<serde_json::Value, String>) {
        let failed = Failed::of(result, &batch);
        let again_at = Instant::now() + self.settings.retry_after.min(LONGEST);
        let mut dropped = Vec::new();
        {
            let mut state = self.lock();
            state.running -= 1;
            state.in_flight -= batch.len();
            for message in batch {
                let Some(reason) = failed.reason(&message) else {
                    continue;
                };
                if message.receives < self.settings.max_receives {
                    tracing::warn!(
                        message.id,
                        message.receives,
                        reason,
                        "a message failed and is tried again"
                    );
                    state.delayed.push_back((again_at, message));
                } else {
                    tracing::error!(
                        message.id,
                        message.receives,
                        reason,
                        "a message failed too often and is dead"
                    );
                    state.bury(message, reason);
                }
            }
            while state.dead.len() > self.settings.dead_letters {
                dropped.extend(state.dead.pop_front());
            }
        }
        for letter in dropped {
            tracing::error!(
                message.id = letter.message_id,
                reason = letter.reason,
                "the oldest dead letter makes room for another"
            );
        }
        self.wake.notify_one();
        self.settled.notify_waiters();
    }
}
