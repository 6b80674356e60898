//! The embedded DynamoDB, on a loopback port.

use std::path::Path;
use std::sync::Arc;

use domain::clock::Clock;
use dynoxide::storage_backend;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::error::HostError;

/// A DynamoDB in this process, reached over the real wire protocol.
pub struct Database {
    pub endpoint: String,
    handle: dynoxide::Database,
    stop: oneshot::Sender<()>,
    server: JoinHandle<Result<(), String>>,
}

/// The clock by which the engine expires items.
struct EngineClock(Arc<dyn Clock>);

impl storage_backend::Clock for EngineClock {
    fn now_unix_secs(&self) -> u64 {
        u64::try_from(self.0.now().as_millis() / 1_000).unwrap_or_default()
    }

    #[expect(clippy::cast_precision_loss, reason = "milliseconds of this era fit a double")]
    fn now_unix_secs_f64(&self) -> f64 {
        self.0.now().as_millis() as f64 / 1_000.0
    }
}

impl Database {
    /// Opens the database file, or a database in memory, and serves it on `listener`. With a file, the engine expires items
    /// by real time, which is never later than service time. Readers treat expired items as absent either way.
    pub async fn start(
        file: Option<&Path>,
        clock: Arc<dyn Clock>,
        listener: TcpListener,
    ) -> Result<Self, HostError> {
        let handle = match file {
            Some(file) => dynoxide::Database::new(&file.to_string_lossy()),
            None => dynoxide::Database::memory_with_clock(Arc::new(EngineClock(clock))),
        }
        .map_err(|e| HostError::Database(e.to_string()))?;
        let endpoint = format!("http://{}", listener.local_addr()?);
        let (stop, stopped) = oneshot::channel::<()>();
        let server = tokio::spawn(dynoxide::server::serve_with_shutdown(
            listener,
            handle.clone(),
            async move {
                let _ = stopped.await;
            },
        ));
        Ok(Self {
            endpoint,
            handle,
            stop,
            server,
        })
    }

    /// Deletes expired items, as DynamoDB does in the background.
    pub fn sweep(&self) {
        if let Err(error) = self.handle.sweep_ttl() {
            tracing::warn!(%error, "expired items could not be deleted");
        }
    }

    pub async fn stop(self) {
        let _ = self.stop.send(());
        // A connection that hangs must not keep the host from stopping.
        let _ = tokio::time::timeout(std::time::Duration::from_secs(2), self.server).await;
    }
}
