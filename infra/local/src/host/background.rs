//! Tasks that run until the host stops.

use std::io;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;

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
