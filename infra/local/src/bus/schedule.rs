//! The schedule: an EventBridge rule that invokes its function at a fixed rate.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use domain::clock::Clock;
use domain::time::Timestamp;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use uuid::Uuid;

use super::{ACCOUNT, EventHandler, LONGEST, REGION, invoke, seconds};

/// How a schedule runs.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Real time from one tick to the next; less than a millisecond counts as one.
    pub every: Duration,
    /// Whether the first tick comes at once, not after `every`.
    pub is_first_at_once: bool,
}

/// A running schedule. It runs until it is stopped or dropped.
#[must_use]
pub struct Schedule {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Schedule {
    /// Starts to invoke `handler`. Must be called in a tokio runtime. Two ticks never run at once: those that fall
    /// due while another runs become one, right after it. A slow or failing tick is logged, the next one comes all the
    /// same; a handler that may hang needs a limit of its own, as [`super::lambda`] sets.
    pub fn start(handler: EventHandler, clock: Arc<dyn Clock>, settings: Settings) -> Self {
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(run(handler, clock, settings, stopped));
        Self { stop, task }
    }

    /// Fires no more, and lets a running tick end for at most `grace`. True: it has ended.
    pub async fn stop(mut self, grace: Duration) -> bool {
        self.stop.send_replace(true);
        tokio::time::timeout(grace, &mut self.task).await.is_ok()
    }
}

/// The event of one tick.
pub fn tick(now: Timestamp) -> Value {
    json!({
        "version": "0",
        "id": Uuid::new_v4().to_string(),
        "detail-type": "Scheduled Event",
        "source": "aws.events",
        "account": ACCOUNT,
        "time": seconds(now),
        "region": REGION,
        "resources": [format!("arn:aws:events:{REGION}:{ACCOUNT}:rule/tick")],
        "detail": {},
    })
}

async fn run(
    handler: EventHandler,
    clock: Arc<dyn Clock>,
    settings: Settings,
    mut stopped: watch::Receiver<bool>,
) {
    let every = settings.every.clamp(Duration::from_millis(1), LONGEST);
    let first = if settings.is_first_at_once {
        Duration::ZERO
    } else {
        every
    };
    let mut slots = interval_at(Instant::now() + first, every);
    slots.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            biased;
            // An error means that the schedule was dropped: that stops it as well.
            _ = stopped.wait_for(|is_stopped| *is_stopped) => return,
            _ = slots.tick() => {}
        }
        let mut call = pin!(invoke(&handler, tick(clock.now())));
        let result = match tokio::time::timeout(every, &mut call).await {
            Ok(result) => result,
            Err(_) => {
                tracing::warn!("a tick takes longer than the time between two");
                call.await
            }
        };
        if let Err(error) = result {
            tracing::error!(error, "a tick failed");
        }
    }
}
