//! Tasks that run until the host stops.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::clock::ServiceClock;
use crate::data::DataDir;
use crate::database::Database;

/// Tasks that run until the host stops, and the signal that stops them.
pub(super) struct BackgroundTasks {
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
}

impl BackgroundTasks {
    pub(super) fn new() -> Self {
        Self {
            stop: watch::Sender::new(false),
            tasks: Vec::new(),
        }
    }

    /// Completes when the host stops.
    pub(super) fn stopped(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut stop = self.stop.subscribe();
        async move {
            let _ = stop.wait_for(|is_stopped| *is_stopped).await;
        }
    }

    pub(super) fn spawn(&mut self, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks.push(tokio::spawn(task));
    }

    /// Runs a server and logs why it ends.
    pub(super) fn serve(&mut self, server: impl Future<Output = io::Result<()>> + Send + 'static) {
        self.spawn(async move {
            if let Err(error) = server.await {
                tracing::error!(%error, "a server failed");
            }
        });
    }

    /// Signals all tasks to stop, and waits for each of them for at most `grace`.
    pub(super) async fn stop(self, grace: Duration) {
        self.stop.send_replace(true);
        for task in self.tasks {
            let _ = tokio::time::timeout(grace, task).await;
        }
    }
}

/// The number of seconds between two sweeps of expired items.
const SWEEP_SECONDS: u64 = 60;

/// Saves the service time every second and sweeps expired items every minute, until `stopped` completes.
pub(super) async fn housekeeping(
    database: Database,
    clock: Arc<ServiceClock>,
    data: Option<DataDir>,
    stopped: impl Future<Output = ()>,
) {
    let mut stopped = pin!(stopped);
    for second in 1_u64.. {
        if let Some(data) = &data
            && let Err(error) = data.save_time(clock.as_ref())
        {
            tracing::error!(%error, "the service time was not saved");
        }
        if second.is_multiple_of(SWEEP_SECONDS) {
            let database = database.clone();
            let _ = tokio::task::spawn_blocking(move || database.sweep()).await;
        }
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(1)) => {}
            () = &mut stopped => return,
        }
    }
}
