//! The schedule: an EventBridge rule that invokes its function at a fixed rate.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use domain::clock::Clock;
use domain::time::Timestamp;
use serde_json::{Value, json};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use uuid::Uuid;

use super::handler::{EventHandler, invoke};
use super::{ACCOUNT, MAX_WAIT, REGION};

/// The settings of a schedule.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The real time from one tick to the next, at least a millisecond.
    pub interval: Duration,
    /// Asks for a tick between those of the interval.
    pub request: Arc<Notify>,
}

/// A running schedule. It runs until it is stopped or dropped.
#[must_use]
pub struct Schedule {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Schedule {
    /// Starts to invoke `handler`. Must be called in a Tokio runtime. Ticks never run concurrently: those
    /// that become due while another tick runs are merged into one, which runs right after it. A slow or
    /// failed tick is logged and does not stop the schedule. A handler that can hang needs a timeout of its
    /// own, as [`super::handler`] sets.
    pub fn start(handler: EventHandler, clock: Arc<dyn Clock>, settings: Settings) -> Self {
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(run(handler, clock, settings, stopped));
        Self { stop, task }
    }

    /// Stops the schedule and waits for a running tick for at most `grace`. Returns whether it has ended.
    pub async fn stop(mut self, grace: Duration) -> bool {
        self.stop.send_replace(true);
        tokio::time::timeout(grace, &mut self.task).await.is_ok()
    }
}

/// Returns the event that a tick delivers.
pub fn tick(now: Timestamp) -> Value {
    json!({
        "version": "0",
        "id": Uuid::new_v4().to_string(),
        "detail-type": "Scheduled Event",
        "source": "aws.events",
        "account": ACCOUNT,
        "time": now.iso(),
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
    let interval = settings.interval.clamp(Duration::from_millis(1), MAX_WAIT);
    let mut slots = interval_at(Instant::now() + interval, interval);
    slots.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            biased;
            // An error means that the schedule was dropped, which stops it as well.
            _ = stopped.wait_for(|is_stopped| *is_stopped) => return,
            () = settings.request.notified() => {}
            _ = slots.tick() => {}
        }
        let mut call = pin!(invoke(&handler, tick(clock.now())));
        let result = match tokio::time::timeout(interval, &mut call).await {
            Ok(result) => result,
            Err(_) => {
                tracing::warn!("a tick takes longer than the interval");
                call.await
            }
        };
        if let Err(error) = result {
            tracing::error!(error, "a tick failed");
        }
    }
}
